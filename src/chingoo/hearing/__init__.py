"""What a message says by its meaning: a sentence model's vectors beside what its words weigh. Pure."""
