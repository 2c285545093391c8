#!/usr/bin/env python3
"""Gives the real program files that are broken, lie, or are no files at all, and looks at how it answers.

    tests/fuzz/hostile_files.py build/app/flipscope                 all of them, some minutes
    tests/fuzz/hostile_files.py build/app/flipscope --take 400      400 of them, spread evenly

The files are made from the corpus (tests/fuzz/corpus); the same ones every time. Those that cannot be read, by their
making, must be answered with status 2, nothing on stdout and one printable sentence on stderr that names the file, and
the line where one was broken. Others may still be good files, and be answered with status 0 as well. In any case: no
more than 20 seconds and 2 GB, and files that the run would have written stay what they were, unless it succeeds. Ends
with status 1 if anything is answered otherwise; what was is kept in a folder that is named. Files cut short and with
bits flipped are fuzz_driver.cpp's.

Needs nothing but Python's standard library. --sanitized: the program was built with a sanitizer, whose shadow memory
is no part of the 2 GB."""

import argparse
import collections
import concurrent.futures
import os
import pathlib
import re
import resource
import shutil
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import threading
import time
import unicodedata
import zlib

HERE = pathlib.Path(__file__).resolve().parent
CORPUS = HERE / "corpus"
MOST_BYTES = 2 << 30
PATH_MAX = 4096  # bytes of a name

POINTS, MESH, FIELD, TRACKS, SCENARIO = "points", "mesh", "field", "tracks", "scenario"
ARGUMENTS = {
    POINTS: ["run", "build", "--steps", "0", "--export", "mesh.ply", "--input"],
    MESH: ["run", "flip", "--steps", "0", "--export", "mesh.ply", "--input"],
    FIELD: ["run", "voronoi", "--steps", "0", "--export", "colours.npy", "--set", "count=9", "--set", "image_size=off",
            "--field"],
    TRACKS: ["run", "events", "--steps", "0", "--export", "events.csv", "--tracks"],
    SCENARIO: ["run"],
}
OUTPUTS = ["mesh.ply", "colours.npy", "events.csv", "report.json", "picture.png"]
BEFORE = b"what was here before\n"


class Case:
    """One run. `make(folder)` puts the file there and returns its path as it is named on the command line; `bad`: it
    cannot be read, and must be refused; `says`: what the sentence must have in it, as regular expressions."""

    def __init__(self, name, use, make, bad, says=(), named=None, picture=None, as_user=False):
        self.name, self.use, self.make, self.bad, self.says = name, use, make, bad, list(says)
        self.named, self.as_user = named, as_user
        self.picture = bad if picture is None else picture  # drawing takes a while, and OpenGL


CASES = []


def add(name, use, extension, data, bad, says=(), beside=(), named=None):
    """A file `hostile` + extension with these bytes; `beside`: more files, as (name, bytes)."""
    if isinstance(data, str):
        data = data.encode()

    def make(folder):
        for other, content in beside:
            (folder / other).write_bytes(content)
        (folder / ("hostile" + extension)).write_bytes(data)
        return folder / ("hostile" + extension)

    CASES.append(Case(name, use, make, bad, says, named))


def corpus(reader, name):
    return (CORPUS / reader / name).read_bytes()


# What the files are made from

# A good file of text. `numbers`: a line (from 0) that has coordinates, and the column of the first of them.
Seed = collections.namedtuple("Seed", "name use extension data numbers")


