// What the tests of mesh readers share: a folder of their own, files in it, and what a reader says of them.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "io/geometry.h"
#include "scratch.h"

namespace flipscope::mesh_files {

using Points = std::vector<Point>;
using Triangles = std::vector<std::array<uint32_t, 3>>;
using Segments = std::vector<std::array<uint32_t, 2>>;
using Notes = std::vector<std::string>;

/// A folder of its own that goes when the test is over.
struct Scratch {
    std::filesystem::path folder = flipscope::make_scratch_folder();
    ~Scratch() {
        std::error_code ignored;
        std::filesystem::remove_all(folder, ignored);
    }
    std::filesystem::path file(const std::string& name, const std::string& content) const {
        std::ofstream(folder / name, std::ios::binary) << content;
        return folder / name;
    }
};

inline Geometry read(const std::string& name, const std::string& content, std::vector<std::string>* notes = nullptr) {
    const Scratch scratch;
    return read_geometry(scratch.file(name, content), notes);
}

/// The message that refuses the file, without the folder in front; "accepted" if there is none.
inline std::string refusal(const std::string& name, const std::string& content) {
    const Scratch scratch;
    const std::filesystem::path path = scratch.file(name, content);
    try {
        read_geometry(path);
    } catch (const Error& error) {
        const std::string message = error.what(), folder = scratch.folder.string() + "/";
        return message.starts_with(folder) ? message.substr(folder.size()) : "without its file: " + message;
    }
    return "accepted";
}

/// The notes about the file, without the folder in front.
inline std::vector<std::string> notes_of(const std::string& name, const std::string& content) {
    const Scratch scratch;
    std::vector<std::string> notes;
    read_geometry(scratch.file(name, content), &notes);
    for (std::string& note : notes) note = note.substr(scratch.folder.string().size() + 1);
    return notes;
}

/// The bytes of an unsigned integer, the lowest first unless `big`.
template <typename Unsigned>
std::string bytes(Unsigned value, bool big = false) {
    std::string result;
    for (size_t i = 0; i < sizeof value; ++i) {
        result += static_cast<char>(value >> (8 * (big ? sizeof value - 1 - i : i)) & 0xff);
    }
    return result;
}
inline std::string bytes(double value, bool big = false) { return bytes(std::bit_cast<uint64_t>(value), big); }
inline std::string bytes(float value, bool big = false) { return bytes(std::bit_cast<uint32_t>(value), big); }

/// A binary STL: three vertices of three coordinates for each triangle.
inline std::string binary_stl(const std::vector<std::vector<float>>& triangles, const std::string& title = "") {
    std::string file = title;
    file.resize(80, ' ');
    file += bytes(static_cast<uint32_t>(triangles.size()));
    for (const auto& triangle : triangles) {
        file += std::string(12, '\0');
        for (const float v : triangle) file += bytes(v);
        file += std::string(2, '\0');
    }
    return file;
}

/// A PLY of a tetrahedron; its numbers are of the type `real` ("float" or "double"), written as `format` says.
inline std::string tetrahedron_ply(const std::string& format, const std::string& real = "double") {
    std::string file = "ply\nformat " + format + " 1.0\ncomment a tetrahedron\nelement vertex 4\nproperty " + real +
                       " x\nproperty " + real + " y\nproperty " + real +
                       " z\nelement face 4\nproperty list uchar int vertex_indices\nend_header\n";
    const double points[4][3] = {{0.5, 0, 0}, {0.1, 0.25, 1}, {0, 1, 0}, {-1, 0, 0}};
    const uint32_t faces[4][3] = {{0, 1, 2}, {0, 2, 3}, {0, 3, 1}, {1, 3, 2}};
    const bool big = format == "binary_big_endian";
    for (const auto& p : points) {
        for (const double v : p) {
            if (format == "ascii") file += (v == 0.1 ? "0.1" : v == 0.25 ? "0.25" : std::to_string(v)) + " ";
            if (format != "ascii") file += real == "float" ? bytes(static_cast<float>(v), big) : bytes(v, big);
        }
        if (format == "ascii") file += "\n";
    }
    for (const auto& f : faces) {
        file += format == "ascii" ? "3" : "\x03";
        for (const uint32_t v : f) file += format == "ascii" ? " " + std::to_string(v) : bytes(v, big);
        if (format == "ascii") file += "\n";
    }
    return file;
}

inline const std::string kTetrahedronObj =
    "# a tetrahedron\nmtllib a.mtl\no tetra\nv 0.5 0 0\nv 0.1 0.25 1\nv 0 1 0\nv -1 0 0\nvt 0 0\nvn 0 0 1\n"
    "usemtl grey\ns off\nf 1 2 3\nf 1/1 3/1 4/1\nf 1//1 4//1 2//1\nf 2/1/1 4/1/1 3/1/1\n";
inline const std::string kTetrahedronOff =
    "OFF # a tetrahedron\n4 4 6\n\n0.5 0 0\n0.1 0.25 1\n0 1 0 # the third\n-1 0 0\n3 0 1 2\n3 0 2 3 255 0 0\n"
    "3 0 3 1 0.5 0.5 0.5\n3 1 3 2\n";
inline const std::string kTetrahedronStl =
    "solid tetra\n facet normal 0 0 0\n  outer loop\n   vertex 0.5 0 0\n   vertex 0.1 0.25 1\n   vertex 0 1 0\n"
    "  endloop\n endfacet\n facet normal 0 0 0\n  outer loop\n   vertex 0.5 0 0\n   vertex 0 1 0\n   vertex -1 0 0\n"
    "  endloop\n endfacet\n facet normal 0 0 0\n  outer loop\n   vertex 0.5 0 0\n   vertex -1 0 0\n"
    "   vertex 0.1 0.25 1\n  endloop\n endfacet\n facet normal 0 0 0\n  outer loop\n   vertex 0.1 0.25 1\n"
    "   vertex -1 0 0\n   vertex 0 1 0\n  endloop\n endfacet\nendsolid tetra\n";

}  // namespace flipscope::mesh_files
