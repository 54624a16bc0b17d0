"""Just enough YAML for reports in block style, by indentation, with the standard library alone."""

import re

LINE = re.compile(r"^( *)((?:- )?)([^\s#][^:]*?):(?: (.*))?$")


def plain_yaml(text):
    """Return nested dicts; items of a list of mappings under their index."""
    top = {}
    above = [(-1, top)]
    for line in text.splitlines():
        found = LINE.match(line.split(" # ")[0].rstrip()) if not line.lstrip().startswith("#") else None
        if not found:
            continue
        indent = len(found[1]) + len(found[2])
        while above[-1][0] >= indent or (found[2] and above[-1][0] >= len(found[1]) + 1):
            above.pop()
        inside = above[-1][1]
        if found[2]:
            inside = inside.setdefault(str(len(inside)), {})
            above.append((indent - 1, inside))
        value, key = found[4], found[3].strip("'\"")
        if value is None or value == "":
            inside[key] = {}
            above.append((indent, inside[key]))
        else:
            inside[key] = scalar(value.strip())
    return top


def scalar(text):
    bare = text.strip("'\"")
    if bare in ("null", "~"):
        return None
    try:
        return float(bare)
    except ValueError:
        return bare
