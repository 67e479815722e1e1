"""Libraries that report home are told not to, before any of them is imported.

The variables are set in this process and so in every child that it starts. onnxruntime (from 1.29 on, on
Linux too) decides once, when it is loaded, whether it uploads: a call afterwards would come too late.
"""

from __future__ import annotations

import os

SILENCE = {
    "ORT_DISABLE_TELEMETRY": "1",
    "ANONYMIZED_TELEMETRY": "False",  # chromadb
    "GRADIO_ANALYTICS_ENABLED": "False",
    "HF_HUB_DISABLE_TELEMETRY": "1",
    "DO_NOT_TRACK": "1",
}


def say_nothing_to_others() -> None:
    """Not a default that the environment could override: nothing about the use of this program goes out."""
    os.environ.update(SILENCE)