def seeds():
    ply = corpus("ply", "ascii")
    msh = corpus("msh", "version-2")
    msh = msh[:msh.index(b"$NodeData")]
    return [
        Seed("xy/blanks", POINTS, ".xy", corpus("xy", "blanks"), (2, 0)),
        Seed("txt/plain", POINTS, ".txt", b"0 0\n1 0\n0 1\n1 1\n", (1, 0)),
        Seed("csv/plain", POINTS, ".csv", b"x,y\n0,0\n1,0\n0,1\n1,1\n", (1, 0)),
        Seed("tsv/tabs", POINTS, ".tsv", b"x\ty\n0\t0\n1\t0\n0\t1\n", (1, 0)),
        Seed("node/from0", POINTS, ".node", corpus("node", "from0"), (1, 1)),
        Seed("ply/ascii", MESH, ".ply", ply, (ply[:ply.index(b"end_header")].count(b"\n") + 1, 0)),
        Seed("obj/tetrahedron", MESH, ".obj", corpus("obj", "tetrahedron"), (2, 1)),
        Seed("off/plain", MESH, ".off", corpus("off", "plain"), (2, 0)),
        Seed("stl/text", MESH, ".stl", corpus("stl", "text"), (3, 1)),
        Seed("poly/hole", POINTS, ".poly", corpus("poly", "from0"), (1, 1)),
        Seed("msh/text", MESH, ".msh", msh, (msh[:msh.index(b"$Nodes")].count(b"\n") + 2, 1)),
        Seed("vtk/text", MESH, ".vtk", corpus("vtk", "strips"), (5, 0)),
        Seed("tracks/lammps", TRACKS, ".lammpstrj", corpus("lammpstrj", "scaled"), (20, 2)),
        Seed("tracks/plain", TRACKS, ".csv", corpus("tracks_csv", "header"), (1, 2)),
        Seed("tracks/xyz", TRACKS, ".xyz", corpus("tracks_xyz", "extended"), (2, 1)),
    ]


# A broken line in a file of lines: the sentence must name it. tests/io has what else a number may be.

def broken_lines(seed):
    first, column = seed.numbers
    lines = seed.data.split(b"\n")
    separator = b"," if b"," in lines[first] else b"\t" if b"\t" in lines[first] else b" "
    words = lines[first].split(separator)
    lead = [i for i, word in enumerate(words) if word][column:]  # indentation is no column
    # STL repeats its vertices: they are placed by a facet. An error about missing
    # rows of a .node names the line of its count.
    place = {".stl": r":\d+: ", ".node": rf":(1|{first + 1}): "}.get(seed.extension, rf":{first + 1}: ")

    def with_line(name, line, bad=True):
        changed = list(lines)
        changed[first] = line
        add(f"{seed.name} line {first + 1}: {name}", seed.use, seed.extension, b"\n".join(changed), bad,
            [place] if bad else ())

    def with_word(name, place, word):
        with_line(name, separator.join(words[:place] + [word] + words[place + 1:]))

    with_word("a word", lead[0], b"one")
    with_word("an escape sequence", lead[1], b"7\x1b[2J")
    with_word("half of UTF-8", lead[1], b"7\xc0\x80")
    with_line("one number", separator.join(words[:lead[1]]), True)
    statement = seed.extension == ".obj"  # letters are one that is not known, and passed over
    with_line("a megabyte of letters", b"a" * 1000000, not statement)
    with_line("a megabyte of digits", b"1" * 1000000)
    with_line("a megabyte of columns", separator.join([b"q"] * 500000), not statement)
    with_line("a megabyte of quotes", b'"' * 1000000)


# Lies in headers of PNG, whose checksums no mutation keeps; those about sizes are tested in test_image_formats.cpp,
# those of meshes, arrays and tables with their readers in tests/io

def lies():
    def add_png(name, at, values):
        data = bytearray(corpus("png", "grey8"))
        data[at:at + len(values)] = bytes(values)
        data[29:33] = struct.pack(">I", zlib.crc32(bytes(data[12:29])))
        add(f"png {name}", FIELD, ".png", bytes(data), True)

    for depth, colour in ((0, 0), (3, 0), (16, 3), (8, 1), (8, 7), (1, 2), (255, 255)):
        add_png(f"of depth {depth}, colour type {colour}", 24, (depth, colour))
    for at, value in ((26, 1), (27, 1), (28, 2)):
        add_png(f"with byte {at} = {value}", at, (value,))


def npy(descr, shape, data, order="False"):
    header = f"{{'descr': '{descr}', 'fortran_order': {order}, 'shape': {shape}, }}".encode()
    header += b" " * (-(10 + len(header) + 1) % 64) + b"\n"
    return b"\x93NUMPY\1\0" + struct.pack("<H", len(header)) + header + data


# The content of one format under the name of another

