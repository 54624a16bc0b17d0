"""A model's `config.json` to its architecture. The file is a stranger's: it is read within limits and checked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from core.errors import Place, RefusedFileError
from core.i18n import t
from core.ingest.decode import json_document, unpacked
from core.ingest.raw import Upload
from core.letters import flat
from core.limits import gaps
from core.limits.attention import heads_of
from core.limits.classes import Class, class_of
from core.limits.families import FAMILIES, NOT_UNDERSTOOD, SAME_AS, Family
from core.limits.feed_forward import FeedForward, feed_forwards
from core.limits.fields import Fields
from core.limits.mixers import mixers_of
from core.limits.states import state_of
from core.limits.storage import kv_bits_of, storage_of
from core.model.architecture import MOST_LAYERS, Architecture, Layer, Mixer

MOST_BYTES = 4_000_000
"""A published file has a few kilobytes; lists of modules that are not quantised make the largest ones."""

_TEXT_PARTS = ("text_config", "llm_config", "language_config", "thinker_config")
_OTHER_PARTS = ("vision_config", "audio_config", "vision_tower", "speech_config", "visual")
_LAYERS = ("num_hidden_layers", "n_layer", "num_layers", "n_layers")
_HIDDEN = ("hidden_size", "n_embd", "d_model", "dim")


def read_architecture(upload: Upload) -> Architecture:
    """Return what a model's `config.json` says.

    Raises:
        RefusedFileError: "ingest.…" where it is no JSON or too large; "limits.not_a_config" where it describes no
            model, "limits.missing_field", "limits.bad_field" where a field is not as any model has it.
    """
    if len(upload.data) > MOST_BYTES:
        raise _no_config(upload.name)
    plain = unpacked(upload)
    if len(plain.data) > MOST_BYTES:
        raise _no_config(upload.name)
    return architecture_of(json_document(plain), plain.name)


def architecture_of(document: object, name: str = "config.json") -> Architecture:
    """Return what the document of a `config.json` says; see `read_architecture`."""
    outer = document if isinstance(document, dict) else {}
    inner = _text_part(outer)
    # What a published file says once for all its parts stands outside of them.
    found = {**{key: outer[key] for key in ("quantization_config", "torch_dtype", "dtype", "tie_word_embeddings")
                if outer.get(key) is not None}, **inner}  # fmt: skip
    kind = _kind(outer, inner)
    family = FAMILIES.get(kind)
    names = [each for each in (inner.get("model_type"), outer.get("model_type")) if isinstance(each, str)]
    # Of a model inside another one its own class counts; the outer class says how the parts are put together.
    stands = class_of(inner.get("architectures"), kind, names) if family else Class.SAME
    if stands is Class.OTHER:
        family = None
    fields = Fields(name, found, family.defaults if family else {})
    if not kind or fields.value(*_LAYERS) is None:
        raise _no_config(name)
    count = fields.needed(*_LAYERS)
    if count > MOST_LAYERS:
        raise fields.wrong("num_hidden_layers")
    notes = [gaps.BESIDE_TEXT] if any(outer.get(part) for part in _OTHER_PARTS) else []
    notes += [gaps.UNVERIFIED] if stands is Class.UNKNOWN else []
    return _built(fields, family, flat(kind), count, notes)


def _text_part(outer: Mapping[str, object]) -> Mapping[str, object]:
    """Return the part that describes the model of language: the file itself, where it has no such part."""
    for name in _TEXT_PARTS:
        part = outer.get(name)
        if isinstance(part, dict):
            return _text_part(part) if any(isinstance(part.get(each), dict) for each in _TEXT_PARTS) else part
    return outer


def _kind(outer: Mapping[str, object], inner: Mapping[str, object]) -> str:
    """Return the class of the text part: as the part itself says, of the whole only where it says nothing."""
    named = next((each for each in (inner.get("model_type"), outer.get("model_type")) if isinstance(each, str)), "")
    return SAME_AS.get(named, named)[:100]


def _built(fields: Fields, family: Family | None, kind: str, count: int, notes: Sequence[str]) -> Architecture:
    """Put the layers together; of a class that nobody knows here, only what every model has."""
    unknown = list(notes)
    hidden = fields.needed(*_HIDDEN)
    vocabulary = fields.needed("vocab_size")
    understood = family is not None and not any(
        fields.value(name) for name in NOT_UNDERSTOOD if name not in family.understood
    )
    if family is None or not understood:
        layers: Sequence[Layer] = [Layer(mixer=Mixer.UNKNOWN)] * count
        unknown.append(gaps.ARCHITECTURE)
    else:
        layers, missing = _layers(fields, family, hidden, count)
        unknown += missing
    storage = storage_of(fields)
    if storage.bits is None:
        unknown.append(gaps.STORAGE)
    if fields.assumed:
        unknown.append(gaps.CLASS_DEFAULTS)
    kinds = tuple(dict.fromkeys(layers))
    tied = fields.value("tie_word_embeddings")
    is_tied = tied if isinstance(tied, bool) else bool(family and family.tied)
    return Architecture(
        kind=kind,
        hidden=hidden,
        vocabulary=vocabulary,
        kinds=kinds,
        order=tuple(kinds.index(layer) for layer in layers),
        embedding=vocabulary * hidden,
        head=0 if is_tied else vocabulary * hidden,
        beside=hidden,
        longest=_longest(fields),
        storage=storage,
        kv_bits=kv_bits_of(fields),
        unknown=tuple(dict.fromkeys(unknown)),
        assumed=tuple(fields.assumed),
    )


def _longest(fields: Fields) -> int | None:
    return fields.whole("max_position_embeddings", "n_positions", "max_sequence_length", "seq_length", least=1)


def _layers(fields: Fields, family: Family, hidden: int, count: int) -> tuple[list[Layer], list[str]]:
    """Return every layer, and what cannot be told of them."""
    unknown: list[str] = []
    mixers = mixers_of(fields, family, count)
    if mixers is None:
        unknown.append(gaps.WINDOW)
        mixers = [Mixer.UNKNOWN] * count
    if Mixer.UNKNOWN in mixers and gaps.WINDOW not in unknown:
        unknown.append(gaps.LAYERS)
    parts = feed_forwards(fields, family, hidden, count)
    if len(parts) != count:
        raise fields.wrong("hybrid_override_pattern")
    made: dict[tuple[Mixer, FeedForward], Layer] = {}
    for key in zip(mixers, parts, strict=True):
        if key not in made:
            made[key] = _layer(fields, family, hidden, *key)
    if any(layer.mixer is Mixer.STATE and layer.state + layer.conv == 0 for layer in made.values()):
        unknown.append(gaps.STATE)
    if any(layer.attention is None for layer in made.values()):
        unknown.append(gaps.WEIGHTS)
    return [made[key] for key in zip(mixers, parts, strict=True)], unknown


def _layer(fields: Fields, family: Family, hidden: int, mixer: Mixer, part: FeedForward) -> Layer:
    """Return one layer: what it looks back with, its state, its feed-forward part."""
    norms = family.norms * hidden
    kept = part.kept + norms
    counted = family.counted and mixer is not Mixer.UNKNOWN
    own: dict[str, int | None] = {"attention": 0 if counted else None}
    has_heads = mixer in (Mixer.FULL, Mixer.WINDOW)
    if has_heads:
        heads = heads_of(fields, family, hidden, mixer)
        own = {
            "kv_heads": heads.kv_heads, "key_dim": heads.key_dim, "value_dim": heads.value_dim,
            "latent": heads.latent, "index_bytes": heads.index_bytes, "heads": heads.heads,
            "score_dim": heads.score_dim, "mix_dim": heads.mix_dim, "replicated": heads.replicated,
            "attention": heads.parameters if counted else None,
        }  # fmt: skip
        kept += heads.kept
        mixer = Mixer.LATENT if heads.latent else mixer
    if mixer is Mixer.STATE or (family.both and has_heads):
        state = state_of(fields, family, hidden)
        if state is not None:
            attention = own["attention"]
            known = None if attention is None or state.parameters is None else attention + state.parameters
            own |= {"state": state.state, "conv": state.conv, "attention": known}
            kept += state.kept
        else:
            own["attention"] = None
    if mixer is Mixer.WINDOW:
        own["window"] = fields.whole("attention_chunk_size", least=1) or fields.needed("sliding_window")
    return Layer(
        mixer=mixer,
        feed_forward=part.feed_forward if counted else None,
        expert=part.expert,
        experts=part.experts,
        chosen=part.chosen,
        kept=kept,
        **own,  # type: ignore[arg-type] # each is what the field of its name takes
    )


def _no_config(name: str) -> RefusedFileError:
    return RefusedFileError(
        "limits.not_a_config",
        t("The file does not describe a model"),
        fix=t("Drop the config.json that lies beside the model's weights"),
        place=Place(name),
    )
