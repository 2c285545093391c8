#!/usr/bin/env python3
"""Makes the files that fuzzing starts from: for each reader a few small ones that it takes, and a few that it refuses
at places that are hard to come to. Everything in them is made here; nothing is from elsewhere.

    tests/fuzz/make_corpus.py [FOLDER]      (tests/fuzz/corpus)

Files that a fuzzer has found, and that are kept, lie beside these under names that begin with "found-"; they are left
alone. JPEG is compressed here by a small encoder, baseline and without subsampling."""

import math
import pathlib
import struct
import sys
import zlib

FOLDER = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else pathlib.Path(__file__).parent / "corpus"


def write(reader, name, data):
    path = FOLDER / reader / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data if isinstance(data, bytes) else data.encode())


# Points as text

def texts():
    rows = [(0, 0), (1.5, 0.25), (-2e10, 3e-5), (7, 7)]
    write("xy", "blanks", "# four points\n" + "".join(f"{x} {y}\n" for x, y in rows))
    write("xy", "empty", "")
    write("xy", "range", "0 1e60\n1e-60 2\n-0 6.3e-61\n")
    write("xy", "crlf", "0 0\r\n1 0\r\n0 1\r\n")
    write("xy", "cr", "0 0\r1 0\r0 1")
    write("xy", "comments", "0 0 // origin\n\n1 0# one\n // nothing\n0 1\n")
    write("txt", "semicolons", "x;y\n0;0\n1;0,5\n")
    write("txt", "bom", b"\xef\xbb\xbf0 0 17 a\n1 0 18 b\n")
    write("txt", "utf16", "0 0\n1 0\n".encode("utf-16"))
    write("txt", "tracks", "frame particle x y\n0 1 0 0\n1 1 0.5 0\n0 2 1 1\n")
    write("csv", "header", "\"x\",\"y\",\"name\"\n0,0,a\n1,0,b\n0,1,c\n")
    write("csv", "columns", "0,0,1,2\n1,0,3,4\n")
    write("csv", "tracks", "id,t,x,y\n1,0,0,0\n2,0,1,0\n1,1,0.1,0\n")
    write("csv", "polygons", 'id,zone,geometry\n7,wood,"POLYGON ((0 0, 4 0, 4 4, 0 0), (1 1, 2 1, 2 2, 1 1))"\n8,,\n'
          '9,,"SRID=4326;LINESTRING (5 5, 6 7)"\n')
    write("csv", "geojson", 'n;shape\n1;"{""type"": ""Polygon"", ""coordinates"": [[[10, 50], [11, 50], [11, 51]]]}"\n'
          '2;{"type": "Point", "coordinates": [1, 2]}\n')
    write("csv", "mixed", "name\tgeom\n" + "".join(f"p{i}\tPOINT ({i} 1)\n" for i in range(10)) + "road\tLINESTRING (5 5, 6 7)\n")
    write("csv", "pandas", ",0,1\n0,1.5,2\n1,3.5,-4\n")
    write("csv", "latitudes", "40.71,-74.01\n34.05,-118.24\n41.88,-87.63\n")
    write("csv", "latin1", b"L\xe4nge,Breite\n1,2\n3,4\n")
    write("tsv", "tabs", "x\ty\n0\t0\n1\t0\n")
    write("node", "from0", "3 2 0 0\n0 0 0\n1 1 0\n2 0 1\n")
    write("node", "from1", "# three\n3 2 1 1\n1 0 0 7 1\n2 1 0 8 1 # two\n3 0 1 9 0\n")
    write("node", "short", "3 2\n0 0 0\n1 1 0\n")


# Texts that are no tables

def structured():
    write("json", "pairs", "[[0, 0], [1.5, 0.25], [-2e10, 3e-5], [null, 7]]")
    write("json", "objects", '{"trees": [{"id": 1, "name": "oak", "x": "1", "y": 2, "kind": "a\\u00e9"},\n'
          '{"x": 3, "y": 4, "pos": {"lat": 5, "lng": 6}, "q": [1], "kind": 7}]}')
    write("json", "tracks", '[{"track": "a", "frame": 1, "X [nm]": 5, "Y [nm]": 6}, {"track": "b", "frame": 0, "X [nm]": 1, '
          '"Y [nm]": 2}, {"track": "a", "frame": 0, "X [nm]": 3, "Y [nm]": null}, {"track": "a", "frame": 2, "X [nm]": 3, "Y [nm]": 4}]')
    write("json", "tracks-split", '{"columns": ["id", "t", "x", "y", "m"], "data": [[1, 0, 1, 2, 7], [2, 0, 3, 4, 8], [1, 1, 5, 6, 9]]}')
    write("json", "places", '[{"a": {"pos": {"x": 1, "y": 2}}, "b": {"pos": {"x": 3, "y": 4}}, "name": "n"}]')
    write("json", "columns", '{"x": [1, 2, 3], "y": {"0": 4, "1": 5, "2": NaN}, "k": ["u", "v", null], "short": [1]}')
    write("json", "split", '{"columns": ["id", "y", "x"], "index": [0], "data": [[7, 1.5, 2.5], [8, 3, 4]]}')
    write("json", "rows", '[["a", 0, 1, 2, 3], ["b", 1, 5, "q", true]]')
    write("json", "flat", "[1, 2, 3, 4]")
    write("json", "transposed", "[[1, 2, 3, 4, 5], [6, 7, 8, 9, 0]]")
    write("json", "triangles", '{"points": [[0, 0], [1, 0], [0, 1]], "simplices": [[1, 2, 3]], "edges": [[0, 1]]}')
    ring = "[[[0, 0], [4, 0], [4, 4], [0, 0]], [[2, 1], [3, 1], [3, 2], [2, 1]]]"
    shapes = [("Point", "[1, 2, 3]"), ("MultiPoint", "[[1, 2], [3, 4]]"), ("LineString", "[[5, 6], [7, 8]]"),
              ("MultiLineString", "[[[5, 6], [7, 8]]]"), ("Polygon", ring), ("MultiPolygon", f"[{ring}]")]
    shapes = [f'{{"type": "{name}", "coordinates": {at}}}' for name, at in shapes]
    shapes.append('{"type": "GeometryCollection", "geometries": [%s]}' % ", ".join(shapes))
    features = [f'{{"type": "Feature", "id": {i}, "properties": {{"name": "n{i}", "v": {i}.5}}, "geometry": {shape}}}'
                for i, shape in enumerate(shapes + ["null"])]
    write("json", "geojson", '{"type": "FeatureCollection", "crs": null, "features": [%s]}' % ",\n".join(features))
    write("json", "sequence", "".join("\x1e" + shape + "\n" for shape in shapes))
    write("json", "deep", "[" * 70 + "]" * 70)
    write("json", "cut", '{"type": "FeatureCollection", "features": [{"ty')
    write("pasted", "numpy", "array([[ 0.1,  2. ],\n       [-3. ,  4.5]], dtype=float32)")
    write("pasted", "printed", "[[0.1 2. ]\n ...\n [1. 1. ]]")
    write("pasted", "program", '"""two"""\nimport numpy as np\nx = [1, 2]  # x\ny: list[float] = np.array([4., np.float64(5)])\n'
          "print(len(x))\n")
    write("pasted", "objects", "pos = {'A': (0, 1), 2: Point(x=1, y=2), u'C': 1+2j}\n")
    write("pasted", "languages", "static const double p[][2] = {{1, 2.0f}};\n% q\nq = [1 2; 3 4];\nz <- c(1, 2)\n")
    write("pasted", "table", "x,y\n0.1,2\n-3,4.5\n")
    write("wkt", "shapes", "SRID=4326;POINT ZM (1 2 3 4)\nMULTIPOINT ((1 2), EMPTY, (3 4))\nLINESTRING M (1 2 5, 3 4 6)\n"
          "MULTILINESTRING ((1 2, 3 4), (5 6, 7 8))\nPOLYGON ((0 0, 4 0, 4 4, 0 0), (2 1, 3 1, 3 2))\n"
          "MULTIPOLYGON (((0 0, 4 0, 4 4)), EMPTY)\nPOINT EMPTY\n")
    write("wkt", "collection", "geometrycollection(point(1 2), geometrycollection(triangle((0 0, 1 0, 0 1, 0 0))))")
    write("wkt", "printed", "0    POINT (1.00000 2.00000)\n1    POINT (3.00000 4.00000)\ndtype: geometry\n")
    write("wkt", "curve", "CIRCULARSTRING (1 2, 3 4, 5 6)")
    write("wkt", "deep", "GEOMETRYCOLLECTION (" * 40)