def under_other_names():
    contents = {
        "points": b"0 0\n1 0\n0 1\n", "node": corpus("node", "from0"), "npy": corpus("npy", "f8"),
        "npy field": corpus("field", "f4"), "npy tracks": corpus("tracks_npy", "two"), "ply": corpus("ply", "ascii"),
        "binary ply": corpus("ply", "binary_little_endian"), "obj": corpus("obj", "tetrahedron"),
        "off": corpus("off", "plain"), "stl": corpus("stl", "text"), "binary stl": corpus("stl", "binary"),
        "ele": b"1 3 0\n0 0 1 2\n", "png": corpus("png", "grey8"), "jpg": corpus("jpg", "grey"),
        "pgm": corpus("pgm", "grey8"), "ppm": corpus("ppm", "rgb8"), "bmp": corpus("bmp", "rgb24"), "gif": b"GIF89a" + bytes(60),
        "tif": corpus("tif", "grey8"), "tga": corpus("tga", "rgb"), "psd": corpus("psd", "rgb"),
        "tracks": corpus("tracks_csv", "header"), "json": corpus("scenario", "all"), "pdf": b"%PDF-1.4\n\xe2\xe3\n",
        "elf": b"\x7fELF\2\1\1" + bytes(80), "zip": b"PK\3\4" + bytes(60), "gzip": b"\x1f\x8b\x08" + bytes(40),
        "shell": b"#!/bin/sh\nrm -rf /\n", "xml": b"<?xml version=\"1.0\"?>\n<a/>\n",
    }
    good = {  # what each name may well hold
        ".xy": {"points"}, ".txt": {"points", "tracks"}, ".csv": {"points", "tracks"}, ".tsv": {"points", "tracks"},
        ".node": {"node"}, ".npy": {"npy", "npy field", "npy tracks"}, ".ply": {"ply", "binary ply"}, ".obj": {"obj"},
        ".off": {"off"}, ".stl": {"stl", "binary stl"}, ".ele": {"ele"}, ".json": {"json"}, ".tga": {"tga"},
    }
    images = (".png", ".jpg", ".jpeg", ".pgm", ".ppm", ".bmp", ".tif", ".tga", ".psd")
    for extension in images:  # whatever an image is called, it is read as what it is
        good.setdefault(extension, set()).update(("png", "jpg", "pgm", "ppm", "bmp", "tif", "psd"))
    for extension, fine in good.items():
        use = (FIELD if extension in images else SCENARIO if extension == ".json" else
               MESH if extension in (".ply", ".obj", ".off", ".stl", ".ele") else POINTS)
        for content, data in contents.items():
            text_points = extension in (".xy", ".txt", ".csv", ".tsv")
            maybe = content in fine or (text_points and content in ("node", "ele", "tracks", "off", "obj"))
            maybe = maybe or content in ("npy", "npy field", "npy tracks", "ply", "binary ply")  # known by their bytes
            beside = [("hostile.node", contents["node"])] if extension == ".ele" else []
            add(f"{content} as {extension}", use, extension, data, not maybe, beside=beside)
    for extension in (".gif", ".hdr", ".pic", ".exr", ".svg", ".xyz", ".las", ".vtk", "", ".", ".ply.gz",
                      ".JPG2", ".\x1b[2J"):
        for use in (POINTS, FIELD, TRACKS):
            add(f"a name that ends in {extension!r} as {use}", use, extension, contents["png"], use != FIELD)


# Scenarios

