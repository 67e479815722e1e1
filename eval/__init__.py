"""Is it better? Measures retrieval against data sets whose right passages are known."""
