"""Many rows in few bytes, for test/task/rows/golden/rows: test/task/rows/packed-rows.ts reads them back.

A list of rows may stand as {"rows": n or picked, "columns": {name: rule}}. A rule gives the value of row i: {"text": "t%"} is t<i>, {"cycle": [a, b, c]} goes
round, {"list": [...]} has one value a row. "picked" is base64 of 16-bit numbers (little-endian): the i of every row, where they are not 0, 1, 2, …;
lists then still have one value a row.
"""

import base64
import re
import struct

NUMBERED = re.compile(r"^(.*?)(\d+)$")


def made(rows, **columns):
    """Rows of a rule a column: a text with % in it, a list that goes round, or a function of the row's number."""

    def value(rule, i):
        if callable(rule):
            return rule(i)
        return rule.replace("%", str(i)) if isinstance(rule, str) else rule[i % len(rule)]

    return [{name: value(rule, i) for name, rule in columns.items()} for i in range(rows)]


def packed(rows, least=40):
    """The rows as they are, when they are few or differ in their columns."""
    if len(rows) < least or any(list(row) != list(rows[0]) for row in rows):
        return rows
    numbers = numbers_of(rows)
    columns = {name: rule([row[name] for row in rows], numbers) for name in rows[0]}
    picked = numbers if numbers == list(range(len(rows))) else base64.b64encode(struct.pack(f"<{len(numbers)}H", *numbers)).decode()
    return {"rows": len(rows) if isinstance(picked, list) else picked, "columns": columns}


def numbers_of(rows):
    """The numbers at the end of some column's texts, else 0, 1, 2, …"""
    for name in rows[0]:
        found = [NUMBERED.match(row[name]) if isinstance(row[name], str) else None for row in rows]
        if all(found) and len({match[1] for match in found}) == 1:
            numbers = [int(match[2]) for match in found]
            if max(numbers) < 65536 and all(f"{match[1]}{number}" == match[0] for match, number in zip(found, numbers, strict=True)):
                return numbers
    return list(range(len(rows)))


def rule(values, numbers):
    first = values[0]
    if isinstance(first, str) and (match := NUMBERED.match(first)):
        if all(value == f"{match[1]}{number}" for value, number in zip(values, numbers, strict=True)):
            return {"text": f"{match[1]}%"}
    for length in range(1, min(64, len(values) // 2)):
        cycle = {}
        if all(same(cycle.setdefault(number % length, value), value) for value, number in zip(values, numbers, strict=True)):
            return {"cycle": [cycle.get(i) for i in range(length)]}
    return {"list": values}


def same(one, other):
    return type(one) is type(other) and one == other


def unpacked(rows):
    """What packed made of rows, as rows."""
    if isinstance(rows, list):
        return rows
    count, columns = rows["rows"], rows["columns"]
    data = b"" if isinstance(count, int) else base64.b64decode(count)
    numbers = list(range(count)) if isinstance(count, int) else list(struct.unpack(f"<{len(data) // 2}H", data))

    def value(rule, at, number):
        if "text" in rule:
            return rule["text"].replace("%", str(number))
        return rule["cycle"][number % len(rule["cycle"])] if "cycle" in rule else rule["list"][at]

    return [{name: value(rule, at, number) for name, rule in columns.items()} for at, number in enumerate(numbers)]
