"""All settings: `rag.toml` in the data folder (or --config), overridden by RAG_* environment variables.

An environment variable names section and key: RAG_ENGINE_MODEL, RAG_EMBEDDING_THREADS; RAG_HOME alone
names the data folder. Unknown keys are refused, so that a typing error does not pass silently.
"""

from __future__ import annotations

import ipaddress
import os
import re
import sys
import tomllib
from difflib import get_close_matches
from pathlib import Path
from typing import Any, Literal

import platformdirs
from pydantic import BaseModel, ConfigDict, Field, SecretStr, ValidationError, field_validator
from pydantic_settings import BaseSettings, PydanticBaseSettingsSource, SettingsConfigDict

from rag.errors import SettingsError

LEAST_CONTEXT = 256
BESIDES_TOKENS = 3072
"""Of the context, for instructions, examples, conversation and question."""


class Section(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class EngineSettings(Section):
    """The generating model. `model`: a catalogue name or a GGUF file; with `server`, its name there.

    server: base address of a server that speaks the OpenAI API ("http://127.0.0.1:8080/v1"); empty: the
    model runs on this machine, in a process of its own.
    """

    model: str = "smollm2-135m"
    context: int = Field(0, ge=0, description="tokens; 0: what evidence, conversation and answer need")
    batch: int = Field(2048, ge=32)
    ubatch: int = Field(512, ge=32)
    kv: Literal["f16", "q8_0", "q4_0"] = "q8_0"
    flash_attention: bool = True
    gpu_layers: int = Field(-1, ge=-1, description="-1: all")
    threads: int = Field(0, ge=0, description="0: as many as the process may use")
    library: str = Field("", description="folder with another libllama, e.g. one that reads Bonsai 2")
    max_answer_tokens: int = Field(1024, ge=16)
    start_timeout_s: float = Field(600, gt=0)
    parallel: int = Field(1, ge=1, le=16, description="answers written at once, `context` tokens each")
    queue: int = Field(32, ge=1, description="how many may wait for their turn before more are refused")
    device_sampling: Literal["auto", "on", "off"] = "auto"
    cache_mib: int = Field(2048, ge=0, description="host memory for evaluated beginnings of prompts")
    reserve_mib: int = Field(0, ge=0, description="device memory to leave free for others")
    thinking: bool = False
    thinking_tokens: int = Field(1024, ge=16, description="a longer thought is closed")
    reasoning_effort: str = Field("", description="a word that the model's template knows, e.g. low")
    server: str = ""
    server_key: SecretStr = SecretStr("")
    server_timeout_s: float = Field(120, gt=0, description="without a sign of life")
    server_tokenizer: str = Field("", description="a tokenizer.json, where the server does not count")

    @field_validator("context")
    @classmethod
    def _none_or_enough(cls, value: int) -> int:
        if 0 < value < LEAST_CONTEXT:
            raise ValueError(f"a context has at least {LEAST_CONTEXT} tokens (0: as many as needed)")
        return value


class EmbeddingSettings(Section):
    """The embedder. `model`: multilingual, english (both packaged), a folder, or a hub id."""

    model: str = "multilingual"
    device: Literal["auto", "cpu", "cuda"] = "auto"
    threads: int = Field(0, ge=0, description="0: as many as the process may use")
    batch_tokens: int = Field(
        0, ge=0, description="tokens evaluated together, padding included; 0: 16,384 on a GPU, 4,096 on a CPU"
    )


class IngestSettings(Section):
    """Reading and cutting. Lengths in tokens of the embedder.

    Of one file: the seconds and the memory that reading it may take, its size, and what may come of it.
    """

    chunk_tokens: int = Field(448, ge=16)
    chunk_overlap_tokens: int = Field(0, ge=0)
    file_timeout_s: float = Field(120, gt=0)
    file_memory_mib: int = Field(1536, ge=128)
    max_file_mib: int = Field(256, ge=1)
    max_expanded_mib: int = Field(512, ge=1, description="unpacked from one file")
    max_pages: int = Field(20_000, ge=1, description="of one file")
    max_text_chars: int = Field(64 << 20, ge=1000, description="text of one file, and of all in it")
    max_members: int = Field(2_000, ge=0, description="files in one file, at any depth")
    max_depth: int = Field(4, ge=0, description="how many files one that is read may lie in")
    ocr: Literal["auto", "off", "force"] = Field("auto", description="recognise pages without usable text")
    ocr_languages: str = Field("", description="codes to try, as in 'eng chi_sim'; empty: what is there")
    ocr_page_s: float = Field(60, gt=0)
    ocr_file_s: float = Field(1800, gt=0, description="after which no other page of a file is begun")


class RetrievalSettings(Section):
    limit: int = Field(8, ge=1, le=200)
    candidates: int = Field(80, ge=1, le=1000, description="taken from each leg before fusion")
    budget_tokens: int = Field(4096, ge=64, description="evidence in the prompt, by the model's tokenizer")
    reranker: str = Field("", description="cross-encoder: a folder, or a hub id that was pulled; empty: none")
    glossary: str = Field("", description="file of other names; empty: `glossary.toml` in the data folder")
    rerank: int = Field(32, ge=1, le=200, description="best candidates that the cross-encoder judges")


class AnsweringSettings(Section):
    """How questions are answered. `examples`: a folder with worked examples of your own, besides ours."""

    mode: Literal["quick", "complete", "every"] = "complete"
    examples: str = Field("", description="folder of *.toml; empty: `examples` in the data folder")
    example_tokens: int = Field(1200, ge=0, description="worked examples in the prompt, at most")
    steps: Literal["auto", "on", "off"] = Field(
        "auto", description="tell the model to go step by step; auto: if its weights are ternary"
    )
    thoughts: bool = Field(
        True, description="show and keep what a thinking model thinks, folded; off: only that it thinks"
    )
    every_limit: int = Field(300, ge=1, description="documents that the mode `every` reads, at most")


class UiSettings(Section):
    """The page. Who asks is known through a proxy that logs people in (`proxy_header`), or by the page's own
    sign-in (`python -m ui users add`), or not at all: then everybody reads every open collection."""

    host: str = "127.0.0.1"
    port: int = Field(7860, ge=0, le=65535)
    max_upload_mib: int = Field(200, ge=1)
    names: str = Field("", description="host names under which people reach it, as in 'papers.example.org'")
    proxy_header: str = Field("", description="header in which a proxy says who asks, e.g. X-Forwarded-User")
    proxy_addresses: str = Field(
        "127.0.0.1 ::1", description="addresses and networks of proxies that are believed"
    )
    session_hours: float = Field(12, gt=0, le=24 * 30, description="without use, until one is signed out")
    changes: Literal["readers", "nobody"] = Field(
        "readers", description="who may add and remove documents through the page"
    )

    @field_validator("proxy_header")
    @classmethod
    def _a_header(cls, value: str) -> str:
        if value and not re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9-]*", value):
            raise ValueError("the name of an HTTP header has letters, digits and hyphens only")
        return value

    @field_validator("proxy_addresses")
    @classmethod
    def _addresses(cls, value: str) -> str:
        for word in value.split():
            ipaddress.ip_network(word)  # its complaint names the word
        return value


