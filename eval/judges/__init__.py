"""Does this answer state this fact? Three judges, each checked against hand-labelled pairs (pairs.toml)."""
