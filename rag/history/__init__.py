"""Conversations of each person, in their own SQLite file beside the library."""

from rag.history.conversations import Conversation, Conversations

__all__ = ["Conversation", "Conversations"]
