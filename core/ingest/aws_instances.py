"""Which accelerators an AWS instance type has: a fact of its name, where a result states nothing else.

Source: Amazon EC2 instance types, accelerated computing (docs.aws.amazon.com/ec2/latest/instancetypes/ac.html),
read on 2026-11-29. SageMaker writes the same types with "ml." in front.
"""

from __future__ import annotations

_ONE = dict.fromkeys(("xlarge", "2xlarge", "4xlarge", "8xlarge", "16xlarge"), 1)
_G = {**_ONE, "12xlarge": 4, "24xlarge": 4, "48xlarge": 8}

_FAMILIES: dict[str, tuple[str, dict[str, int]]] = {
    "g4dn": ("NVIDIA T4", {**_ONE, "12xlarge": 4, "metal": 8}),
    "g5": ("NVIDIA A10G", _G),
    "g6": ("NVIDIA L4", _G),
    "g6e": ("NVIDIA L40S", _G),
    "p3": ("NVIDIA V100", {"2xlarge": 1, "8xlarge": 4, "16xlarge": 8}),
    "p4d": ("NVIDIA A100 40GB", {"24xlarge": 8}),
    "p4de": ("NVIDIA A100 80GB", {"24xlarge": 8}),
    "p5": ("NVIDIA H100", {"48xlarge": 8}),
    "p5e": ("NVIDIA H200", {"48xlarge": 8}),
    "p5en": ("NVIDIA H200", {"48xlarge": 8}),
    "inf2": ("AWS Inferentia2", {"xlarge": 1, "8xlarge": 1, "24xlarge": 6, "48xlarge": 12}),
    "trn1": ("AWS Trainium", {"2xlarge": 1, "32xlarge": 16}),
    "trn1n": ("AWS Trainium", {"32xlarge": 16}),
}


def accelerators_of(instance: str) -> tuple[str, int] | None:
    """Return (accelerator, how many of them) of an instance type, None where the table does not say.

    >>> accelerators_of("ml.g5.12xlarge"), accelerators_of("p4d.24xlarge"), accelerators_of("ml.c5.xlarge")
    (('NVIDIA A10G', 4), ('NVIDIA A100 40GB', 8), None)
    """
    family, _, size = instance.strip().lower().removeprefix("ml.").partition(".")
    accelerator, sizes = _FAMILIES.get(family, ("", {}))
    return (accelerator, sizes[size]) if size in sizes else None
