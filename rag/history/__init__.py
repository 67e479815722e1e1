"""Conversations of each person, in their own SQLite file beside the library."""

from rag.history.conversations import ASKED, WITHHELD, Conversation, Conversations

__all__ = ["ASKED", "WITHHELD", "Conversation", "Conversations"]
