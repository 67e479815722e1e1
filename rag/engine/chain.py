"""A Sampling as a native sampler chain. Runs in the worker process only."""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from rag.engine.protocol import Sampling

PENALTY_WINDOW = 64
"""Generated tokens that the repeat penalty looks back on. The prompt is never penalised: an answer has to
repeat the words of its evidence."""

SEED_BITS = 31


@contextmanager
def sampler_chain(sampling: Sampling, vocabulary_size: int) -> Iterator[Any]:
    """Penalties, top-k, top-p, min-p, temperature, draw; or penalties and the most likely token."""
    import llama_cpp.llama_cpp as llama

    chain = llama.llama_sampler_chain_init(llama.llama_sampler_chain_default_params())
    try:
        if sampling.repeat_penalty != 1.0:
            _add(
                llama,
                chain,
                llama.llama_sampler_init_penalties(
                    vocabulary_size, PENALTY_WINDOW, sampling.repeat_penalty, 0.0, 0.0
                ),
            )
        if sampling.temperature <= 0:
            _add(llama, chain, llama.llama_sampler_init_greedy())
        else:
            seed = secrets.randbits(SEED_BITS) if sampling.seed is None else sampling.seed
            if sampling.top_k > 0:
                _add(llama, chain, llama.llama_sampler_init_top_k(sampling.top_k))
            _add(llama, chain, llama.llama_sampler_init_top_p(sampling.top_p, 1))
            _add(llama, chain, llama.llama_sampler_init_min_p(sampling.min_p, 1))
            _add(llama, chain, llama.llama_sampler_init_temp(sampling.temperature))
            _add(llama, chain, llama.llama_sampler_init_dist(seed % (1 << SEED_BITS)))
        yield chain
    finally:
        llama.llama_sampler_free(chain)


def _add(llama: Any, chain: Any, sampler: Any) -> None:
    if not sampler:
        raise ValueError("The native library refused a sampling value.")
    llama.llama_sampler_chain_add(chain, sampler)  # the chain owns it from here
