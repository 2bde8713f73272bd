"""The items of the reference cards of the five texts, each with the places of the text that it
names, in cards.txt.

The cards stay with those who build the lab; `python -m tests.engine.files.cards FOLDER` reads them
there and writes the list again.
"""

import re
import sys
from collections.abc import Iterator
from pathlib import Path

LISTED = Path(__file__).with_name("cards.txt")
CARDS = {"aima": "AIMA", "mit": "MIT", "mitchell": "ML", "mmds": "MMDS", "slides": "LS"}
FILES = {
    "aima": "aima-18.md",
    "mit": "mit-6034-2.md",
    "mitchell": "mitchell-6-8.md",
    "mmds": "mmds-12.md",
    "slides": "slides.md",
}
ID = r"[A-F](?:-x)?\d+(?:\.\d+)?[a-d]?"
KINDS = {
    "fig": "Fig",
    "figs": "Fig",
    "ex": "Ex",
    "exercise": "Exercise",
    "example": "Ex",
    "table": "Table",
}
PLACE = re.compile(
    r"(?P<not>Eqs?|Thms?) [\d.]+(?:(?:, |–)\d+\.\d+(?![.\d]))*|"
    r"(?:(?P<kind>Figs?|Ex|Exercise|Example|Table)\s+)?(?P<low>\d+(?:\.\d+)+)(?:[–-](?P<high>[\d.]*\d))?(?P<part>\([a-d](?:, [a-d])*\))?",
    re.IGNORECASE,
)
# Of items that name neither a place nor an item that does: where the text speaks of it.
HAND = {
    "aima": {
        "A44": "18.6.4", "B15": "18.8.1", "B22": "18.3.6, 18.8.1, 18.2, 18.4.2", "B23": "18.10, 18.6.3, 18.4.1, 18.8.1",
        "D103": "18.3.4", "E11": "18.3.4", "E12": "18.3.3", "E13": "18.3.3", "E14": "18.3.3", "E15": "18.3.5", "E16": "18.3.5",
        "E17": "18.3.6", "E18": "18.3.6", "E19": "18.2", "E20": "18.4.3", "E21": "18.4.2", "E22": "18.5", "E23": "18.5.1",
        "E25": "18.6.1", "E26": "18.6.1", "E27": "18.6.2", "E28": "18.6.3", "E29": "18.6.3", "E30": "18.6.3, 18.6.4", "E31": "18.6.3",
        "E32": "18.7.2", "E33": "18.7.3", "E34": "18.7.4", "E35": "18.8.1", "E36": "18.8.1", "E37": "18.8.2", "E38": "18.8.1",
        "E39": "18.8.3", "E40": "18.8.4", "E41": "18.9", "E42": "18.9", "E43": "18.10", "E44": "18.10.1", "E45": "18.11.1",
        "F64": "18.6.3", "A27": "18.3.4", "A95": "18.11", "A93": "18.11.2", "A94": "18.11.2", "E24": "18.6.1",
        **dict.fromkeys(("A84", "A85", "A86", "A87", "A88", "A89", "A90", "A91", "A92"), "18.11.1"),
    },
    "mit": {
        "A33": "2.1.9, 2.1.10, 2.1.12, 2.2.3, 2.3.13", "B05": "2.1.25-2.1.31, 2.3.27-2.3.32", "B06": "2.2.13-2.2.27",
        "B07": "2.2.28-2.2.43", "B08": "2.4.28-2.4.35", "B09": "2.4.37, 2.5.23", "B10": "2.5.3-2.5.19", "B16": "2.4.3, 2.1.36-2.1.39, 2.4.7",
        "B17": "2.1.8, 2.1.9, 2.1.4, 2.3.36-2.3.38", "B18": "2.2.18, 2.2.35, 2.4.37", "E05": "2.1.23", "E18": "2.3.5", "E19": "2.3.7", "E20": "2.3.8", "E22": "2.3.22", "E23": "2.3.21",
        "E24": "2.3.33", "E25": "2.3.36", "E27": "2.4.8", "E28": "2.4.16", "E30": "2.4.19", "E33": "2.4.36", "E35": "2.4.22",
        "E14": "2.2.41", "E15": "2.2.38", "E29": "2.4.13", "E36": "2.4.43", "E39": "2.5.24", "E40": "2.5.24", "E42": "2.5.29",
    },
    "mitchell": {
        "A39": "8.2", "A41": "8.2.1", "A50": "8.3.1", "B2": "7.4.1", "B3": "7.4.1", "B4": "Fig 7.4", "B5": "Fig 8.1", "B6": "Fig 8.1",
        "B7": "Fig 7.1", "B8": "7.3.2", "B12": "Ex 7.8", "B13": "7.5.2", "B18": "6.11.6", "B19": "6.12.1", "B20": "7.5.4", "C11": "7.4.3", "C12": "7.3", "C13": "Ex 7.6", "C14": "7.5.2",
        "C15": "7.5.4", "C16": "6.12.1", "C17": "6.12.1", "C18": "8.2.2", "C19": "8.3.1", "C20": "8.2.1", "C21": "8.2.2", "C22": "8.4",
        "F2": "6.12.1", "F3": "6.12.1", "F4": "6.12.1", "F5": "6.12.1", "F10": "7.2.2", "F11": "7.2.2", "F12": "7.3", "F13": "7.3, 7.3.1",
        "F15": "7.3.3.2", "F16": "7.4.1", "F17": "7.4.2", "F18": "7.4.4", "F20": "7.5.1", "F21": "7.5.2", "F22": "7.5.3", "F23": "7.5.4",
        "F24": "7.5.4", "F25": "7.5.4", "F27": "Fig 8.1", "F28": "Fig 8.1", "F31": "8.2.1", "F32": "8.2.2", "F34": "8.2.2",
        "F35": "8.2.2", "F38": "8.3.1", "F40": "8.3.1", "F41": "8.4", "A53": "8.2.3", "A10": "6.13",
    },
    "mmds": {
        "B02": "Fig 12.8", "B03": "Exercise 12.2.1", "B04": "Ex 12.2", "B05": "Ex 12.8", "B06": "Exercise 12.4.2", "B07": "Fig 12.18",
        "B08": "Exercise 12.2.2", "B09": "Exercise 12.2.3", "B10": "Exercise 12.3.2", "B11": "Exercise 12.3.3", "B12": "Ex 12.12",
        "B13": "Exercise 12.4.3", "B16": "Figs 12.5, 12.11, 12.12, 12.13, 12.14, 12.16", "B21": "Ex 12.10", "F04": "12.2.1", "E3": "Exercise 12.2.1", "E4": "Exercise 12.2.1",
    },
    "slides": {
        "A71": "Learning agents", "B18": "Decision trees", "B19": "Inductive learning method", "C50": "Learning agents", "C51": "Inductive learning method", "C53": "Decision trees", "C55": "Decision tree learning",
        "C54": "Information", "C56": "Performance measurement", "C57": "Performance measurement", "C58": "Linear regression", "C59": "Linear classifiers", "C60": "Linear classifiers", "C61": "Linear classifiers", "C62": "Neural networks", "C63": "Ensemble learning", "D62": "Attribute-based representations", "D57": "Hypothesis spaces", "F39": "Linear classifiers",
        "F40": "Decision tree learning", "F41": "Ensemble learning", "F42": "Performance measurement", "F43": "Performance measurement",
        "E50": "Information", "E51": "Attribute-based representations", "E52": "Decision trees", "E53": "Hypothesis spaces",
        "E54": "Linear regression", "E55": "Validation", "C52": "Decision trees", "A67": "Linear classifiers",
    },
}  # fmt: skip


