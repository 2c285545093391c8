// The list of file formats: how each is recognised and read. A new format is a reader and a line in formats.cpp, or,
// for formats that core does not know, such as images, a call of add_format(). read_geometry() is the one caller.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "geometry/point.h"
#include "io/files.h"
#include "io/points.h"
#include "io/read_options.h"

namespace flipscope {
struct TableLayout;  // io/table.h
}

namespace flipscope::io {

/// A file that is being read.
struct InputFile {
    const std::filesystem::path& path;  // for messages; "-" is standard input
    const FileBytes& bytes;             // decompressed, text as UTF-8
    const ReadOptions& options;
    std::vector<std::string>& notes;  // what was understood and what is not used, a sentence each, as "trees.csv: …"
    TableLayout* layout = nullptr;    // the reader of tables says here how it read one; nullptr: unwanted
};

struct Format {
    FormatInfo info;  // its endings and what it is
    /// Whether the content is of this format, from its first bytes; nullptr: nothing in them says so.
    bool (*recognises)(std::string_view bytes);
    /// Throws Error. Sets all of the geometry but its name.
    Geometry (*read)(const InputFile& file);
};

/// All formats, in the order in which they are tried.
const std::vector<Format>& formats();

/// Adds a format behind the others. To be called before the first file is read, from one thread.
void add_format(Format format);

/// The format of a file: of those with its ending the one that recognises its first bytes, or else any that does, or
/// else the first with its ending; a text that no format knows is a table. nullptr: none.
const Format* format_of(const std::filesystem::path& path, std::string_view first_bytes);

/// What to do with a file of a well-known program that is not read: "is an Excel workbook; …". nullptr: it is none.
const char* foreign_format(const std::filesystem::path& path, std::string_view bytes);

/// Says which options of tables have no effect on a file that is none.
void note_unused_options(const Format& format, const InputFile& file);

/// Whether a text holds shapes as databases print them: well-known binary in hexadecimal digits.
bool has_hex_shapes(std::string_view bytes);

}  // namespace flipscope::io
