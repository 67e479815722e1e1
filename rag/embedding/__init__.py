"""Text → vectors. `protocol` is what the rest knows; `load` gives the embedder that the settings name."""