def items(card: str, text: str) -> Iterator[tuple[str, str, str]]:
    """(id, the part that names places, all of its line) of every item of a card."""
    in_section = False
    for line in text.splitlines():
        in_section = "Activities" in line if line.startswith("# ") else in_section
        if line.startswith("### "):
            yield from headed(line[4:])
        elif found := re.match(rf"\| ({ID}(?:, {ID})*)(?: \((.*?)\))? \|(.*)\|$", line):
            cells = [cell.strip() for cell in found[3].split(" | ")]
            for name in found[1].split(", "):
                yield name, found[2] or named_in(card, name, cells), line
        elif card == "mit" and in_section and (found := re.match(r"(\d+)\. (.*)", line)):
            yield f"E{int(found[1]):02}", "", found[2]
        elif card == "mmds":
            yield from ((name, "", "") for name in re.findall(r"\*\*(B\d+)\*\*", line))


def named_in(card: str, name: str, cells: list[str]) -> str:
    """Of a row of a table: pictures and numbers stand beside their place, claims name it in
    brackets, some are called so.
    """
    if found := re.match(r"(C12|E6|E7|E8)\.\d+$", name):
        return f"{'Fig' if found[1] == 'C12' else 'Ex'} {name[1:]}"
    if name[0] in "CD":
        return (
            f"Fig {cells[0]}"
            if card == "aima" and re.match(r"[\d.]+$", cells[0]) and name[0] == "C"
            else cells[0]
        )
    if name[0] in "FB":
        return "; ".join(re.findall(r"\(([^()]*)\)", cells[0]))
    return cells[0] if name[0] == "E" else ""


