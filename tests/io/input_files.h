// Shared by the tests of readers: a folder with files, the result and the messages of a reader, .npy files and meshes
// made by hand.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include "io/fields.h"
#include "io/geometry.h"
#include "scratch.h"
#include "test_support.h"

namespace flipscope::input_files {

using Points = std::vector<Point>;
using Triangles = std::vector<std::array<uint32_t, 3>>;
using Segments = std::vector<std::array<uint32_t, 2>>;
using Notes = std::vector<std::string>;

/// A temporary folder, removed after the test.
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

inline std::string content_of(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}
inline size_t files_in(const std::filesystem::path& folder) {
    return static_cast<size_t>(
        std::distance(std::filesystem::directory_iterator(folder), std::filesystem::directory_iterator()));
}

/// The texts between bars.
inline Notes parts_of(std::string_view text) {
    Notes parts;
    for (;;) {
        const size_t end = text.find('|');
        parts.emplace_back(text.substr(0, end));
        if (end == text.npos) return parts;
        text.remove_prefix(end + 1);
    }
}

inline bool any_contains(const Notes& texts, const std::string& part) {
    return std::any_of(texts.begin(), texts.end(), [&](const std::string& text) { return contains(text, part); });
}

/// The result of `read_path` for a file of this content; `notes` are without the folder in front.
template <class Read>
auto read_by(const Read& read_path, const std::string& name, const std::string& content, Notes* notes) {
    const Scratch scratch;
    auto made = read_path(scratch.file(name, content));
    const std::string folder = scratch.folder.string() + "/";
    if (notes)
        for (std::string& note : *notes)
            if (note.starts_with(folder)) note.erase(0, folder.size());
    return made;
}
inline Geometry read(const std::string& name, const std::string& content, Notes* notes = nullptr,
                     const ReadOptions& options = {}) {
    return read_by([&](const auto& path) { return read_geometry(path, notes, options); }, name, content, notes);
}
inline Tracks tracks_in(const std::string& name, const std::string& content, Notes* notes = nullptr) {
    return read_by([&](const auto& path) { return read_tracks(path, notes); }, name, content, notes);
}
inline Notes notes_of(const std::string& name, const std::string& content) {
    Notes notes;
    read(name, content, &notes);
    return notes;
}

/// The message that `read` refuses a file of this content with, without the folder in front; "accepted" if there is
/// none.
template <class Read>
std::string refused(const Read& read, const std::string& name, const std::string& content) {
    const Scratch scratch;
    const std::filesystem::path path = scratch.file(name, content);
    try {
        read(path);
    } catch (const Error& error) {
        const std::string message = error.what(), folder = scratch.folder.string() + "/";
        return message.starts_with(folder) ? message.substr(folder.size()) : "without its file: " + message;
    }
    return "accepted";
}
inline std::string refusal(const std::string& name, const std::string& content, const ReadOptions& options = {}) {
    return refused([&](const auto& path) { read_geometry(path, nullptr, options); }, name, content);
}
inline std::string tracks_refusal(const std::string& name, const std::string& content) {
    return refused([](const auto& path) { read_tracks(path); }, name, content);
}

inline Notes column_names(const Geometry& geometry) {
    Notes names;
    if (geometry.attributes)
        for (const Attribute& one : *geometry.attributes) names.push_back(one.name);
    return names;
}
inline const Attribute& column(const Geometry& geometry, size_t k) {
    REQUIRE((geometry.attributes && geometry.attributes->size() > k));
    return geometry.attributes->at(k);
}
inline const Attribute& column(const Geometry& geometry, const std::string& name) {
    const Notes names = column_names(geometry);
    return column(geometry, static_cast<size_t>(std::find(names.begin(), names.end(), name) - names.begin()));
}

/// The bytes of an unsigned integer, the lowest first unless `big`.
template <typename Unsigned>
std::string bytes(Unsigned value, bool big = false) {
    std::string result;
    for (size_t i = 0; i < sizeof value; ++i)
        result += static_cast<char>(value >> (8 * (big ? sizeof value - 1 - i : i)) & 0xff);
    return result;
}
inline std::string bytes(double value, bool big = false) { return bytes(std::bit_cast<uint64_t>(value), big); }
inline std::string bytes(float value, bool big = false) { return bytes(std::bit_cast<uint32_t>(value), big); }

template <class Number>
std::string npy(const std::string& type, const std::string& shape, const std::vector<Number>& numbers,
                const std::string& column_major = "False") {
    const std::string header =
        "{'descr': '" + type + "', 'fortran_order': " + column_major + ", 'shape': " + shape + ", }\n";
    std::string bytes = "\x93NUMPY";
    bytes += '\1';
    bytes += '\0';
    bytes += static_cast<char>(header.size() & 0xff);
    bytes += static_cast<char>(header.size() >> 8);
    bytes += header;
    const bool turned = type[0] == '>';
    for (const Number& number : numbers) {
        char raw[sizeof(Number)];
        std::memcpy(raw, &number, sizeof raw);
        for (size_t i = 0; i < sizeof raw; ++i) bytes += raw[turned ? sizeof raw - 1 - i : i];
    }
    return bytes;
}

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

}  // namespace flipscope::input_files
