"""The page: Gradio Blocks inside a FastAPI application of our own. Nothing else here touches gradio."""

# Before gradio is imported anywhere: importing rag tells it, as others, to report nothing.
import rag  # noqa: F401
