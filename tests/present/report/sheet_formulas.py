"""A spreadsheet program in little: it computes the few operators that our formulas use, by their published rules.

It knows nothing of how the workbook was written: it reads the file with openpyxl.
"""

from __future__ import annotations

import io
import math
import re
from copy import copy
from decimal import ROUND_HALF_UP, Decimal
from functools import cached_property

from openpyxl import load_workbook

TOKEN = re.compile(
    r"\s*(?:(?P<number>\d+\.?\d*(?:[eE][+-]?\d+)?)|(?P<text>\"(?:[^\"]|\"\")*\")"
    r"|(?P<ref>(?:'(?:[^']|'')+'!|[A-Za-z_]+!)?\$?[A-Z]{1,3}\$?\d+(?![A-Za-z0-9_(]))"
    r"|(?P<name>[A-Za-z_][A-Za-z0-9_.]*)|(?P<op><=|>=|<>|[-+*/&=<>(),]))"
)
BLANK = object()


class Sheets:
    """A workbook whose cells can be changed and computed anew."""

    def __init__(self, data):
        self.book = load_workbook(io.BytesIO(data))
        self.data = data
        self.names = {name: self.place(found.attr_text) for name, found in self.book.defined_names.items()}
        self.changed, self.known = {}, {}

    def set(self, name, value):
        """Type something into a cell with a name; None empties it."""
        self.changed[self.names[name]] = BLANK if value is None else value
        self.known = {}

    def again(self):
        """The same workbook with nothing typed into it."""
        fresh = copy(self)
        fresh.changed, fresh.known = {}, {}
        return fresh

    def formulas(self):
        """Every cell that holds a formula."""
        return [
            (sheet.title, cell.coordinate)
            for sheet in self.book
            for row in sheet.iter_rows()
            for cell in row
            if cell.data_type == "f"
        ]

    @cached_property
    def shown(self):
        return load_workbook(io.BytesIO(self.data), data_only=True)

    def cached(self, place):
        """What the file says that a formula comes to, for programs that do not compute."""
        return self.shown[place[0]][place[1]].value

    def value(self, place):
        """What a cell comes to."""
        if place in self.changed:
            return self.changed[place]
        if place not in self.known:
            cell = self.book[place[0]][place[1]]
            if cell.data_type == "f":
                self.known[place] = Formula(self, place[0], cell.value[1:]).result()
            else:
                self.known[place] = BLANK if cell.value is None else cell.value
        return self.known[place]

    def place(self, text, sheet=None):
        """Sheet and coordinate of a reference."""
        before, _, after = text.rpartition("!")
        if before:
            sheet = before.strip("'").replace("''", "'")
        return sheet, after.replace("$", "")


class Formula:
    """Recursive descent: comparison, joining, sums, products, signs, single things."""

    def __init__(self, sheets, sheet, text):
        self.sheets, self.sheet, self.tokens, self.at = sheets, sheet, [], 0
        position = 0
        while position < len(text):
            found = TOKEN.match(text, position)
            assert found, text[position:]
            self.tokens.append((found.lastgroup, found.group(found.lastgroup)))
            position = found.end()

    def result(self):
        tree = self.comparison()
        assert self.at == len(self.tokens)
        return tree()

    def peek(self):
        return self.tokens[self.at] if self.at < len(self.tokens) else (None, None)

    def take(self, *wanted):
        kind, text = self.peek()
        if kind == "op" and text in wanted:
            self.at += 1
            return text
        return None

    def left(self, inner, *operators):
        first = inner()
        while operator := self.take(*operators):
            first = OPERATORS[operator](first, inner())
        return first

    def comparison(self):
        return self.left(self.joining, "=", "<>", "<", ">", "<=", ">=")

    def joining(self):
        return self.left(self.sums, "&")

    def sums(self):
        return self.left(self.products, "+", "-")

    def products(self):
        return self.left(self.single, "*", "/")

    def single(self):
        if self.take("-"):
            inner = self.single()
            return lambda: -number(inner())
        if self.take("("):
            inner = self.comparison()
            assert self.take(")")
            return inner
        kind, text = self.peek()
        self.at += 1
        if kind == "number":
            return lambda: float(text)
        if kind == "text":
            return lambda: text[1:-1].replace('""', '"')
        if kind == "ref":
            return lambda: self.sheets.value(self.sheets.place(text, self.sheet))
        if self.take("("):
            arguments = [self.comparison()]
            while self.take(","):
                arguments.append(self.comparison())
            assert self.take(")")
            return lambda: FUNCTIONS[text](*arguments)
        return lambda: self.sheets.value(self.sheets.names[text])


def number(value):
    if value is BLANK:
        return 0.0
    assert type(value) in (int, float), f"#VALUE! {value!r}"
    return float(value)


def compared(one, other):
    """-1, 0 or 1; an empty cell is 0 beside a number and "" beside a text; text ignores case, and follows numbers."""
    one, other = (("" if isinstance(b, str) else 0.0) if a is BLANK else a for a, b in ((one, other), (other, one)))
    if isinstance(one, str) and isinstance(other, str):
        one, other = one.casefold(), other.casefold()
    elif isinstance(one, str) or isinstance(other, str):
        return 1 if isinstance(one, str) else -1
    return (one > other) - (one < other)


def joined(value):
    return "" if value is BLANK else str(value)


OPERATORS = {
    "+": lambda a, b: lambda: number(a()) + number(b()),
    "-": lambda a, b: lambda: number(a()) - number(b()),
    "*": lambda a, b: lambda: number(a()) * number(b()),
    "/": lambda a, b: lambda: number(a()) / number(b()),
    "&": lambda a, b: lambda: joined(a()) + joined(b()),
    "=": lambda a, b: lambda: compared(a(), b()) == 0,
    "<>": lambda a, b: lambda: compared(a(), b()) != 0,
    "<": lambda a, b: lambda: compared(a(), b()) < 0,
    ">": lambda a, b: lambda: compared(a(), b()) > 0,
    "<=": lambda a, b: lambda: compared(a(), b()) <= 0,
    ">=": lambda a, b: lambda: compared(a(), b()) >= 0,
}


def rounded_up(value, digits):
    scale = 10.0 ** number(digits())
    return math.copysign(math.ceil(abs(number(value())) * scale) / scale, number(value()))


def rounded_down(value, digits):
    scale = 10.0 ** number(digits())
    return math.copysign(math.floor(abs(number(value())) * scale) / scale, number(value()))


def rounded(value, digits):
    return float(Decimal(number(value())).quantize(Decimal(1).scaleb(-int(number(digits()))), ROUND_HALF_UP))


def worked_out(every):
    """Every value, also behind the one that decides: a spreadsheet computes them all."""
    return [bool(one()) for one in every]


FUNCTIONS = {
    "IF": lambda test, yes, no: yes() if test() else no(),
    "AND": lambda *every: all(worked_out(every)),
    "OR": lambda *every: any(worked_out(every)),
    "NOT": lambda one: not one(),
    "ISBLANK": lambda one: one() is BLANK,
    "ISNUMBER": lambda one: isinstance(one(), int | float) and not isinstance(one(), bool),
    "ROUND": rounded,
    "ROUNDUP": rounded_up,
    "ROUNDDOWN": rounded_down,
    "POWER": lambda base, exponent: number(base()) ** number(exponent()),
    "MAX": lambda *every: max(number(one()) for one in every),
}