def scenarios():
    good = '{"lab": "build", "points": "uniform:10"}'
    for key in ("lab", "points", "mesh", "input", "field", "tracks", "seed", "parameters", "play", "presenter_scale", "show",
                "hide", "unknown", "", "LAB", "\\u001b[2J", "\\u0000", "é", "a" * 5000):
        for value in ("null", "1", "-1", "1.5", "true", '""', '"nonsense"', "[]", "{}", '[["a"]]', '{"a": {"b": 1}}',
                      '"\\u001b[2J\\u0007"', '"' + "q" * 3000 + '"', "1e999", "18446744073709551616"):
            fine = {("seed", "1"), ("play", "true"), ("parameters", "{}"), ("show", "[]"), ("hide", "[]"),
                    ("presenter_scale", "1"), ("presenter_scale", "1.5")}
            text = '{"lab": "build", "points": "uniform:10", "%s": %s}' % (key, value)
            if key in ("lab", "points"):
                text = text.replace('"lab": "build", ' if key == "lab" else '"points": "uniform:10", ', "")
            add(f"json with {key[:20]!r}: {value[:20]}", SCENARIO, ".json", text, (key, value) not in fine)
    for depth in (10, 1000, 100000, 500000):
        for piece in ("[", '{"a":', '[{"lab":', '{"parameters":{"a":['):
            add(f"json of {depth} {piece}", SCENARIO, ".json", (piece * depth)[:1 << 20], True)
        add(f"json of {depth} pairs", SCENARIO, ".json", "[" * min(depth, 500000) + "]" * min(depth, 500000), True)
    for text in ("", "null", "[]", "{}", '{"lab": "build",}', good + good, "//c\n" + good, '{"a": NaN}', '{"a": "\n"}', '{"a": "\\ud800"}',
                 "\x1b[2J" + good, "\0" + good, good.replace(" ", "\u00a0"), "\ufeff\ufeff" + good):
        add(f"json {text[:40]!r}", SCENARIO, ".json", text, True)
    for text in (b'{"lab": "\xff\xfe"}', b'{"lab": "\xed\xa0\x80"}', b"\xff\xfe{\0}\0"):
        add(f"json {text!r}", SCENARIO, ".json", text, True)
    add("json of two megabytes of blanks", SCENARIO, ".json", " " * (2 << 20) + good, True)
    add("json of a megabyte of one text", SCENARIO, ".json", '{"lab": "' + "b" * 1000000 + '"}', True)
    add("json of a megabyte of keys", SCENARIO, ".json", "{" + ",".join(f'"k{i}": {i}' for i in range(60000)) + "}", True)
    for key in ("input", "field", "tracks"):
        for name in ("nothing.xy", "nothing.png", "nothing.csv", ".", "..", "/", "/dev/zero", "/dev/null", "/proc/self/mem",
                     "hostile.json", "\\u001b[2J.xy", "\\u001b[2J.png", "\\u0000", "a\\u0000b.xy", "x" * 300 + ".png",
                     "x/" * 3000 + ".csv", "\\n.csv", "é\\u009b.npy", "~/nothing.xy", "http://example.org/a.png"):
            add(f"json with {key} {name[:30]}", SCENARIO, ".json", '{"lab": "voronoi", "%s": "%s"}' % (key, name), True,
                ["hostile|/"], named="")


# What is no file

def link_loop(path):
    path.symlink_to(path.name)


def bind(path):
    with socket.socket(socket.AF_UNIX) as listener:
        here = os.open(path.parent, os.O_RDONLY)  # the path is too long for a socket's address
        try:
            listener.bind(f"/proc/self/fd/{here}/{path.name}")
        finally:
            os.close(here)


def unreadable(path):
    path.write_bytes(b"0 0\n1 0\n0 1\n")
    path.chmod(0)


NO_FILES = {
    "a missing file": lambda path: None,
    "a FIFO": lambda path: os.mkfifo(path),
    "a socket": bind,
    "a link to itself": link_loop,
    "a link to nothing": lambda path: path.symlink_to("nothing"),
    "a link to /dev/zero": lambda path: path.symlink_to("/dev/zero"),
    "a link to /proc/self/mem": lambda path: path.symlink_to("/proc/self/mem"),
    "a link to /proc/self/pagemap": lambda path: path.symlink_to("/proc/self/pagemap"),
    "a link to a FIFO": lambda path: (os.mkfifo(path.with_name("pipe")), path.symlink_to("pipe")),
    "a folder": lambda path: path.mkdir(),
    "a file without permission": unreadable,
    "a hole of 8 GB": lambda path: (path.touch(), os.truncate(path, 8 << 30)),
}


def no_files():
    names = {POINTS: (".xy", ".csv", ".node", ".npy"), MESH: (".ply", ".obj", ".off", ".stl", ".ele"),
             FIELD: (".png", ".jpg", ".pgm", ".ppm", ".bmp", ".tif", ".tga", ".psd", ".npy"), TRACKS: (".csv", ".tsv", ".npy"), SCENARIO: (".json",)}
    for use, extensions in names.items():
        for extension in extensions:
            for what, create in NO_FILES.items():
                def make(folder, create=create, extension=extension):
                    path = folder / ("hostile" + extension)
                    create(path)
                    return path
                CASES.append(Case(f"{what} as {extension} for {use}", use, make, True,
                                  as_user=what == "a file without permission"))
            for what, name in (("a path through a file", "file/hostile" + extension), ("no name", ""),
                               ("a name that is too long", "h" * 300 + extension), ("a path that is too long", "h/" * 4000 + extension),
                               ("a missing folder", "nothing/hostile" + extension), ("a name with a slash at the end", "file" + extension + "/")):
                def make(folder, name=name, extension=extension):
                    (folder / "file").write_bytes(b"")
                    (folder / ("file" + extension)).write_bytes(b"0 0\n")
                    return f"{folder}/{name}" if name else ""
                CASES.append(Case(f"{what} for {extension} for {use}", use, make, True, named=""))


