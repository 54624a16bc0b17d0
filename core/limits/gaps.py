"""What cannot be told of a model from its `config.json`, as codes; docs/codes.md lists them."""

from __future__ import annotations

ARCHITECTURE = "limits.unknown_architecture"
"""The class of the model is not one that is known here: neither its weights nor its cache are told."""

UNVERIFIED = "limits.unverified_class"
"""The file names a class that is not known here beside a type that is: reckoned as that type, and not verified."""

LAYERS = "limits.unknown_layers"
"""Some layers look back in a way that is not known here."""

WINDOW = "limits.unknown_window"
"""The file gives a window and not which layers have it."""

STATE = "limits.unknown_state"
"""Layers keep a fixed state, and the file does not say how large."""

STORAGE = "limits.unknown_storage"
"""The checkpoint is quantised in a way that is not known here."""

WEIGHTS = "limits.unknown_weights"
"""The parameters of some layers cannot be counted."""

BESIDE_TEXT = "limits.beside_text"
"""The model has a part for pictures or sound, whose weights are not counted."""

CLASS_DEFAULTS = "limits.class_defaults"
"""The file is silent on fields that the class of the model has defaults for."""

ACCELERATOR = "limits.unknown_accelerator"
"""No accelerator was named that the catalogue has."""

ENGINE = "limits.unknown_engine"
"""What the engine takes is known only as the span of all engines."""

LONGEST = "limits.unknown_longest"
"""Nobody says how long a request may become."""

LENGTHS = "limits.unknown_lengths"
"""Nobody says how long requests are on average."""

WINDOWS = "limits.unknown_freeing"
"""Whether the engine frees what a window has left behind is not known: both are within the span."""

OTHER_MODEL = "limits.other_model"
"""The run names a model of another family than the `config.json`."""

BEYOND_MODEL = "limits.beyond_model"
"""The longest request is longer than the model is made for."""

BEYOND_LONGEST = "limits.beyond_longest"
"""Requests are longer on average than the longest one may be: no steady state."""

UNEVEN_HEADS = "limits.uneven_heads"
"""The heads of the model do not divide over the tensor parallel ranks."""

PAGES = "limits.padded_pages"
"""Engines pad the pages of layers that keep a fixed state, by how much differs between versions."""