# NumPy's arrays

def npy(descr, shape, data, order=False, version=1):
    header = "{'descr': %r, 'fortran_order': %r, 'shape': %r, }" % (descr, order, shape)
    size = 2 if version == 1 else 4
    header = header.ljust(-(10 + len(header) + 1) % 16 + len(header)) + "\n"
    length = len(header).to_bytes(size, "little")
    return b"\x93NUMPY" + bytes([version, 0]) + length + header.encode() + data


def arrays():
    doubles = struct.pack("<6d", 0, 0, 1, 0, 0, 1)
    write("npy", "f8", npy("<f8", (3, 2), doubles))
    write("npy", "f4-columns", npy("<f4", (3, 2), struct.pack("<6f", 0, 1, 0, 0, 0, 1), True))
    write("npy", "big-endian", npy(">f8", (1, 2), struct.pack(">2d", 2, 3), version=2))
    write("npy", "field", npy("|u1", (3, 4), bytes(range(12))))
    write("npy", "tracks", npy("<f8", (2, 2, 2), struct.pack("<8d", 0, 0, 1, 1, 0, 0.5, math.nan, math.nan), version=3))
    write("npy", "shape", npy("<f8", (2, 2, 2, 2), b""))
    write("npy", "object", npy("|O", (3, 2), b"\x80\x04."))
    write("npy", "many", npy("<f8", (1 << 60, 2), doubles))
    write("npy", "f2-transposed", npy("<f2", (2, 5), struct.pack("<10e", *range(10))))
    write("npy", "i8", npy(">i8", (3, 3), struct.pack(">9q", *range(7), 2**53 + 1, -2**63)))
    write("npy", "missing", npy("<f4", (3, 2), struct.pack("<6f", 0, 1, math.nan, 0, 0, math.inf)))
    write("npy", "complex", npy("<c8", (3,), struct.pack("<6f", 0, 1, 1, 0, 1, 1)))
    write("npy", "lists-of-one", npy("<i4", (3, 1, 2), struct.pack("<6i", 0, 1, 1, 0, 1, 1)))
    write("npy", "frames-transposed", npy("|u1", (2, 3, 5), bytes(range(30)), True))
    write("npy", "records", npy([("id", "|u1"), ("X [nm]", "<f2"), ("", "|V1"), ("y", ">i2"), ("name", "<U1"), ("kind", "|S2")], (3,),
                                b"".join(struct.pack("<BeB", k, k, 0) + struct.pack(">h", k * k) + b"a\0\0\0bc" for k in range(3))))
    write("npy", "records-over-time", npy([("frame", "|u1"), ("particle", "|i1"), ("x", "|u1"), ("y", "|u1"), ("at", "<M8[ns]")], (4,),
                                          b"".join(bytes((k // 2, k % 2, k, k * k)) + bytes(8) for k in range(4))))
    write("npy", "array-in-records", npy([("pos", "<f4", (2,)), ("m", "<f8", (2, 2))], (2,), bytes(80)))
    write("triangles_npy", "i4", npy("<i4", (2, 3), struct.pack("<6i", 0, 1, 2, 1, 3, 2)))
    write("triangles_npy", "f8-from-1", npy("<f8", (2, 3), struct.pack("<6d", 1, 2, 3, 2, 4, 9)))
    write("triangles_npy", "transposed", npy("|u1", (3, 5), bytes(range(15)), True))
    write("triangles_npy", "none", npy("<f8", (0,), b""))
    write("field", "f4", npy("<f4", (2, 3), struct.pack("<6f", 0, 1, 2, 3, 4, 5)))
    write("field", "film", npy("<i2", (2, 2, 2), struct.pack("<8h", *range(-4, 4))))
    write("field", "columns", npy(">u2", (2, 2), struct.pack(">4H", 0, 1, 2, 65535), True))
    write("field", "bool", npy("|b1", (1, 3), b"\0\1\1"))
    write("field", "nan", npy("<f8", (1, 2), struct.pack("<2d", 0, math.nan)))
    write("field", "large", npy("<f8", (1, 1), struct.pack("<d", 1e300)))
    write("field", "sites", npy("|u1", (16385, 1), bytes(16385)))
    write("field", "none", npy("|u1", (0, 5), b""))
    write("tracks_npy", "two", npy("<f8", (2, 2, 2), struct.pack("<8d", 0, 0, 1, 1, 0, 0.5, 1, 2)))
    write("tracks_npy", "missing", npy("<f4", (2, 1, 2), struct.pack("<4f", 0, 0, math.nan, math.nan)))
    write("tracks_npy", "columns", npy(">f8", (2, 1, 2), struct.pack(">4d", 0, 1, 2, 3), True))
    write("tracks_npy", "whole", npy("<i4", (1, 2, 2), struct.pack("<4i", 0, 1, 2, 3)))
    write("tracks_npy", "frames-without-points", npy("<f8", (10**18, 0, 2), b""))


def tracks():
    write("tracks_csv", "header", "t,id,x,y\n0,1,0,0\n0,2,1,0\n1,1,0.5,0\n1,2,1,0.5\n")
    write("tracks_csv", "plain", "1 7 0 0\n0 7 1e3 -1\n")
    write("tracks_csv", "names", "\"Track_ID\";\"POSITION_X\";\"POSITION_Y\";\"FRAME\";\"q\"\n4;1.5;2;0;a\n5;1;2;0;b\n4;1;1;1;c\n")
    write("tracks_csv", "twice", "t,id,x,y\n0,1,0,0\n0,1,1,0\n")
    write("tracks_csv", "id", "t,id,x,y\n0,1.5,0,0\n")
    write("tracks_csv", "large-id", "t,id,x,y\n0,9007199254740993,0,0\n1,1e15,0,0\n1,-3,1,1\n")
    frame = "Lattice=\"4 0 0 0 3 0 0 0 1\" Properties=species:S:1:pos:R:3:id:I:1 Time=%s pbc=\"T T F\"\n"
    extended = "2\n" + frame % "0" + "H 0.5 1 0 7\nHe 2 2e-3 0 3\n" + "2\n" + frame % "0.5" + "H 0.75 1 0 7\nHe 2 2 0 3\n"
    for reader in ("xyz", "tracks_xyz"):
        write(reader, "extended", extended)
        write(reader, "plain", "2\nwater\nO 0 0 0\nH 1 0.5 0\n1\n\nO 0.1 0 0\n")
        write(reader, "one", "2\nStep=3\nO 0 0 0\nH 1 0.5 2\n")
        write(reader, "cut", extended[:-12])
        write(reader, "count", "18446744073709551615\n\nO 0 0 0\n")
        write(reader, "properties", "1\nProperties=pos:R:3:id:I:99999999999\n0 0 0\n")
        write(reader, "twice", "2\nProperties=id:I:1:pos:R:2\n4 0 0\n4 1 0\n")
    write("tracks_csv", "short", "t,id,x\n0,1,2\n")
    columns = "Lattice=[[4,0,0],[0,3,0],[0,0,1]] Properties=species:S:1:pos:R:3:q:L:1:v:R:2 Timestep: 3 pbc=\"T F F\"\n"
    write("xyz", "columns", "2\n" + columns + "H 0 0 0 T 1 2\nHe 1 1 0.5 F 3 nan\n")
    write("xyz", "table", "1 2 3\n4 5 6\n")
    write("xyz", "tilted", "1\nLattice=\"4 0 0 1 3 0 0 0 1\"\nH 0 0 0\n")

    def dump(step, atoms, bounds="pp ff pp"):
        return (f"ITEM: TIMESTEP\n{step}\nITEM: NUMBER OF ATOMS\n2\nITEM: BOX BOUNDS {bounds}\n0 4\n-1 3\n-0.5 0.5\n"
                f"ITEM: ATOMS {atoms}")
    two = dump(0, "id type xs ys zs element\n2 1 0.5 0.25 0 Si\n1 2 0 1 0.5 C\n")
    for reader in ("lammpstrj", "tracks_lammpstrj"):
        write(reader, "scaled", two + dump(10, "id type x y q\n1 2 0 1 7\n2 1 2 0.5 nan\n"))
        write(reader, "one", "ITEM: UNITS\nlj\nITEM: TIME\n0.5\n" + dump(3, "xu yu\n1 2\n3 4\n"))
        write(reader, "tilted", two.replace("BOUNDS pp", "BOUNDS xy xz yz pp").replace("0 4\n-1 3\n-0.5 0.5", "0 4 0.5\n-1 3 0\n-0.5 0.5 0"))
        write(reader, "cut", two[:-14])
        write(reader, "lying", two.replace("\n2\nITEM: BOX", "\n4000000000\nITEM: BOX"))
        write(reader, "twice", two.replace("\n1 2 0 1", "\n2 2 0 1"))


# What other programs record

def npz(members, pack=zlib.DEFLATED, bombs=()):
    archive, listed = b"", b""
    for name, data in members:
        crc = zlib.crc32(data)
        size = bombs[0] if bombs else len(data)
        if pack:
            packer = zlib.compressobj(9, zlib.DEFLATED, -15)
            data = packer.compress(data) + packer.flush()
        fields = struct.pack("<HHHHHIIIHH", 20, 0, pack, 0, 0, crc, len(data), size, len(name), 0)
        listed += b"PK\1\2" + struct.pack("<H", 20) + fields + struct.pack("<HHHII", 0, 0, 0, 0, len(archive)) + name
        archive += b"PK\3\4" + fields + name + data
    end = struct.pack("<HHHHIIH", 0, 0, len(members), len(members), len(listed), len(archive), 0)
    return archive + listed + b"PK\5\6" + end


def recordings():
    first = '{"points": [[0, 0], [1, 0], [0.5, "0x1.8p+1"]], "triangles": [[0, 1, 2]], "caption": "a \\u00e9\\ud83d\\ude00"}\n'
    write("jsonl", "two", first + '{"marks": {"vertices": [2], "edges": [[0, 1]], "triangles": [0]}, "x": [1, {"y": null}]}\n')
    write("jsonl", "nan", '{"points": [[NaN, -Infinity]]}\n')
    write("jsonl", "range", first + '{"triangles": [[0, 1, 3]]}\n')
    write("jsonl", "large", first + '{"triangles": [[0, 1, 4294967295], [-1, 0, 0]]}\n')
    write("jsonl", "fewer", first + '{"points": [[0, 0]]}\n')
    write("jsonl", "cut", first[:-20])
    write("jsonl", "deep", '{"x": ' + "[" * 70 + "]" * 70 + "}\n")
    points = npy("<f8", (3, 2), struct.pack("<6d", 0, 0, 1, 0, 0, 1))
    triangle = npy("<i4", (1, 3), struct.pack("<3i", 0, 1, 2))
    members = [(b"points_0.npy", points), (b"triangles_0.npy", triangle),
               (b"triangles_1.npy", npy("|u1", (0, 3), b"")), (b"marked_edges_1.npy", npy("<i2", (1, 2), b"\0\0\1\0")),
               (b"captions.npy", npy("<U2", (2,), "a\u00e9bc".encode("utf-32-le")))]
    write("npz", "deflated", npz(members))
    write("npz", "stored", npz(members, 0))
    write("npz", "cut", npz(members)[:-30])
    write("npz", "bomb", npz([(b"points_0.npy", npy("|u1", (1 << 20, 2), bytes(1 << 21)))]))
    write("npz", "lying", npz(members, bombs=(0x7fffffff,)))
    write("npz", "empty", b"PK\5\6" + bytes(18))
    columns = [(b"points.npy", points), (b"mass.npy", npy("<f8", (3,), struct.pack("<3d", 1, math.nan, 3))),
               (b"id.npy", npy(">i2", (3, 1), struct.pack(">3h", 5, -1, 0))), (b"edges.npy", npy("<i4", (1, 2), bytes(8))),
               (b"names.npy", npy("<U1", (3,), "abc".encode("utf-32-le")))]
    write("npz", "columns", npz(columns))
    write("npz", "columns-stored", npz(columns, 0))
    write("npz", "axes", npz([(b"x.npy", columns[1][1]), (b"y.npy", columns[2][1])]))
    write("npz", "records", npz([(b"a.npy", npy([("x", "<f8"), ("m", "|b1"), ("y", "<f4")], (2,), bytes(26)))]))
    write("npz", "triangulation", npz([(b"points.npy", points), (b"simplices.npy", triangle), columns[1]]))
    write("npz", "surface", npz([(b"vertices.npy", npy("<f4", (3, 3), struct.pack("<9f", 0, 0, 0, 1, 0, 1, 0, 1, 2))),
                                 (b"faces.npy", npy("<i2", (2, 4), struct.pack("<8h", 0, 1, 2, -1, 1, 2, 0, 2)))]))
    write("npz", "tracks", npz([(b"positions.npy", npy("<f4", (2, 2, 2), bytes(32))), (b"times.npy", npy("<f4", (2,), struct.pack("<2f", 0, 1))),
                                (b"ids.npy", npy("|u1", (2,), b"\3\2")), (b"r.npy", npy("|u1", (2, 2), b"\3\2\1\0", True))]))
    write("npz", "rows-of-tracks", npz([(b"x.npy", npy("|u1", (4,), b"\0\1\2\3")), (b"y.npy", npy("|u1", (4,), b"\4\1\2\3")),
                                        (b"frame.npy", npy("|u1", (4,), b"\0\1\0\1")), (b"track_id.npy", npy("<f4", (4,), struct.pack("<4f", 1, 1, 2, math.nan)))]))
    write("triangles_npz", "simplices", npz([(b"simplices.npy", triangle), (b"neighbors.npy", triangle)]))
    write("npz", "many-columns", npz([(b"points.npy", npy("<f4", (1 << 16, 2), bytes(8 << 16)))] +
                                     [(b"c%d.npy" % k, npy("|u1", (1 << 16,), bytes(1 << 16))) for k in range(100)]))


# Meshes

SQUARE = [(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0)]
TETRAHEDRON = [(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)]
FACES = [(0, 2, 1), (0, 1, 3), (1, 2, 3), (0, 3, 2)]


def ply(form, elements, body):
    body = body if isinstance(body, bytes) else body.encode()
    return f"ply\nformat {form} 1.0\ncomment made for fuzzing\n{elements}end_header\n".encode() + body


def meshes():
    xyz = "property double x\nproperty double y\nproperty double z\n"
    both = f"element vertex 4\n{xyz}element face 4\nproperty list uchar int vertex_indices\n"
    rows = "".join(f"{x} {y} {z}\n" for x, y, z in TETRAHEDRON)
    write("ply", "ascii", ply("ascii", both, rows + "".join(f"3 {a} {b} {c}\n" for a, b, c in FACES)))
    for order, name in (("<", "binary_little_endian"), (">", "binary_big_endian")):
        body = b"".join(struct.pack(order + "3d", *p) for p in TETRAHEDRON)
        body += b"".join(struct.pack(order + "B3i", 3, *f) for f in FACES)
        write("ply", name, ply(name, both, body))
    floats = both.replace("double", "float").replace("uchar int vertex_indices", "uint uint vertex_index")
    body = b"".join(struct.pack("<3f", *p) for p in TETRAHEDRON) + b"".join(struct.pack("<4I", 3, *f) for f in FACES)
    write("ply", "floats", ply("binary_little_endian", floats, body))
    short = both.replace("uchar int", "uchar ushort")
    body = b"".join(struct.pack("<3d", *p) for p in TETRAHEDRON) + b"".join(struct.pack("<B3H", 3, *f) for f in FACES)
    write("ply", "short-indices", ply("binary_little_endian", short, body))
    wide = both.replace("uchar int", "int64 uint64")
    body = b"".join(struct.pack(">3d", *p) for p in TETRAHEDRON) + b"".join(struct.pack(">q3Q", 3, *f) for f in FACES)
    write("ply", "wide-indices", ply("binary_big_endian", wide, body))
    write("ply", "heights", ply("ascii", f"element vertex 3\n{xyz}", "0 0 0\n1 0 0.5\n0 1 nan\n"))
    write("ply", "points", ply("ascii", f"element vertex 3\n{xyz}", "0 0 0\n1 0 0\n0 1 0\n"))
    write("ply", "polygon", ply("ascii", f"element vertex 4\n{xyz}element face 1\nproperty list uchar int vertex_index\n",
                                "0 0 500\n1 0 500\n1 1 500\n0 1 500\n4 0 1 2 3\n"))
    coordinates = both.replace("element face 4", "element face 1") + "property list uchar float texcoord\nproperty uchar red\n"
    write("ply", "texture", ply("ascii", coordinates, rows + "3 0 1 2 6 0 0 1 0 0 1 255\n"))
    body = b"".join(struct.pack("<3d", *p) for p in TETRAHEDRON) + struct.pack("<B3iB6fB", 3, 0, 1, 2, 6, 0, 0, 1, 0, 0, 1, 9)
    write("ply", "texture-binary", ply("binary_little_endian", coordinates, body))
    strips = f"element vertex 4\n{xyz}element tristrips 1\nproperty list int int vertex_indices\n"
    write("ply", "strips", ply("ascii", strips, rows + "9 0 1 2 3 -1 1 2 3 0\n"))
    body = b"".join(struct.pack(">3d", *p) for p in TETRAHEDRON) + struct.pack(">10i", 9, 0, 1, 2, 3, -1, 1, 2, 3, 0)
    write("ply", "strips-binary", ply("binary_big_endian", strips, body))
    others = f"element other 2\nproperty list uchar uchar a\nproperty short b\n{both}"
    write("ply", "others", ply("ascii", others, "2 1 2 3\n0 4\n" + rows + "3 0 1 2\n" * 4))
    write("ply", "negative", ply("ascii", both, rows + "3 0 1 -1\n" * 4))
    write("ply", "lying", ply("binary_little_endian", both.replace("vertex 4", "vertex 4000000000"), b"\0" * 64))

    write("obj", "tetrahedron", "# made for fuzzing\no t\n" + "".join(f"v {x} {y} {z}\n" for x, y, z in TETRAHEDRON) +
          "".join(f"f {a + 1} {b + 1} {c + 1}\n" for a, b, c in FACES))
    write("obj", "references", "mtllib a.mtl\nv 0 0 0 1\nv 1 0 0 0.5 0.5 0.5\nv 1 1 0\nv 0 1 0\nvt 0 0\nvn 0 0 1\n"
          "usemtl a\ns off\nf 1/1/1 2/1/1 3/1/1 4/1/1\nf -4//1 \\\n -3//1 -2//1\nl 1 2\np 1\n")
    write("obj", "backwards", "v 0 0 0\nf -1 -2 -3\n")
    write("obj", "missing", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 9\n")
    write("obj", "dollar", "$ a comment of some programs\nv 0 0 0 nan nan nan\nv 1 0 0\nv 0 1 1\nf 1 2 3\n")
    write("obj", "points", "v 0 0 5\nv 1 0 5\n")

    rows4 = "".join(f"{x} {y} {z}\n" for x, y, z in TETRAHEDRON)
    write("off", "plain", "OFF\n4 4 6\n" + rows4 + "".join(f"3 {a} {b} {c}\n" for a, b, c in FACES))
    write("off", "one-line", "OFF 4 1 0 " + " ".join(f"{x} {y} {z}" for x, y, z in SQUARE) + " 4 0 1 2 3")
    write("off", "no-blank", "OFF4 1 0\n" + rows4 + "3 0\n1\n2\n")
    write("off", "colours", "STCNOFF # all\n3 1 0\n0 0 0 0 0 1 255 0 0 1 0 0\n1 0 0 0 0 1 1 1 1 1 0 0\n"
          "0 1 1 0 0 1 0.5 0.5 0.5 1 0 0\n3 0 1 2 0.1 0.2 0.3\n")
    write("off", "points", "OFF\n3 0 0\n0 0 0\n1 0 0\n0 1 0\n")
    write("off", "four", "4OFF\n1 0 0\n0 0 0 1\n")
    write("off", "binary", b"OFF BINARY\n" + struct.pack(">3i3f", 1, 0, 0, 0, 0, 0))
    write("off", "lying", "OFF\n4000000000 4000000000 0\n0 0 0\n")
    write("off", "missing", "OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 3\n")

    facet = "facet normal 0 0 1\n outer loop\n{}  endloop\nendfacet\n"
    corners = ["".join(f"  vertex {x} {y} {z}\n" for x, y, z in (TETRAHEDRON[v] for v in f)) for f in FACES]
    write("stl", "text", "solid solid t\n" + "".join(facet.format(c) for c in corners) + "endsolid t\n")
    triangle = lambda f: struct.pack("<12fH", 0, 0, 1, *(c for v in f for c in TETRAHEDRON[v]), 0)
    write("stl", "binary", b"made for fuzzing".ljust(80) + struct.pack("<I", 4) + b"".join(map(triangle, FACES)))
    write("stl", "solid-binary", b"solid".ljust(80, b"\0") + struct.pack("<I", 1) + triangle(FACES[0]))
    write("stl", "lying", b"\0" * 80 + struct.pack("<I", 0xFFFFFFFF) + triangle(FACES[0]))
    write("stl", "nan", b"\0" * 80 + struct.pack("<I", 1) + struct.pack("<12fH", *[math.nan] * 12, 0))
    write("stl", "cut", "solid\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\n")

    node = "4 2 0 0\n1 0 0\n2 1 0\n3 1 1\n4 0 1\n"
    write("ele", "from1", node + "\0" + "2 3 0\n1 1 2 3\n2 1 3 4\n")
    write("ele", "second-order", "# 0\n6 2 0 0\n" + "".join(f"{i} {i} {i * i}\n" for i in range(6)) +
          "\0" + "1 6 1\n0 0 1 2 3 4 5 0.5\n")
    write("ele", "missing", node + "\0" + "1 3 0\n1 1 2 5\n")
    write("ele", "no-points", "\0" + "1 3 0\n1 1 2 3\n")

    graph = "4 2 1 1\n1 0 0 5 1\n2 3 0 6 1\n3 3 3 7 1\n4 0 3 8 0\n2 1\n1 1 2 1\n2 2 3 1\n1\n1 1.5 1.5\n1\n1 1 1 0.5 0.1\n"
    write("poly", "hole", graph)
    write("poly", "from0", "3 2\n0 0 0\n1 1 0\n2 0 1\n1 0\n0 0 2\n0\n")
    write("poly", "missing", graph.replace("2 2 3 1", "2 2 5 1"))
    write("poly", "lying", "1 2 0 0\n1 0 0\n4000000000 1\n1 1 1\n")
    write("poly", "no-points", "0 2 0 0\n1\n1 1 2\n0\n")


# Gmsh and VTK

def gmsh():
    head = "$MeshFormat\n%s 0 8\n$EndMeshFormat\n"
    names = "$PhysicalNames\n1\n2 1 \"a\"\n$EndPhysicalNames\n"
    nodes = "$Nodes\n4\n7 0 0 0\n3 2 0 0\n12 2 1 0\n5 0 1 0.5\n$EndNodes\n"
    write("msh", "version-2", head % "2.2" + names + nodes +
          "$Elements\n4\n1 15 2 0 1 7\n2 1 2 0 1 7 3\n3 2 2 1 1 7 3 12\n4 3 2 1 1 7 3 12 5\n$EndElements\n"
          "$NodeData\n1\n\"a\"\n1\n0\n3\n0\n1\n1\n7 0.5\n$EndNodeData\n")
    write("msh", "version-4", head % "4" + "$Nodes\n1 3\n1 2 0 3\n1 0 0 0\n2 1 0 0\n3 0 1 0\n$EndNodes\n"
          "$Elements\n1 1\n1 2 2 1\n1 1 2 3\n$EndElements\n")
    write("msh", "version-4.1", head % "4.1" + "$Nodes\n2 4 1 9\n1 1 1 1\n9\n0 0 0 0.5\n2 1 0 3\n1\n2\n3\n1 0 0\n1 1 0\n0 1 0\n"
          "$EndNodes\n$Elements\n1 2 1 2\n2 1 2 2\n1 9 1 2\n2 9 2 3\n$EndElements\n")
    for order, name in (("<", "little"), (">", "big")):
        pack = lambda form, *values: struct.pack(order + form, *values)
        start = b"$MeshFormat\n%s 1 8\n" + pack("i", 1) + b"\n$EndMeshFormat\n$Nodes\n"
        body = b"".join(pack("i3d", i + 1, *p) for i, p in enumerate(TETRAHEDRON))
        write("msh", "binary-2-" + name, start % b"2.2" + b"4\n" + body + b"\n$EndNodes\n$Elements\n5\n" +
              pack("3i", 1, 1, 2) + pack("5i", 1, 0, 1, 1, 2) + pack("3i", 2, 4, 1) +
              b"".join(pack("5i", i + 2, 1, *(v + 1 for v in f)) for i, f in enumerate(FACES)) + b"\n$EndElements\n")
        body = pack("4Q", 1, 4, 1, 4) + pack("3iQ", 2, 1, 0, 4) + pack("4Q", 1, 2, 3, 4)
        body += b"".join(pack("3d", *p) for p in TETRAHEDRON)
        faces = pack("4Q", 1, 4, 1, 4) + pack("3iQ", 2, 1, 2, 4)
        faces += b"".join(pack("4Q", i + 1, *(v + 1 for v in f)) for i, f in enumerate(FACES))
        write("msh", "binary-4.1-" + name, start % b"4.1" + body + b"\n$EndNodes\n$Elements\n" + faces + b"\n$EndElements\n")
    write("msh", "version-1", "$NOD\n1\n1 0 0 0\n$ENDNOD\n")
    write("msh", "lying", head % "2.2" + "$Nodes\n18446744073709551615\n1 0 0 0\n$EndNodes\n")
    write("msh", "twice", head % "2.2" + "$Nodes\n2\n1 0 0 0\n1 1 0 0\n$EndNodes\n$Elements\n0\n$EndElements\n")
    write("msh", "missing", (head % "2.2" + nodes + "$Elements\n1\n1 2 0 7 3 4\n$EndElements\n"))


def vtk():
    def file(kind, binary, body, version="3.0"):
        body = body if isinstance(body, bytes) else body.encode()
        return f"# vtk DataFile Version {version}\nmade for fuzzing\n{'BINARY' if binary else 'ASCII'}\nDATASET {kind}\n".encode() + body

    points = "POINTS 4 double\n" + "".join(f"{x} {y} {z}\n" for x, y, z in TETRAHEDRON)
    faces = "POLYGONS 4 16\n" + "".join(f"3 {a} {b} {c}\n" for a, b, c in FACES)
    data = ("POINT_DATA 4\nSCALARS m float 1\nLOOKUP_TABLE default\n1 2 3 nan\nVECTORS v double\n" + "0 1 2 " * 4 +
            "\nFIELD FieldData 2\na%20b 1 4 int\n1 2 3 4\nMETADATA\nINFORMATION 0\n\nb 2 4 bit\n0 1 0 1 0 1 0 1\n"
            "COLOR_SCALARS c 1\n0 0 1 1\nLOOKUP_TABLE t 1\n0 0 0 1\nCELL_DATA 4\nSCALARS q int\nLOOKUP_TABLE t\n1 2 3 4\n")
    write("vtk", "polydata", file("POLYDATA", False, points + "VERTICES 1 2\n1 0\nLINES 1 3\n2 0 1\n" + faces + data))
    write("vtk", "strips", file("POLYDATA", False, points + "TRIANGLE_STRIPS 1 5\n4 0 1 2 3\n"))
    binary = b"POINTS 4 float\n" + b"".join(struct.pack(">3f", *p) for p in TETRAHEDRON)
    cells = b"\nCELLS 4 16\n" + b"".join(struct.pack(">4i", 3, *f) for f in FACES) + b"\nCELL_TYPES 4\n" + struct.pack(">4i", 5, 5, 5, 7)
    scalars = b"\nPOINT_DATA 4\nSCALARS s short 1\nLOOKUP_TABLE default\n" + struct.pack(">4h", -1, 2, 3, 4)
    write("vtk", "binary", file("UNSTRUCTURED_GRID", True, binary + cells + scalars))
    offsets = (b"\nPOLYGONS 5 12\nOFFSETS vtktypeint64\n" + struct.pack(">5q", 0, 3, 6, 9, 12) +
               b"\nCONNECTIVITY vtktypeint64\n" + struct.pack(">12q", *(v for f in FACES for v in f)))
    write("vtk", "offsets", file("POLYDATA", True, binary + offsets, "5.1"))
    write("vtk", "grid", file("UNSTRUCTURED_GRID", False, points + "CELLS 4 17\n2 0 1\n4 0 1 2 3\n4 0 1 2 3\n3 0 1 2\nCELL_TYPES 4\n3 8 10 22\n"))
    lattice = "DIMENSIONS 3 2 1\nORIGIN 0 0 0\nSPACING 1 1 1\n"
    write("vtk", "lattice", file("STRUCTURED_POINTS", False, lattice + "POINT_DATA 6\nSCALARS h float\nLOOKUP_TABLE default\n1 2 3 4 5 0.1\n"))
    write("vtk", "lattice-binary", file("STRUCTURED_POINTS", True, (lattice + "CELL_DATA 2\nSCALARS h double\nLOOKUP_TABLE default\n").encode() + struct.pack(">2d", 0.1, 2)))
    write("vtk", "layers", file("STRUCTURED_POINTS", False, "DIMENSIONS 2 2 2\nPOINT_DATA 8\nSCALARS h int\nLOOKUP_TABLE default\n" + "1 " * 8))
    write("vtk", "lying", file("POLYDATA", True, "POINTS 4000000000 double\n0 0 0"))
    write("vtk", "xml", "<?xml version=\"1.0\"?>\n<VTKFile>\n")


# Images

def chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def png(width, height, depth, colour, rows, extra=b"", interlace=0):
    head = struct.pack(">IIBBBBB", width, height, depth, colour, 0, 0, interlace)
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + extra + chunk(b"IDAT", zlib.compress(rows, 9)) +
            chunk(b"IEND", b""))


def huffman(symbols):
    """A code in which all symbols have the same length, and no code is all ones."""
    length = max(1, (len(symbols)).bit_length())
    counts = [0] * 16
    counts[length - 1] = len(symbols)
    return counts, {symbol: (code, length) for code, symbol in enumerate(symbols)}


def jpg(width, height, components, progressive=False):
    """Grey or RGB blocks of one brightness each: only DC differences are sent."""
    counts, codes = huffman(list(range(12)))
    ac_counts, ac_codes = huffman([0])
    bits, last = "", [0] * components
    for block in range(-(-width // 8) * -(-height // 8)):
        for c in range(components):
            level = (block * 40 + c * 20) % 200 - 100
            difference, last[c] = level - last[c], level
            size = abs(difference).bit_length()
            code, length = codes[size]
            bits += format(code, f"0{length}b")
            if size:
                value = difference if difference > 0 else difference + (1 << size) - 1
                bits += format(value, f"0{size}b")
            if not progressive:
                code, length = ac_codes[0]
                bits += format(code, f"0{length}b")
    bits += "1" * (-len(bits) % 8)
    data = bytes(int(bits[i:i + 8], 2) for i in range(0, len(bits), 8)).replace(b"\xff", b"\xff\0")

    def segment(marker, payload):
        return bytes([0xFF, marker]) + struct.pack(">H", len(payload) + 2) + payload

    frame = struct.pack(">BHHB", 8, height, width, components) + b"".join(bytes([c + 1, 0x11, 0]) for c in range(components))
    scan = bytes([components]) + b"".join(bytes([c + 1, 0]) for c in range(components)) + (b"\0\0\0" if progressive else b"\0\x3f\0")
    return (b"\xff\xd8" + segment(0xE0, b"JFIF\0\1\1\0\0\1\0\1\0\0") + segment(0xDB, b"\0" + b"\x08" * 64) +
            segment(0xC2 if progressive else 0xC0, frame) + segment(0xC4, b"\0" + bytes(counts) + bytes(range(12))) +
            segment(0xC4, b"\x10" + bytes(ac_counts) + b"\0") + segment(0xDA, scan) + data + b"\xff\xd9")


def images():
    grey = b"".join(b"\0" + bytes((x * 40 + y * 9) % 256 for x in range(6)) for y in range(5))
    write("png", "grey8", png(6, 5, 8, 0, grey))
    write("png", "grey1", png(9, 2, 1, 0, b"\0\xaa\x80\0\x55\0"))
    write("png", "grey16", png(2, 2, 16, 0, b"\0\0\0\x80\0\0\xff\xff\x7f\xff"))
    write("png", "rgb-filters", png(2, 5, 8, 2, b"".join(bytes([f]) + bytes(range(f * 6, f * 6 + 6)) for f in range(5))))
    write("png", "rgba16", png(1, 2, 16, 6, b"\0" + bytes(range(8)) + b"\1" + bytes(8)))
    palette = chunk(b"PLTE", bytes(range(12))) + chunk(b"tRNS", b"\0\x80\xff")
    write("png", "palette2", png(5, 2, 2, 3, b"\0\x1b\0\0\xe4\0", palette))
    write("png", "grey-alpha", png(2, 1, 8, 4, b"\0\x10\x80\xf0\xff", chunk(b"gAMA", struct.pack(">I", 45455))))
    # Of 4 × 4 pixels the passes have 1, 0, 0, 1, 2, two times 2, and two times 4.
    interlaced = b"".join(b"\0" + bytes(range(9, 9 + n)) for n in (1, 1, 2, 2, 2, 4, 4))
    write("png", "interlaced", png(4, 4, 8, 0, interlaced, interlace=1))
    write("png", "text", png(1, 1, 8, 0, b"\0\x7f", chunk(b"tEXt", b"Comment\0\x1b[2J") + chunk(b"zTXt", b"a\0\0" + zlib.compress(b"b" * 99))))
    write("png", "cut", png(6, 5, 8, 0, grey)[:60])
    write("png", "huge", png(0x7FFFFFFF, 0x7FFFFFFF, 16, 6, b"\0" * 16))
    write("png", "few-rows", png(16384, 16384, 8, 0, b"\0" * 64))
    write("png", "checksum", png(6, 5, 8, 0, grey)[:-20] + b"\0" * 20)
    write("jpg", "grey", jpg(9, 8, 1))
    write("jpg", "colours", jpg(17, 5, 3))
    write("jpg", "progressive", jpg(8, 16, 1, True))
    write("jpg", "cut", jpg(17, 5, 3)[:-8])
    write("jpg", "huge", jpg(8, 8, 1).replace(struct.pack(">BHHB", 8, 8, 8, 1), struct.pack(">BHHB", 8, 65500, 65500, 1)))
    write("pgm", "grey8", b"P5\n# made for fuzzing\n4 2 255\n" + bytes(range(0, 240, 30)))
    write("pgm", "grey16", b"P5 3 2 65535\n" + struct.pack(">6H", 0, 1, 255, 256, 32768, 65535))
    write("pgm", "text", "P2\n3 2\n10\n0 5 10 # a row\n10 5 0\n")
    write("pgm", "bits", b"P4\n10 2\n\xaa\x80\x55\x40")
    write("pgm", "bits-text", "P1 3 2 101 010")
    write("pgm", "colours", b"P6 1 1 255\n\1\2\3")
    write("pgm", "huge", b"P5 16384 16384 255\n\0\0")
    write("pgm", "over", b"P5 2 1 100\n\x7f\x80")
    write("pgm", "cut", b"P5 4 4 255\n\0\0\0")
    write("ppm", "rgb8", b"P6 2 2 255\n" + bytes(range(12)))
    write("ppm", "rgb16", b"P6\n1 2\n1000\n" + struct.pack(">6H", 0, 500, 1000, 1, 2, 3))
    write("ppm", "text", "P3\n2 1\n255\n255 0 0  0 255 0\n")
    write("ppm", "huge", b"P6 16384 16384 65535\n\0\0")
    for name, height, bits, compression, palette, rows in (
            ("rgb24", 2, 24, 0, b"", bytes(range(9)) + b"\0\0\0" + bytes(9) + b"\0\0\0"),
            ("from-the-top", -2, 32, 0, b"", bytes(range(24))), ("masks", 1, 32, 3, struct.pack("<3I", 0xFF0000, 0xFF00, 0xFF), bytes(12)),
            ("palette1", 2, 1, 0, b"\0\0\0\0\xff\xff\xff\0", b"\xa0\0\0\0\x40\0\0\0"), ("palette4", 1, 4, 0, bytes(range(64)), b"\x01\x20\0\0"),
            ("palette8", 1, 8, 0, bytes(1024), b"\1\2\3\0"), ("packed", 1, 8, 1, bytes(1024), b"\3\1\0\1"), ("cut", 9, 24, 0, b"", bytes(12)),
            ("huge", 16384, 24, 0, b"", b"")):
        at = 54 + len(palette)
        write("bmp", name, b"BM" + struct.pack("<IHHI", at + len(rows), 0, 0, at) +
              struct.pack("<IiiHHIIiiII", 40, 3, height, 1, bits, compression, len(rows), 2835, 2835, 0, 0) + palette + rows)
    write("bmp", "os2", b"BM" + struct.pack("<IHHI", 26 + 12, 0, 0, 26) + struct.pack("<IHHHH", 12, 3, 1, 1, 24) + bytes(range(12)))
    exif = b"MM\0*\0\0\0\x08\0\1\1\x12\0\3\0\0\0\1\0\6\0\0\0\0\0\0"
    write("jpg", "exif", b"\xff\xd8\xff\xe1" + struct.pack(">H", len(exif) + 8) + b"Exif\0\0" + exif + jpg(9, 8, 1)[2:])
    write("png", "exif", png(6, 5, 8, 0, grey, chunk(b"eXIf", exif)))
    tiffs()
    tga = lambda kind, bits, data, palette=b"", descriptor=0: (
        bytes([2, bool(palette), kind, 0, 0, len(palette) // 3, 0, 24 if palette else 0, 0, 0, 0, 0, 3, 0, 2, 0, bits, descriptor]) +
        b"id" + palette + data)
    write("tga", "grey", tga(3, 8, bytes(range(6))))
    write("tga", "rgb", tga(2, 24, bytes(range(18)), descriptor=32))
    write("tga", "rgba", tga(2, 32, bytes(range(24)), descriptor=24))
    write("tga", "five-bits", tga(2, 16, bytes(range(12))))
    write("tga", "packed", tga(10, 24, b"\x82\1\2\3\2" + bytes(9)))
    write("tga", "palette", tga(1, 8, b"\0\1\2\1\0\1", bytes(9)))
    write("tga", "packed-palette", tga(9, 8, b"\x85\2", bytes(9)))
    write("tga", "cut", tga(2, 24, bytes(9)))
    psd = lambda channels, depth, compression, data: (
        b"8BPS\0\1" + bytes(6) + struct.pack(">HIIHHIIIH", channels, 2, 3, depth, 3, 0, 0, 0, compression) + data)
    write("psd", "rgb", psd(3, 8, 0, bytes(range(18))))
    write("psd", "rgba", psd(4, 8, 0, bytes(range(24))))
    write("psd", "rgb16", psd(3, 16, 0, bytes(range(36))))
    write("psd", "packed", psd(3, 8, 1, struct.pack(">6H", *[2] * 6) + b"\xfe\x10" * 6))
    write("psd", "cut", psd(3, 8, 0, bytes(9)))


def tiff(pages, order="<"):
    """Pages of (tags, data): each tag is (number, type, values), and 273 is filled in where the data comes to lie."""
    size = {1: "B", 2: "B", 3: "H", 4: "I", 11: "f"}
    out = (b"II" if order == "<" else b"MM") + struct.pack(order + "HI", 42, 8)
    for number, (tags, data) in enumerate(pages):
        at = len(out)
        after = at + 2 + 12 * (len(tags) + 1) + 4
        extra = b""
        entries = b""
        for tag, kind, values in sorted(tags + [(273, 4, [0])]):
            packed = struct.pack(order + str(len(values)) + size[kind], *values)
            if tag == 273:
                entries += struct.pack(order + "HHI", tag, kind, 1) + b"HERE"
            elif len(packed) <= 4:
                entries += struct.pack(order + "HHI", tag, kind, len(values)) + packed.ljust(4, b"\0")
            else:
                entries += struct.pack(order + "HHII", tag, kind, len(values), after + len(extra))
                extra += packed
        end = after + len(extra) + len(data)
        entries = entries.replace(b"HERE", struct.pack(order + "I", after + len(extra)))
        out += (struct.pack(order + "H", len(tags) + 1) + entries +
                struct.pack(order + "I", end if number + 1 < len(pages) else 0) + extra + data)
    return out


def tiffs():
    def tags(width, height, bits, samples, photometric, data, *more, compression=1):
        return ([(256, 3, [width]), (257, 3, [height]), (258, 3, [bits] * samples), (259, 3, [compression]),
                 (262, 3, [photometric]), (277, 3, [samples]), (278, 3, [height]), (279, 4, [len(data)]), *more], data)
    write("tif", "grey8", tiff([tags(4, 2, 8, 1, 1, bytes(range(8)))]))
    write("tif", "big-endian16", tiff([tags(2, 2, 16, 1, 0, bytes(range(8)))], ">"))
    write("tif", "float", tiff([tags(2, 1, 32, 1, 1, struct.pack("<2f", 0.25, -3), (339, 3, [3]))]))
    write("tif", "labels32", tiff([tags(2, 2, 32, 1, 1, struct.pack("<4I", 0, 1, 1, 4294967295))]))
    write("tif", "pages", tiff([tags(2, 1, 8, 1, 1, b"ab"), tags(2, 1, 8, 1, 1, b"cd"), tags(1, 1, 8, 1, 1, b"e")]))
    write("tif", "bits", tiff([tags(9, 2, 1, 1, 0, b"\xaa\x80\x55\0")]))
    write("tif", "rgba", tiff([tags(2, 1, 8, 4, 2, bytes(range(8)), (338, 3, [2]))]))
    write("tif", "turned", tiff([tags(3, 2, 8, 1, 1, bytes(range(6)), (274, 3, [6]))]))
    write("tif", "palette", tiff([tags(2, 2, 2, 1, 3, b"\x10\xb0", (320, 3, list(range(0, 48000, 4000))))]))
    packed = zlib.compress(bytes(range(64)))
    write("tif", "deflate", tiff([tags(8, 8, 8, 1, 1, packed, compression=8)]))
    write("tif", "packbits", tiff([tags(8, 2, 8, 1, 1, b"\xf9\1\xf9\2", compression=32773)]))
    page, data = tags(5, 3, 8, 1, 1, bytes(256))
    page = [tag for tag in page if tag[0] not in (278, 279)] + [(322, 3, [16]), (323, 3, [16]), (324, 4, [0]), (325, 4, [256])]
    write("tif", "tiles-nowhere", tiff([(page, data)]))
    write("tif", "ycbcr", tiff([tags(2, 2, 8, 3, 6, bytes(range(12)), (530, 3, [1, 1]))]))
    write("tif", "cmyk", tiff([tags(2, 1, 8, 4, 5, bytes(range(8)))]))
    write("tif", "imagej", tiff([tags(1, 1, 8, 1, 1, b"a", (270, 2, list(b"ImageJ=1.5\nchannels=2\nunit=um\n\0")))]))
    write("tif", "cut", tiff([tags(4, 2, 8, 1, 1, bytes(range(8)))])[:-3])
    write("tif", "huge", tiff([tags(16384, 16384, 16, 1, 1, bytes(8))]))
    write("ppm", "pam", b"P7\nWIDTH 1\nHEIGHT 1\nDEPTH 1\nMAXVAL 255\nTUPLTYPE GRAYSCALE\nENDHDR\n\x10")


# Triangles over points of another file

def triangles():
    for name, text in {
        "plain": "0 1 2\n1 3 2\n", "header": "a,b,c\n0,1,2\n1,3,2\n", "pandas": ",0,1,2\n0,0,1,2\n1,1,3,2\n",
        "r": '"","V1","V2","V3"\n"1",1,2,3\n"2",2,4,9\n', "tabs": "\t0\t1\t2\n0\t0\t1\t2\n", "floats": "0.0;1e0;2,0\n",
        "count": "2\n0 1 2\n1 3 2\n", "comments": "# a\n% b\n// c\n0 1 2 # d\n", "wild": "-1 4294967295 99999999999999999999\n1e300 nan 2\n",
        "text": "id,kind,a,b,c\n0,x,0,1,2\n1,y,1,3,2\n", "quote": '"0,1\n', "short": "0 1\n", "header-alone": "a;b;c",
    }.items():
        write("triangles_csv", name, text)


# Texts of the program's own

def program():
    write("scenario", "all", '{"lab": "build", "points": "uniform:1000@seed=7", "seed": 3, "play": true,\n'
          ' "presenter_scale": 1.5, "parameters": {"predicate": "exact"}, "hide": ["links", "marks"], "show": "field"}\n')
    write("scenario", "files", '{"input": "a.ply", "field": "b.png", "tracks": "c.csv"}')
    write("scenario", "voronoi", '{"lab": "voronoi", "mesh": "uniform:10", "parameters": {"width": 64, "torus": true, "lloyd": 2}}')
    write("scenario", "types", '{"lab": 1, "points": [], "seed": -1, "parameters": {"a": {}}}')
    write("scenario", "deep", "[" * 3000)
    write("scenario", "deep-objects", '{"a":' * 500)
    write("scenario", "escapes", '{"\\u001b[2J": "\\ud83d\\ude00\\u0000", "lab": "\x1b[31m"}')
    write("scenario", "bytes", b'{"lab": "\xff\xfe\x1b", \xff')
    write("scenario", "numbers", '{"seed": 18446744073709551616, "presenter_scale": 1e999}')
    write("scenario", "twice", '{"points": "grid:9", "mesh": "grid:9"}')
    write("scenario", "array", "[1, 2]")
    write("scenario", "utf16", '{"lab": "build"}'.encode("utf-16"))
    write("generator", "plain", "uniform:100")
    write("generator", "all", "ring:64@scale=1e6,x=1e12,y=-3,seed=7")
    for name in ("grid:1e2", "poisson:50", "clusters:20", "near-grid:30", "spiral:9", "torus-knot:200", "sphere:100"):
        write("generator", name.replace(":", "-"), name)
    for name in ("halton:30@skip=9,random=1", "sobol:32@random=1", "r2:9", "jittered:11@amount=0.5", "thomas:90@mean=9,sigma=0.02",
                 "matern-cluster:90@radius=0.1,mean=7", "matern2:40@radius=0.05", "matern2:40@radius=0.5", "ginibre:25",
                 "hexagonal:60@noise=0.1,vacancies=0.2", "penrose:77", "blue-noise:50@iterations=3"):
        write("generator", name.replace(":", "-").replace("@", "-").replace(",", "-").replace("=", "-"), name)
    write("generator", "option-range", "thomas:9@mean=-1")
    write("generator", "many", "uniform:1e30")
    write("generator", "unknown", "unifrom:10@seed=-1,scale=nan")
    write("parameter", "choice", b"\0predicate=exact")
    write("parameter", "whole", b"\x02width=96")
    write("parameter", "number", b"\x03lloyd=1e3")
    write("parameter", "toggle", b"\x04torus=on")
    write("parameter", "unknown", b"\x01predicates=double")
    write("parameter", "form", b"\0=")
    for name, words in {
        "run": ["run", "build", "--points", "uniform:100", "--check", "--json", "-"],
        "show": ["--lab", "flip", "--size", "640x480", "--presenter-scale", "2", "--light"],
        "set": ["run", "voronoi", "--set", "width=64", "--set", "torus=on", "--hide", "cells,links", "--show", "field"],
        "view": ["run", "flip", "--mesh", "torus-knot:200", "--view", "-60,25", "--steps", "3", "--threads", "2"],
        "help": ["--help"], "run-help": ["run", "--help"], "version": ["--version"], "list": ["list", "labs"],
        "unknown": ["run", "build", "--chekc"], "misplaced": ["--points", "ring:5", "run", "build"],
        "number": ["run", "build", "--seed", "-1"], "file": ["nothing.xy"], "escape": ["--\x1b[2J"],
    }.items():
        write("command_line", name, "".join(word + "\0" for word in words))


# Saved states

def mix64(v):
    mask = 2**64 - 1
    v = (v + 0x9E3779B97F4A7C15) & mask
    v = ((v ^ (v >> 30)) * 0xBF58476D1CE4E5B9) & mask
    v = ((v ^ (v >> 27)) * 0x94D049BB133111EB) & mask
    return v ^ (v >> 31)


def checksum(data):
    words = data.ljust(-len(data) % 8 + len(data), b"\0")
    whole = len(data) // 8
    value = 0
    for i in range(whole):
        value = mix64(value ^ struct.unpack_from("<Q", words, 8 * i)[0])
    rest = struct.unpack_from("<Q", words, 8 * whole)[0] if len(data) % 8 else 0
    return struct.pack("<Q", mix64(mix64(value ^ rest) ^ len(data)))


def states():
    def state(header, blocks, version=1, sizes=None):
        front = b"\x89FSC\r\n\x1a\n" + struct.pack("<IIQQ", version, 0, len(header), len(blocks))
        front += b"".join(struct.pack("<Q", size) for size in (sizes or map(len, blocks)))
        front += checksum(front)
        whole = front + header + b"".join(blocks)
        return whole + checksum(whole)

    sound = state(b"{}", [b"abc", b"", b"0123456789"])
    write("state", "sound", sound)
    write("state", "empty", state(b"", []))
    write("state", "cut", sound[:-3])
    write("state", "newer", state(b"{}", [], version=2))
    write("state", "sizes", state(b"{}", [b"abc", b"def"], sizes=[2**63, 2**63 + 6]))


for make in (texts, structured, arrays, tracks, recordings, meshes, gmsh, vtk, images, triangles, states, program):
    make()