def headed(line: str) -> Iterator[tuple[str, str, str]]:
    """Of a heading: 'A14 Perceptron — 12.2.1', 'A26 … — Ex 7.1 · A27 …', 'B06–B10 …'."""
    if span := re.match(r"B(\d+)(?:–|, )B(\d+)", line):
        yield from ((f"B{n:02}", "", line) for n in range(int(span[1]), int(span[2]) + 1))
        return
    names = re.findall(rf"(?:^|· |, )({ID})(?= )", line)
    for part in line.split(" · "):
        for name in [n for n in names if re.search(rf"\b{re.escape(n)} ", part)]:
            yield name, part.partition("—")[2] or part.partition(name)[2], part


def places(card: str, words: str) -> list[str]:
    """The places that a text names, as sources name them."""
    text = CARDS[card]
    if card == "slides":
        return [
            f"LS, {each.strip().removeprefix('after ')}"
            for each in words.split(",")
            if each.strip()
        ]
    found = []
    kind = ""
    for each in PLACE.finditer(words):
        if each["not"]:
            kind = ""
            continue
        low = each["low"]
        high = each["high"] or ""
        if (
            low.split(".")[0]
            not in {"aima": ["18"], "mit": ["2"], "mitchell": ["6", "7", "8"], "mmds": ["12"]}[card]
        ):
            continue
        between = words[: each.start()].rstrip()
        kind = (
            KINDS[each["kind"].lower()]
            if each["kind"]
            else kind
            if between.endswith((",", "and")) and low.count(".") == 1
            else ""
        )
        if high and "." not in high:
            high = ".".join([*low.split(".")[:-1], high])
        part = each["part"] if each["part"] and len(each["part"]) == 3 else ""
        found.append(f"{text} {kind} {low}{'-' + high if high else ''}{part}".replace("  ", " "))
    return list(dict.fromkeys(found))


def read(folder: Path) -> dict[str, list[str]]:
    """Every item with its places."""
    texts = {card: (folder / name).read_text("utf-8") for card, name in FILES.items()}
    direct: dict[str, list[str]] = {}
    said: dict[str, str] = {}
    for card, text in texts.items():
        for name, words, line in items(card, text):
            key = f"{card} {name}"
            by_hand = HAND[card].get(name, "")
            said.setdefault(key, line)
            direct[key] = direct.get(key) or places(card, by_hand or words)
    return {key: found or referred(key, said, direct) for key, found in direct.items()}


def referred(key: str, said: dict[str, str], direct: dict[str, list[str]]) -> list[str]:
    """Of an item that names no place: those of the items that it speaks of."""
    card, own = key.split(" ")
    found: list[str] = []
    for other, name in re.findall(rf"(?:\b(aima|mit|mitchell|mmds) )?\b({ID})\b", said[key]):
        if name != own or other:
            found += direct.get(f"{other or card} {name}", [])
    return list(dict.fromkeys(found))


def listed() -> dict[str, list[str]]:
    """What cards.txt says."""
    rows = (line.split(" | ") for line in LISTED.read_text("utf-8").splitlines())
    return {key: places.split("; ") if places else [] for key, places in rows}


if __name__ == "__main__":
    found = read(Path(sys.argv[1]))
    LISTED.write_text(
        "".join(f"{key} | {'; '.join(where)}\n" for key, where in found.items()), "utf-8"
    )