def file_names():
    """Names that a terminal must not be given."""
    for odd in (b"\x1b[2J", b"\x07", b"\n", b"\r", b"\xff", b"\xc2\x9b", b"\t", b"\x7f", b"a" * 200):
        for use, extension, data in ((POINTS, b".xy", b"0 0\n1 x\n"), (MESH, b".off", b"OFF\n1"), (FIELD, b".png", b"no"),
                                     (TRACKS, b".csv", b"t,id,x,y\n1"), (SCENARIO, b".json", b"{"), (FIELD, b".npy", b"\x93NUMPY")):
            for there in (True, False):
                def make(folder, odd=odd, extension=extension, data=data, there=there):
                    path = os.fsencode(folder) + b"/hostile" + odd + extension
                    if there:
                        with open(path, "wb") as stream:
                            stream.write(data)
                    return path
                CASES.append(Case(f"a {'broken' if there else 'missing'} file called {odd[:20]!r}{extension.decode()} for {use}",
                                  use, make, True, named="hostile"))


def folders():
    """Folders of frames."""
    frame = corpus("png", "grey8")

    def add_folder(name, fill, bad=True, named="frames"):
        def make(folder):
            (folder / "frames").mkdir()
            fill(folder / "frames")
            return folder / "frames"
        CASES.append(Case(f"a folder with {name}", FIELD, make, bad, named=named))

    add_folder("nothing", lambda at: None)
    add_folder("no image", lambda at: (at / "a.txt").write_bytes(b"0 0\n"))
    add_folder("a folder called .png", lambda at: (at / "a.png").mkdir())
    add_folder("images of two sizes", lambda at: ((at / "1.png").write_bytes(frame), (at / "2.png").write_bytes(corpus("png", "grey1"))), named="2.png")
    add_folder("a film among images", lambda at: ((at / "1.png").write_bytes(frame), (at / "2.npy").write_bytes(corpus("field", "film"))), named="2.npy")


def mentioned_before():
    """Small files that were answered badly once."""
    add("a PGM of 17 bytes", FIELD, ".pgm", b"P5 16384 16384 255\n", True)
    add("a cut PGM", FIELD, ".pgm", b"P5 4 4 255\n\0\0", True)
    add("a face that names a missing vertex", MESH, ".obj", "v 0 0 0\nv 1 0 0\nf 1 2 9\n", True, [":3: "])
    add("escape sequences in JSON", SCENARIO, ".json", b'{"lab": \x1b]0;title\x07}', True, [":1: "])
    add("frames without points", TRACKS, ".npy", npy("<f8", "(1000000000000000000, 0, 2)", b""), True)
    add("a polygon as large as memory", MESH, ".off", b"OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n" + b"3 0 1 2 " * 50000 + b"\n", False)
    add("blanks only", POINTS, ".xy", b" \n" * 100000, True)
    add("comments only", POINTS, ".xy", b"# nothing\n" * 100000, True)
    add("a header only", POINTS, ".csv", b"x,y\n", True)
    add("a byte order mark only", POINTS, ".csv", b"\xef\xbb\xbf", True)
    add("one long line", POINTS, ".xy", b"1 " * 5000000, False)  # all but two columns are left out, which is said
    add("ten million separators", POINTS, ".csv", b"1" + b"," * 10000000, True, [":1: "])
    add("a decompression bomb", FIELD, ".png", bomb(16384, 16384), False)
    add("a decompression bomb of text", FIELD, ".png", bomb(1, 1, 200 << 20), False)
    add("a wide bomb", FIELD, ".png", bomb(2**31 - 1, 1), True)


