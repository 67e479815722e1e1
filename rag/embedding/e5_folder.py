"""Writes multilingual-e5-small, read by `e5_file`, as an ordinary sentence-transformers folder."""

from __future__ import annotations

import json
import unicodedata
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from rag.embedding.e5_file import E5File, Shape, Vocabulary

if TYPE_CHECKING:
    from tokenizers import Tokenizer

PROMPTS = {"query": "query: ", "document": "passage: "}

# Stands for a character that NFKC must not touch, while NFKC runs. A noncharacter: no text holds it.
SHELTER = "\ufdd0"


def write_folder(file: E5File, folder: Path) -> None:
    """Weights, tokenizer and the five small JSON files that sentence-transformers reads."""
    from safetensors.numpy import save_file

    shape, vocabulary = file.shape, file.vocabulary
    folder.mkdir(parents=True, exist_ok=True)
    save_file(bert_weights(file), folder / "model.safetensors", metadata={"format": "pt"})
    tokenizer(vocabulary).save(str(folder / "tokenizer.json"), pretty=False)
    special = {
        "bos_token": vocabulary.pieces[vocabulary.bos],
        "cls_token": vocabulary.pieces[vocabulary.bos],
        "eos_token": vocabulary.pieces[vocabulary.eos],
        "sep_token": vocabulary.pieces[vocabulary.eos],
        "pad_token": vocabulary.pieces[vocabulary.pad],
        "unk_token": vocabulary.pieces[vocabulary.unk],
        "mask_token": "<mask>",
    }
    texts: dict[str, Any] = {
        "config.json": _bert_config(shape, vocabulary),
        "tokenizer_config.json": {
            "tokenizer_class": "PreTrainedTokenizerFast",
            "model_max_length": shape.positions,
            "clean_up_tokenization_spaces": False,
            **special,
        },
        "special_tokens_map.json": special,
        "modules.json": [
            {"idx": 0, "name": "0", "path": "", "type": "sentence_transformers.models.Transformer"},
            {"idx": 1, "name": "1", "path": "1_Pooling", "type": "sentence_transformers.models.Pooling"},
            {"idx": 2, "name": "2", "path": "2_Normalize", "type": "sentence_transformers.models.Normalize"},
        ],
        "1_Pooling/config.json": {
            "word_embedding_dimension": shape.hidden,
            "pooling_mode_mean_tokens": True,
            "pooling_mode_cls_token": False,
            "pooling_mode_max_tokens": False,
        },
        "sentence_bert_config.json": {"max_seq_length": shape.positions, "do_lower_case": False},
        "config_sentence_transformers.json": {
            "prompts": PROMPTS,
            "default_prompt_name": None,
            "similarity_fn_name": "cosine",
        },
    }
    for name, content in texts.items():
        path = folder / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(json.dumps(content, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
    (folder / "2_Normalize").mkdir(exist_ok=True)


def _bert_config(shape: Shape, vocabulary: Vocabulary) -> dict[str, Any]:
    return {
        "architectures": ["BertModel"],
        "model_type": "bert",
        "hidden_act": "gelu",
        "hidden_size": shape.hidden,
        "num_hidden_layers": shape.layers,
        "num_attention_heads": shape.heads,
        "intermediate_size": shape.feed_forward,
        "vocab_size": shape.vocabulary,
        "max_position_embeddings": shape.positions,
        "type_vocab_size": shape.token_types,
        "layer_norm_eps": shape.epsilon,
        "pad_token_id": vocabulary.pad,
        "bos_token_id": vocabulary.bos,
        "eos_token_id": vocabulary.eos,
        "torch_dtype": "float32",
    }


def bert_weights(file: E5File) -> dict[str, NDArray[np.float32]]:
    """The tensors under the names of transformers' BertModel (without a pooler: e5 takes the mean)."""
    shape = file.shape
    hidden, wide = shape.hidden, shape.feed_forward
    # The file holds the first token type only; the model is never given another.
    types = np.zeros((shape.token_types, hidden), np.float32)
    stored = file.tensors["emb.type"].elements // hidden
    types[:stored] = file.tensor("emb.type", stored, hidden)
    weights = {
        "embeddings.word_embeddings.weight": file.tensor("emb.word", shape.vocabulary, hidden),
        "embeddings.position_embeddings.weight": file.tensor("emb.pos", shape.positions, hidden),
        "embeddings.token_type_embeddings.weight": types,
        "embeddings.LayerNorm.weight": file.tensor("emb.ln.w", hidden),
        "embeddings.LayerNorm.bias": file.tensor("emb.ln.b", hidden),
    }
    matrices = {
        "q": ("attention.self.query", hidden, hidden),
        "k": ("attention.self.key", hidden, hidden),
        "v": ("attention.self.value", hidden, hidden),
        "ao": ("attention.output.dense", hidden, hidden),
        "fi": ("intermediate.dense", wide, hidden),
        "fo": ("output.dense", hidden, wide),
    }
    norms = {"aln": "attention.output.LayerNorm", "oln": "output.LayerNorm"}
    for layer in range(shape.layers):
        short, long = f"l{layer}.", f"encoder.layer.{layer}."
        for name, (target, rows, columns) in matrices.items():
            weights[f"{long}{target}.weight"] = file.tensor(f"{short}{name}.w", rows, columns)
            weights[f"{long}{target}.bias"] = file.tensor(f"{short}{name}.b", rows)
        for name, target in norms.items():
            weights[f"{long}{target}.weight"] = file.tensor(f"{short}{name}.w", hidden)
            weights[f"{long}{target}.bias"] = file.tensor(f"{short}{name}.b", hidden)
    return weights


def tokenizer(vocabulary: Vocabulary) -> Tokenizer:
    """The model's SentencePiece unigram tokenizer for the tokenizers library, with exact offsets.

    Its normaliser is NFKC but for the few characters where the file's own table says otherwise:
    control characters vanish, every kind of space becomes a space, and some stay as they are.
    """
    from tokenizers import Regex, Tokenizer, models, normalizers, pre_tokenizers, processors

    removed, spaces, kept = _exceptions(vocabulary.normal_forms)
    steps: list[Any] = []
    if removed:
        steps.append(normalizers.Replace(Regex(_any_of(removed)), ""))
    if spaces:
        steps.append(normalizers.Replace(Regex(_any_of(spaces)), " "))
    if len(kept) > 1:
        raise ValueError(f"only one character can be sheltered from NFKC, the table keeps {kept}")
    steps += [normalizers.Replace(char, SHELTER) for char in kept]
    steps.append(normalizers.NFKC())
    steps += [normalizers.Replace(SHELTER, char) for char in kept]
    steps.append(normalizers.Replace(Regex(" {2,}"), " "))

    pieces = vocabulary.pieces
    bos, eos = pieces[vocabulary.bos], pieces[vocabulary.eos]
    made = Tokenizer(models.Unigram(list(zip(pieces, vocabulary.scores, strict=True)), vocabulary.unk, False))
    made.normalizer = normalizers.Sequence(steps)
    made.pre_tokenizer = pre_tokenizers.Metaspace(prepend_scheme="always")
    made.post_processor = processors.TemplateProcessing(
        single=f"{bos} $A {eos}",
        pair=f"{bos} $A {eos} {eos} $B {eos}",
        special_tokens=[(bos, vocabulary.bos), (eos, vocabulary.eos)],
    )
    return made


def _exceptions(normal_forms: dict[str, str]) -> tuple[str, str, str]:
    """Characters that the table removes, turns into a space, and keeps, where NFKC does otherwise.

    Characters newer than the table are left to NFKC: no piece of the vocabulary holds them anyway.
    """
    differing = {
        char: form for char, form in normal_forms.items() if unicodedata.normalize("NFKC", char) != form
    }
    strange = {char: form for char, form in differing.items() if form not in ("", " ")}
    if strange:
        raise ValueError(f"the normaliser has entries that are neither NFKC, nothing nor space: {strange}")
    removed = "".join(char for char, form in differing.items() if form == "")
    spaces = "".join(char for char, form in differing.items() if form == " ")
    # U+FF5E, the wide tilde of East Asian ranges (3～5), has pieces of its own and no entry.
    kept = "" if "～" in normal_forms else "～"
    return removed, spaces, kept


def _any_of(characters: str) -> str:
    return "[" + "".join(f"\\x{{{ord(char):x}}}" for char in characters) + "]"
