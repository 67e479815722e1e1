# make run    set up, take in the sample corpus, serve the page at http://127.0.0.1:7860
# make test   set up, then every check and test
# For an NVIDIA GPU: make run GPU=1 [CUDA_ARCH=89]; the engine stays so until GPU=0

PYTHON      ?= $(firstword $(shell command -v python3.11 python3.12 python3))
GPU         ?=
CUDA_ARCH   ?= native
TORCH_INDEX ?=
HOST        ?= 127.0.0.1
PORT        ?= 7860

VENV  := .venv/bin/python
SETUP := $(PYTHON) setup/environment.py $(if $(TORCH_INDEX),--torch-index $(TORCH_INDEX)) \
         $(if $(GPU),$(if $(filter 0 no off,$(GPU)),--no-gpu,--gpu --cuda-arch '$(CUDA_ARCH)'))

.PHONY: run setup setup-dev browser test check format bench lock clean

run: setup
	@echo "── sample corpus"
	@$(VENV) -m ingest examples/corpus --collection examples
	@$(VENV) -m ui --host $(HOST) --port $(PORT)

setup:
	@$(SETUP)

setup-dev:
	@$(SETUP) --dev

browser: setup-dev
	@$(VENV) setup/browser.py

test: setup-dev browser check
	$(VENV) -m pytest

check: setup-dev
	$(VENV) -m ruff format --check .
	$(VENV) -m ruff check .
	$(VENV) -m mypy

format: setup-dev
	$(VENV) -m ruff format .
	$(VENV) -m ruff check --fix .

bench: setup-dev
	$(VENV) -m benchmarks

lock: setup-dev
	$(VENV) setup/lock.py

clean:
	rm -rf .venv .pytest_cache .mypy_cache .ruff_cache .hypothesis
