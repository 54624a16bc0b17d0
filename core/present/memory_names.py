"""What the parts of a sizing are called."""

from __future__ import annotations

from collections.abc import Mapping

from core.i18n import Text, t

SIZING: Mapping[str, Text] = {
    "architecture": t("Model for the memory"),
    "accelerator": t("Accelerator for the memory"),
    "tp": t("Tensor parallel ranks"),
    "pp": t("Pipeline stages"),
    "dp": t("Data parallel ranks"),
    "ep": t("Ranks that experts are spread over"),
    "weights": t("Type of the weights"),
    "kv": t("Type of the KV cache"),
    "engine": t("Engine"),
    "engine_version": t("Version of the engine"),
    "fraction": t("Share of memory for the engine"),
    "runtime_gib": t("Memory beside weights and cache"),
    "windows": t("Tokens that a window has left behind"),
    "longest": t("Tokens of the longest request"),
    "input_tokens": t("Input tokens, mean"),
    "output_tokens": t("Output tokens, mean"),
    "logged": t("Log of the engine"),
}
"""By the field of `Sizing`."""

WINDOWS: Mapping[str, Text] = {"freed": t("freed"), "kept": t("kept")}
"""What an engine does with tokens that a window has left behind."""
