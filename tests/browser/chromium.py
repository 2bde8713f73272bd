"""A real browser for tests: Debian's Chromium, driven over a pipe by its DevTools protocol."""

import base64
import json
import os
import select
import shutil
import subprocess
import time
from pathlib import Path
from types import TracebackType
from typing import Any

NAMES = ("chromium", "chromium-browser", "google-chrome")
PATIENCE = 120.0  # seconds for an answer, on a machine where much else is done
KEYS = {
    "ArrowLeft": 37, "ArrowRight": 39, "Home": 36, "End": 35, "PageUp": 33, "PageDown": 34, " ": 32,
    "Escape": 27, "Enter": 13,
}  # fmt: skip


def program() -> str:
    """Where the browser is.

    Raises AssertionError where there is none: these tests are no tests without it.
    """
    found = next((place for name in NAMES if (place := shutil.which(name))), None)
    assert found is not None, "These tests need Chromium: apt-get install chromium"
    return found


class Browser:
    """One page in a headless browser. requests: the addresses that it requested."""

    def __init__(self, folder: Path, scripts: bool = True) -> None:
        self.requests: list[str] = []
        self.faults: list[str] = []
        self.loads = 0
        self._number, self._waiting, self._buffer = 0, {}, b""  # type: ignore[var-annotated]
        ours, theirs = os.pipe(), os.pipe()
        command = [
            program(),
            "--headless=new",
            "--no-sandbox",
            "--disable-gpu",
            "--hide-scrollbars",
            "--remote-debugging-pipe",
            "--no-first-run",
            "--disable-background-networking",
            "--disable-component-update",
            f"--user-data-dir={folder}",
        ]
        shell = f'exec "$0" "$@" 3<&{ours[0]} 4>&{theirs[1]}'
        self._process = subprocess.Popen(
            ["bash", "-c", shell, *command, "about:blank"],
            pass_fds=(ours[0], theirs[1]),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        os.close(ours[0])
        os.close(theirs[1])
        self._write = ours[1]
        self._read = theirs[0]
        self._session = ""
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self._session = self.call("Target.attachToTarget", targetId=target, flatten=True)[
            "sessionId"
        ]
        for domain in ("Page", "Runtime", "Network", "Log"):
            self.call(f"{domain}.enable")
        if not scripts:
            self.call("Emulation.setScriptExecutionDisabled", value=True)

    def __enter__(self) -> "Browser":
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        fault: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._process.terminate()
        self._process.wait(PATIENCE)
        os.close(self._write)
        os.close(self._read)

    # -- protocol ----------------------------------------------------------------------------------

    def call(self, method: str, **params: Any) -> dict[str, Any]:
        """One command and its answer; what comes meanwhile is remembered."""
        self._number += 1
        message: dict[str, Any] = {"id": self._number, "method": method, "params": params}
        if self._session:
            message["sessionId"] = self._session
        os.write(self._write, json.dumps(message).encode() + b"\0")
        while True:
            reply = self._next()
            if reply.get("id") == self._number:
                assert "error" not in reply, reply
                found: dict[str, Any] = reply["result"]
                return found

    def _next(self) -> dict[str, Any]:
        end = time.monotonic() + PATIENCE
        while b"\0" not in self._buffer:
            ready, _, _ = select.select([self._read], [], [], max(0.0, end - time.monotonic()))
            assert ready, "the browser does not answer"
            part = os.read(self._read, 1 << 16)
            assert part, "the browser has ended"
            self._buffer += part
        line, _, self._buffer = self._buffer.partition(b"\0")
        message: dict[str, Any] = json.loads(line)
        if message.get("method") == "Network.requestWillBeSent":
            self.requests.append(message["params"]["request"]["url"])
        elif message.get("method") == "Page.loadEventFired":
            self.loads += 1
        elif message.get("method") == "Runtime.exceptionThrown":
            self.faults.append(json.dumps(message["params"]["exceptionDetails"])[:500])
        return message

    # -- hands and eyes ----------------------------------------------------------------------------

    def open(self, address: str, ready: str = "document.body?.dataset.ready === 'yes'") -> None:
        """Go there and wait until `ready` holds."""
        self.call("Page.navigate", url=address)
        self.wait(ready)

    def visit(self, address: str) -> None:
        """Go there and wait until all of it is there, whether or not scripts run."""
        before = self.loads
        self.call("Page.navigate", url=address)
        while self.loads == before:
            self._next()

    def run(self, script: str) -> Any:
        """The value of an expression in the page."""
        reply = self.call(
            "Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True
        )
        assert "exceptionDetails" not in reply, reply
        return reply["result"].get("value")

    def wait(self, condition: str) -> None:
        end = time.monotonic() + PATIENCE
        while not self.run(condition):
            assert time.monotonic() < end, condition
            time.sleep(0.02)

    def text(self, selector: str) -> str:
        """The text of the first element that is meant."""
        found: str = self.run(f"document.querySelector({json.dumps(selector)}).innerText")
        return found

    def key(self, name: str) -> None:
        """Press and let go of a key."""
        text = {"text": name} if len(name) == 1 else {"text": "\r"} if name == "Enter" else {}
        code = KEYS.get(name, ord(name.upper()) if len(name) == 1 else 0)
        for kind in ("keyDown", "keyUp"):
            more = text if kind == "keyDown" else {}
            self.call(
                "Input.dispatchKeyEvent", type=kind, key=name, windowsVirtualKeyCode=code, **more
            )

    def write(self, text: str) -> None:
        self.call("Input.insertText", text=text)

    def size(self, wide: int, high: int, mobile: bool = False) -> None:
        self.call(
            "Emulation.setDeviceMetricsOverride",
            width=wide,
            height=high,
            deviceScaleFactor=1,
            mobile=mobile,
        )

    def media(self, media: str = "", **features: str) -> None:
        """Of paper, or with features as prefers_color_scheme='dark'."""
        named = [
            {"name": name.replace("_", "-"), "value": value} for name, value in features.items()
        ]
        self.call("Emulation.setEmulatedMedia", media=media, features=named)

    def picture(self, path: Path) -> None:
        path.write_bytes(base64.b64decode(self.call("Page.captureScreenshot")["data"]))
