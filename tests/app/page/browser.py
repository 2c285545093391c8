"""A headless Chromium, driven by its remote protocol over a plain websocket."""

import base64
import json
import os
import pathlib
import shutil
import socket
import struct
import subprocess
import tempfile
import time
import urllib.request

NAMES = ("chromium", "chromium-browser", "google-chrome")


def installed():
    """The program, or None."""
    return next(filter(None, map(shutil.which, NAMES)), None)


class Browser:
    """One page. Use it as a context manager."""

    def __init__(self, width=1280, height=800):
        self.folder = tempfile.mkdtemp(prefix="flipscope-browser-")
        self.process = subprocess.Popen(
            [installed(), "--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--no-first-run",
             "--disable-dev-shm-usage", "--remote-debugging-port=0", f"--window-size={width},{height}",
             f"--user-data-dir={self.folder}", "about:blank"],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        port = self._port()
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/json") as answer:
            page = next(one for one in json.load(answer) if one["type"] == "page")
        self.requests, self.errors, self._id = [], [], 0
        self._connect(port, page["webSocketDebuggerUrl"].split(str(port), 1)[1])
        for domain in ("Page", "Runtime", "Network"):
            self.call(domain + ".enable")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.socket.close()
        self.process.terminate()
        self.process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)

    def _port(self, seconds=60):
        file = pathlib.Path(self.folder, "DevToolsActivePort")
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if file.exists() and file.read_text().strip():
                return int(file.read_text().split()[0])
            time.sleep(0.1)
        raise RuntimeError("chromium did not start")

    def _connect(self, port, path):
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=120)
        key = base64.b64encode(os.urandom(16)).decode()
        self.socket.sendall(
            f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            f"Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n\r\n".encode())
        self.stream = self.socket.makefile("rb")
        while self.stream.readline().strip():
            pass

    def _send(self, text):
        data, mask = text.encode(), os.urandom(4)
        size = len(data)
        head = bytes([0x81])
        if size < 126:
            head += bytes([0x80 | size])
        elif size < 1 << 16:
            head += bytes([0x80 | 126]) + struct.pack(">H", size)
        else:
            head += bytes([0x80 | 127]) + struct.pack(">Q", size)
        keys = mask * (size // 4 + 1)
        masked = (int.from_bytes(data, "big") ^ int.from_bytes(keys[:size], "big")).to_bytes(size, "big")
        self.socket.sendall(head + mask + masked)

    def _receive(self):
        text = b""
        while True:
            first, second = self.stream.read(2)
            size = second & 127
            if size == 126:
                size = struct.unpack(">H", self.stream.read(2))[0]
            elif size == 127:
                size = struct.unpack(">Q", self.stream.read(8))[0]
            text += self.stream.read(size)
            if first & 0x80:
                return json.loads(text)

    def call(self, method, **parameters):
        self._id += 1
        self._send(json.dumps({"id": self._id, "method": method, "params": parameters}))
        while True:
            said = self._receive()
            if said.get("id") == self._id:
                if "error" in said:
                    raise RuntimeError(f"{method}: {said['error']}")
                return said["result"]
            if said.get("method") == "Network.requestWillBeSent":
                self.requests.append(said["params"]["request"]["url"])
            if said.get("method") == "Runtime.exceptionThrown":
                self.errors.append(json.dumps(said["params"]["exceptionDetails"])[:2000])

    def evaluate(self, script):
        """The value of an expression; a promise is awaited."""
        result = self.call("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in result:
            raise RuntimeError(f"{script[:200]}: {json.dumps(result['exceptionDetails'])[:1000]}")
        return result["result"].get("value")

    def wait_for(self, condition, seconds=60):
        end = time.monotonic() + seconds
        while not self.evaluate(condition):
            if time.monotonic() > end:
                raise RuntimeError(f"{condition} did not come true in time; errors: {self.errors}")
            time.sleep(0.05)

    def open(self, file):
        self.call("Page.navigate", url=pathlib.Path(file).resolve().as_uri())
        self.wait_for("document.readyState === 'complete' && window.app !== undefined")

    def asked(self):
        """The addresses that pages have requested from anywhere."""
        return [url for url in self.requests if not url.startswith(("file:", "data:", "blob:"))]

    def size(self, width, height, phone=False):
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height,
                  deviceScaleFactor=2 if phone else 1, mobile=phone)
        self.call("Emulation.setTouchEmulationEnabled", enabled=phone)

    def dark(self, dark):
        self.call("Emulation.setEmulatedMedia",
                  features=[{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}])

    def path(self, places, modifiers=0):
        """A drag along places."""
        kinds = ["mousePressed", *["mouseMoved"] * (len(places) - 1), "mouseReleased"]
        for kind, (x, y) in zip(kinds, [*places, places[-1]]):
            self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1, modifiers=modifiers)

    def press(self, key):
        for kind in ("keyDown", "keyUp"):
            self.call("Input.dispatchKeyEvent", type=kind, key=key, code=key, text=" " if key == " " else "")

    def click(self, x, y, modifiers=0):
        for kind in ("mousePressed", "mouseReleased"):
            self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1, modifiers=modifiers)

    def drag(self, x, y, dx, dy, modifiers=0):
        self.path([(x + dx * part, y + dy * part) for part in (0, 0.2, 0.5, 0.8, 1)], modifiers)

    def swipe(self, x, y, dx):
        self.call("Input.dispatchTouchEvent", type="touchStart", touchPoints=[{"x": x, "y": y}])
        for part in range(1, 6):
            self.call("Input.dispatchTouchEvent", type="touchMove", touchPoints=[{"x": x + dx * part / 5, "y": y}])
        self.call("Input.dispatchTouchEvent", type="touchEnd", touchPoints=[])

    def screenshot(self, file):
        pathlib.Path(file).write_bytes(base64.b64decode(self.call("Page.captureScreenshot")["data"]))

    def pdf(self):
        return base64.b64decode(self.call("Page.printToPDF", printBackground=True)["data"])
