// The list of file formats with their detection and readers. A new format is a file with its reader, and its
// declaration and entry in formats.cpp or, for formats outside of core such as images, a call of add_format(). Only
// read_geometry() calls it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "geometry/frames.h"
#include "geometry/point.h"
#include "io/files.h"
#include "io/points.h"
#include "io/read_options.h"

namespace flipscope {
struct TableLayout;  // io/table.h
}

namespace flipscope::io {

inline constexpr size_t kLongestColumnName = 64;  // bytes; longer names of columns are shortened

/// The input of a reader.
struct InputFile {
    const std::filesystem::path& path;  // for messages; "-" is standard input
    const FileBytes& bytes;             // decompressed, text as UTF-8
    const ReadOptions& options;
    std::vector<std::string>& notes;  // interpretation and unused parts, one sentence each: "trees.csv: …"
    TableLayout* layout = nullptr;    // receives the layout of a table; may be nullptr

    void note(const std::string& sentence) const { notes.push_back(path.string() + ": " + sentence); }
    void note_once(const std::string& sentence) const;
    /// "trees.csv: " and `why`.
    Error fail(const std::string& why) const { return Error(path.string() + ": " + why); }
};

/// Gives the points these columns, unless there are none.
void set_attributes(Geometry& geometry, std::vector<Attribute> attributes);

/// Puts the column that the user chose for radii first and names it "radius", for which labs look; with a note. Throws
/// Error if there is no such column of numbers.
void use_radius_column(std::vector<Attribute>& columns, const InputFile& file);
void use_radius_column(Geometry& geometry, const InputFile& file);

/// The values of the selected rows, which ascend; empty for no values.
template <class T>
void keep_rows(std::vector<T>& values, const std::vector<uint64_t>& rows) {
    if (values.empty()) return;
    for (size_t i = 0; i < rows.size(); ++i)
        if (rows[i] != i) values[i] = std::move(values[rows[i]]);
    values.resize(rows.size());
}

/// Appends to "a; b", unless empty.
void append_clause(std::string& to, const std::string& clause, const char* between = "; ");

/// Where a file of a mesh is read besides by its own name.
enum class MeshUse : uint8_t {
    kNone,
    kInFolder,   // in a folder each file is a step of a recording, or a case of `flipscope check`
    kTriangles,  // also: its faces can be triangles over points of another file; the reader must keep all vertices
};

struct Format {
    FormatInfo info;  // extensions and description
    /// Detects the format by its first bytes; nullptr: not detectable.
    bool (*recognises)(std::string_view bytes);
    /// Throws Error. Sets all members of the geometry but its name.
    Geometry (*read)(const InputFile& file);
    MeshUse mesh_use = MeshUse::kNone;
    /// Reads points over time of any number of frames. nullptr: read() does. Throws Error.
    Tracks (*read_tracks)(const InputFile& file) = nullptr;
    /// Whether a file with the extension alone is a table of text. nullptr: it is not.
    bool (*is_table)(std::string_view bytes) = nullptr;
};

/// All formats in the order of detection.
const std::vector<Format>& formats();

/// The extensions of the formats with at least this use.
std::vector<std::string> mesh_extensions(MeshUse least);

/// Appends a format. Call it before the first file is read, from one thread.
void add_format(Format format);

/// The format of a file: first by extension and content, then by content, then by extension; any other text is a table.
/// nullptr: unknown.
const Format* format_of(const std::filesystem::path& path, const FileBytes& bytes);

/// The same, without nullptr: throws Error with advice for an unsupported file of a well-known program, "is an Excel
/// workbook; …", otherwise with `unknown`.
const Format& require_format(const std::filesystem::path& path, const FileBytes& bytes, const std::string& unknown);

/// Whether it is the format of tables.
bool is_table(const Format& format);

/// Notes options of tables that have no effect on a file of another format.
void note_unused_options(const Format& format, const InputFile& file);

/// Whether a text contains shapes as well-known binary in hexadecimal, as databases print them.
bool has_hex_shapes(std::string_view bytes);

}  // namespace flipscope::io
