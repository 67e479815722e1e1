"""Keeps a collection in step with files: plan what changed, apply it so that a crash loses nothing.

`plan` decides (no effects), `preparing` reads and cuts ahead in threads and child processes, `embedding`
embeds what they hand over, `run` stores each document in one step as soon as it is complete.
"""

from ingest.sync.report import Report
from ingest.sync.run import run

__all__ = ["Report", "run"]