class Settings(BaseSettings):
    """Frozen; made once at the start by `load`."""

    model_config = SettingsConfigDict(
        frozen=True,
        extra="forbid",
        env_prefix="RAG_",
        env_nested_delimiter="_",
        env_nested_max_split=1,
    )

    home: Path = Path(platformdirs.user_data_dir("bonsai-rag"))
    engine: EngineSettings = EngineSettings()
    embedding: EmbeddingSettings = EmbeddingSettings()
    ingest: IngestSettings = IngestSettings()
    retrieval: RetrievalSettings = RetrievalSettings()
    answering: AnsweringSettings = AnsweringSettings()
    ui: UiSettings = UiSettings()

    @property
    def engine_context(self) -> int:
        """Tokens of context that the engine is asked for: as set, or evidence + answer + the rest."""
        if self.engine.context:
            return self.engine.context
        thought = self.engine.thinking_tokens if self.engine.thinking else 0
        wanted = self.retrieval.budget_tokens + self.engine.max_answer_tokens + thought + BESIDES_TOKENS
        return -(-wanted // 256) * 256

    @property
    def models_dir(self) -> Path:
        """Downloaded models of this data folder."""
        return self.home / "models"

    @property
    def packaged_models_dir(self) -> Path:
        """Models that set-up made from installed packages; shared by all data folders."""
        return Path(sys.prefix) / "share" / "bonsai-rag" / "models"

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,
        file_secret_settings: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        # The file's values arrive as init arguments; the environment stands above them.
        return env_settings, init_settings


def load(config: Path | None = None, **overrides: Any) -> Settings:
    """Settings from the file, the environment and `overrides` (highest; e.g. home=tmp_path).

    Raises SettingsError naming the file or variable, the key and what was expected.
    """
    home = Path(overrides.get("home") or os.environ.get("RAG_HOME") or Settings.model_fields["home"].default)
    home = home.expanduser().absolute()
    path = config or home / "rag.toml"
    values: dict[str, Any] = {}
    if config is not None and not path.is_file():
        raise SettingsError(f"There is no settings file at {path}.", fix="Check the path given to --config.")
    if path.is_file():
        try:
            values = tomllib.loads(path.read_text(encoding="utf-8"))
        except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
            raise SettingsError(f"{path} is not valid TOML: {error}.", fix="Correct that line.") from error
        if (
            config is not None
            and "home" in values
            and "home" not in overrides
            and "RAG_HOME" not in os.environ
        ):
            home = Path(values["home"]).expanduser().absolute()
    _look_for_slips()
    try:
        settings = Settings(**{**values, "home": home})
    except ValidationError as error:
        first = error.errors()[0]
        key = ".".join(str(part) for part in first["loc"])
        if first["type"] == "extra_forbidden":
            near = get_close_matches(key, _keys(), n=1)
            wrong = f"There is no setting {key!r}." + (f" Did you mean {near[0]!r}?" if near else "")
        else:
            wrong = f"The setting {key!r} is not right: {first['msg']} (found {first.get('input')!r})."
        raise SettingsError(
            wrong,
            fix=f"Correct it in {path} or in the environment variable {_variable(key)}.",
        ) from error
    update = {key: value for key, value in overrides.items() if key != "home"}
    return settings.model_copy(update={**update, "home": home})


def _look_for_slips() -> None:
    """Raises SettingsError for a variable that is nearly one of ours: as it is written it would do nothing.

    Others that begin with RAG_ may belong to other programs. (A wrong key of one of our sections is refused
    by `Settings` itself.)
    """
    known = [_variable(key) for key in _keys()]
    sections = [_variable(name) for name in Settings.model_fields if name != "home"]
    for name in filter(lambda name: name.startswith("RAG_"), os.environ):
        if name in sections:
            raise SettingsError(
                f"The environment variable {name} names a section of settings, not one of them.",
                fix=f"Write {name}_ and the key: {next(one for one in known if one.startswith(name + '_'))}.",
            )
        if name in known or any(name.startswith(section + "_") for section in sections):
            continue
        near = get_close_matches(name, known, n=1, cutoff=0.85)
        if near:
            raise SettingsError(
                f"There is no setting {name}. Did you mean {near[0]}?",
                fix="Correct the environment variable.",
            )


def _variable(key: str) -> str:
    return f"RAG_{key.replace('.', '_').upper()}"


def _keys() -> list[str]:
    """Every setting by its name in rag.toml: "engine.model", and the sections themselves."""
    keys = []
    for name, field in Settings.model_fields.items():
        keys.append(name)
        if isinstance(field.annotation, type) and issubclass(field.annotation, Section):
            keys += [f"{name}.{key}" for key in field.annotation.model_fields]
    return keys
