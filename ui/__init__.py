"""The page: Gradio Blocks inside a FastAPI application of our own. Nothing else here touches gradio."""
