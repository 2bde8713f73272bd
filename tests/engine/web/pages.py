"""What tests of pages share: a page taken apart."""

import base64
import json
import re
import zlib
from html.parser import HTMLParser
from typing import Any
from xml.etree import ElementTree

VOID = {"meta", "br", "input", "img"}


def unpacked(page: str) -> dict[str, Any]:
    """The run that a page holds."""
    packed = re.search(r'<script type="text/plain" id="run">([^<]*)</script>', page)
    assert packed is not None
    found: dict[str, Any] = json.loads(zlib.decompress(base64.b64decode(packed[1])))
    return found


class Balanced(HTMLParser):
    """Reads a page and remembers what is not closed, or closed without having been opened."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.faults: list[str] = []

    def handle_starttag(self, tag: str, attrs: Any) -> None:
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: Any) -> None:
        """<br/>: nothing stays open."""

    def handle_endtag(self, tag: str) -> None:
        if not self.open or self.open.pop() != tag:
            self.faults.append(f"</{tag}> at {self.getpos()}")


def as_xml(fragment: str) -> ElementTree.Element:
    """A piece of HTML read as XML, which is stricter: what parses here parses in every browser."""
    return ElementTree.fromstring(f"<x>{fragment}</x>")


def check(page: str) -> dict[str, Any]:
    """What holds of every page; the run that it holds."""
    reader = Balanced()
    reader.feed(page)
    reader.close()
    assert (reader.faults, reader.open) == ([], [])
    assert not re.search(r"https?:", page)
    run = unpacked(page)
    parts = run["parts"]
    assert len(set(parts)) == len(parts)
    wrong = [
        part
        for part in parts
        if re.search(r"\bnan\b|\binf\b|\bNone\b", re.sub(r">[^<]*<", "><", f">{part}<"))
    ]
    assert wrong == []
    assert not [
        part
        for part in parts
        if re.search(r"https?:", part) or "<script" in part or re.search(r"\son\w+=", part)
    ]
    seen: set[tuple[int, ...]] = set()
    for lane in run["lanes"]:
        for step in lane["steps"]:
            texts = [[step["t"]], [step["n"]], *([k] for k in step["f"])]
            for view in [*step["v"], *step.get("c", []), *texts]:
                if tuple(view) not in seen:
                    seen.add(tuple(view))
                    as_xml("".join(parts[k] for k in view))
            assert step["w"] or not any(step["v"])
    return run