def bomb(width, height, text=0):
    chunk = lambda kind, data: struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
    deflate = zlib.compressobj(9)
    size = min(height * (width + 1), 300 << 20)
    data = b"".join(deflate.compress(bytes(1 << 20)) for _ in range(size >> 20)) + deflate.compress(bytes(size & 0xFFFFF)) + deflate.flush()
    more = chunk(b"zTXt", b"a\0\0" + zlib.compress(bytes(text), 9)) if text else b""
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)) + more +
            chunk(b"IDAT", data) + chunk(b"IEND", b""))


def make_cases():
    for seed in seeds():
        add(f"{seed.name} as it is", seed.use, seed.extension, seed.data, None)
        broken_lines(seed)
    for change in (lies, under_other_names, scenarios, no_files, file_names, folders, mentioned_before):
        change()


# Running the program

Answer = collections.namedtuple("Answer", "status out err seconds peak")


def limits(sanitized, nobody):
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    if not sanitized:
        resource.setrlimit(resource.RLIMIT_DATA, (MOST_BYTES, MOST_BYTES))
    if nobody:
        os.setgroups([])
        os.setgid(65534)
        os.setuid(65534)


def run(command, folder, options, nobody):
    begin = time.monotonic()
    process = subprocess.Popen(command, cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                               preexec_fn=lambda: limits(options.sanitized, nobody))
    late = threading.Timer(options.seconds, process.kill)
    late.start()
    texts = {}
    readers = [threading.Thread(target=lambda key, stream: texts.__setitem__(key, stream.read(1 << 20)), args=(key, stream))
               for key, stream in (("out", process.stdout), ("err", process.stderr))]
    for reader in readers:
        reader.start()
    for reader in readers:
        reader.join()
    _, status, usage = os.wait4(process.pid, 0)
    late.cancel()
    process.returncode = os.waitstatus_to_exitcode(status)
    process.stdout.close()
    process.stderr.close()
    return Answer(process.returncode, texts["out"], texts["err"], time.monotonic() - begin, usage.ru_maxrss * 1024)


def printable(text):
    return all(c == "…" or unicodedata.category(c) not in ("Cc", "Cs", "Zl", "Zp") for c in text)


def faults(case, answer, options):
    """Everything that is wrong with the answer, a text each."""
    found = []
    if answer.status < 0:
        late = answer.seconds >= options.seconds
        return [f"takes more than {options.seconds} s" if late else f"ended by signal {-answer.status}"]
    if not options.sanitized and answer.peak > MOST_BYTES:
        found.append(f"takes {answer.peak >> 20} MB")
    allowed = (2,) if case.bad else (0,) if case.bad is None else (0, 2)
    if answer.status not in allowed:
        found.append(f"status {answer.status}, not {' or '.join(map(str, allowed))}")
    try:
        said = answer.err.decode()
    except UnicodeDecodeError:
        return found + ["stderr is not UTF-8"]
    lines = said.removesuffix("\n").split("\n")
    if len(lines) == 2 and lines[1].startswith("Try 'flipscope "):
        lines.pop()  # what is wrong with the command line itself is said with a hint
    if not case.bad:  # it may have been read, with notes, before a lab refuses what is in it
        lines = lines[-1:] if all(line.startswith("flipscope: ") for line in lines) else lines
    if not all(printable(line) for line in lines):
        found.append("stderr is not printable")
    if answer.status == 0 or found:
        return found
    if len(lines) != 1 or not lines[0].startswith("flipscope: ") or len(lines[0]) < 20:
        found.append("not one sentence on stderr")
    named = 2 * PATH_MAX if case.use == SCENARIO else len(os.fsencode(str(options.scratch)))  # it may name long names
    if len(said) > 1500 + named and "too long" not in case.name:
        found.append(f"a sentence of {len(said)} bytes")
    if answer.out:
        found.append("something on stdout")
    if case.named != "" and (case.named or "hostile") not in said:
        found.append("does not name the file")
    for pattern in case.says:
        if not re.search(pattern, said):
            found.append(f"does not name the place ({pattern})")
    if "memory" in said and "hole" not in case.name and "bomb" not in case.name:
        found.append("blames memory")
    return found


def nobody_can(program):
    """Whether this process may become another user, who could start the program."""
    if os.geteuid() != 0:
        return None  # it is an ordinary user already
    def become():
        os.setgid(65534)
        os.setuid(65534)
    try:
        return subprocess.run([program, "--version"], preexec_fn=become, capture_output=True).returncode == 0
    except OSError:
        return False


