"""Wire formats of chat models, over one httpx client each."""
