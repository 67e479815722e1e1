"""From the model's text to citations that cannot dangle."""
