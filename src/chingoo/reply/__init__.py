"""The words of a turn: plan, prompt, protocol, gates, repairs, the offline composer, and what is said about itself."""
