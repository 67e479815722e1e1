"""`python -m rag.engine.probe`: loads the native library and prints what it is, as one line of JSON."""

from __future__ import annotations

import json
import sys
from importlib.metadata import version

from rag.engine.devices import devices, known_types, library_folder
from rag.engine.native_log import NativeLog
from rag.models.quantisation import KNOWN


def main() -> None:
    import llama_cpp.llama_cpp as llama

    log = NativeLog()
    log.attach(llama)
    folder = library_folder(llama)
    found = {
        "version": version("llama-cpp-python"),
        "folder": str(folder),
        "devices": devices(folder),
        "gpu": bool(llama.llama_supports_gpu_offload()),
        "types": sorted(known_types(folder, KNOWN)),
    }
    sys.stdout.write(json.dumps(found) + "\n")


if __name__ == "__main__":
    main()
