"""What the native library at hand can do: its devices, and the weight types it knows.

Runs where llama_cpp is loaded: in the worker, and in `python -m rag.engine.probe`.
"""

from __future__ import annotations

import ctypes
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from rag.models.quantisation import KNOWN

GPU = 1
"""The library's number for devices with memory of their own."""

ALWAYS_THERE = 30
"""Weight types below this id are in every library that this project can use."""


def library_folder(llama: Any) -> Path:
    """The folder from which the native library was loaded."""
    return Path(llama._base_path)


def known_types(folder: Path, ids: Iterable[int]) -> set[int]:
    """Those of the weight type ids that the library in that folder knows under our names for them.

    `ggml_type_name` reads past the end of its table when asked for an id that is too high. So it is only
    asked for types whose name occurs in the library's file.
    """
    path = next((p for p in (folder / "libggml-base.so", folder / "libggml-base.dylib") if p.exists()), None)
    if path is None:
        raise FileNotFoundError(f"There is no libggml-base in {folder}.")
    contents = path.read_bytes()
    type_name = ctypes.CDLL(str(path)).ggml_type_name
    type_name.argtypes, type_name.restype = [ctypes.c_int], ctypes.c_char_p
    found = set()
    for number in ids:
        if number not in KNOWN:
            continue
        name = KNOWN[number].name.encode()
        if number < ALWAYS_THERE or (name + b"\0" in contents and type_name(number) == name):
            found.add(number)
    return found


def devices(folder: Path) -> list[str]:
    """Names and descriptions of the devices that the library could compute on, the CPU among them."""
    ggml, handles = _devices_of(folder)
    for function in (ggml.ggml_backend_dev_name, ggml.ggml_backend_dev_description):
        function.argtypes, function.restype = [ctypes.c_void_p], ctypes.c_char_p
    found = []
    for device in handles:
        name = ggml.ggml_backend_dev_name(device).decode()
        about = ggml.ggml_backend_dev_description(device).decode()
        found.append(name if about in ("", name) else f"{name}: {about}")
    return found


def free_and_total_mib(folder: Path) -> list[tuple[float, float]]:
    """MiB free and in all of every device that is not the CPU."""
    ggml, handles = _devices_of(folder)
    ggml.ggml_backend_dev_type.argtypes, ggml.ggml_backend_dev_type.restype = [ctypes.c_void_p], ctypes.c_int
    size = ctypes.POINTER(ctypes.c_size_t)
    ggml.ggml_backend_dev_memory.argtypes = [ctypes.c_void_p, size, size]
    ggml.ggml_backend_dev_memory.restype = None
    found = []
    for device in handles:
        if ggml.ggml_backend_dev_type(device) != GPU:
            continue
        free, total = ctypes.c_size_t(), ctypes.c_size_t()
        ggml.ggml_backend_dev_memory(device, ctypes.byref(free), ctypes.byref(total))
        found.append((free.value / (1 << 20), total.value / (1 << 20)))
    return found


def _devices_of(folder: Path) -> tuple[ctypes.CDLL, list[int]]:
    """The library and its handles of all devices."""
    path = next((p for p in (folder / "libggml.so", folder / "libggml.dylib") if p.exists()), None)
    if path is None:
        raise FileNotFoundError(f"There is no libggml in {folder}.")
    ggml = ctypes.CDLL(str(path))
    ggml.ggml_backend_dev_count.restype = ctypes.c_size_t
    ggml.ggml_backend_dev_get.argtypes = [ctypes.c_size_t]
    ggml.ggml_backend_dev_get.restype = ctypes.c_void_p
    return ggml, [ggml.ggml_backend_dev_get(index) for index in range(ggml.ggml_backend_dev_count())]