def perform(case, number, options):
    folder = options.scratch / str(number)
    folder.mkdir(mode=0o755)
    for output in OUTPUTS:
        (folder / output).write_bytes(BEFORE)
    before = {output: os.stat(folder / output) for output in OUTPUTS}
    path = case.make(folder)
    there = {os.fsdecode(name) for name in os.listdir(folder)}
    arguments = [options.program] + ARGUMENTS[case.use] + [path]
    arguments += ["--json", "report.json", "--device", "cpu", "--threads", "1"]
    if case.picture:
        arguments += ["--picture", "picture.png"]
    nobody = case.as_user and options.nobody is True
    if nobody:
        folder.chmod(0o755)
    answer = run([os.fsencode(a) for a in arguments], folder, options, nobody)
    found = faults(case, answer, options)
    if answer.status != 0:
        for output in OUTPUTS:
            after = os.stat(folder / output) if (folder / output).exists() else None
            if after is None or (after.st_ino, after.st_mtime_ns) != (before[output].st_ino, before[output].st_mtime_ns) or \
                    (folder / output).read_bytes() != BEFORE:
                found.append(output + " was touched")
        left = {os.fsdecode(name) for name in os.listdir(folder)} - there
        if left:
            found.append("left behind: " + ", ".join(sorted(left)))
    if found:
        kept = options.keep / f"{number}"
        shutil.rmtree(kept, ignore_errors=True)
        os.rename(folder, kept)
    else:
        shutil.rmtree(folder, ignore_errors=True)
    return case, answer, found


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", type=os.path.abspath)
    parser.add_argument("--take", type=int, help="so many of the cases, spread evenly")
    parser.add_argument("--only", help="those whose names have this regular expression in them")
    parser.add_argument("--seconds", type=float, default=20, help="for one run (20)")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="runs at once")
    parser.add_argument("--sanitized", action="store_true")
    parser.add_argument("--show", action="store_true", help="prints every answer")
    options = parser.parse_args()
    make_cases()
    cases = [case for case in CASES if not options.only or re.search(options.only, case.name)]
    if options.sanitized:  # nothing limits their memory then
        cases = [case for case in cases if "a hole of" not in case.name]
    if options.take and options.take < len(cases):
        cases = [cases[i * len(cases) // options.take] for i in range(options.take)]
    options.scratch = pathlib.Path(tempfile.mkdtemp(prefix="flipscope-hostile-"))
    options.scratch.chmod(0o755)
    options.keep = options.scratch / "answered badly"
    options.keep.mkdir()
    options.nobody = nobody_can(options.program)
    skipped = [case for case in cases if case.as_user and options.nobody is False]
    cases = [case for case in cases if case not in skipped]

    count = collections.Counter()
    badly = slowest = largest = 0
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for case, answer, found in pool.map(lambda item: perform(item[1], item[0], options), enumerate(cases)):
            kind = {True: "bad", False: "doubtful", None: "good"}[case.bad]
            count[kind, "read" if answer.status == 0 else "refused"] += 1
            slowest, largest = max(slowest, answer.seconds), max(largest, answer.peak)
            said = answer.err.decode(errors="backslashreplace").rstrip()
            if found:
                badly += 1
                print(f"{case.name} ({case.use}): {'; '.join(found)}\n    {said[:400]!r}")
            elif options.show:
                print(f"{case.name}: {answer.status} {said.replace(str(options.scratch), '')[:300]}")
    print(f"{len(cases)} files: {count['bad', 'refused']} of {count['bad', 'refused'] + count['bad', 'read']} that cannot "
          f"be read were refused; of {count['doubtful', 'refused'] + count['doubtful', 'read']} changed ones "
          f"{count['doubtful', 'refused']} were refused and {count['doubtful', 'read']} read; "
          f"{count['good', 'read']} of {count['good', 'read'] + count['good', 'refused']} unchanged ones read; "
          f"the slowest took {slowest:.1f} s, the largest {largest >> 20} MB")
    if skipped:
        print(f"{len(skipped)} skipped: root reads everything, and no other user can start {options.program}")
    print(f"{badly} answered badly" + (f"; see {options.keep}" if badly else ""))
    if not badly:
        shutil.rmtree(options.scratch, ignore_errors=True)
    return 1 if badly else 0


if __name__ == "__main__":
    sys.exit(main())
