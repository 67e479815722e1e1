"""What generates text. `protocol` is what the rest of rag knows of it."""
