// Detects the dialect of a table from its first lines: separator, decimal mark, preamble, names of columns. Also splits
// lines and parses numbers in all notations of tables. Called only by the reader of tables.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "io/files.h"
#include "io/parse.h"
#include "io/read_options.h"

namespace flipscope::io {

struct Dialect {
    char separator = ' ';  // ' ': any blanks
    char decimal = '.';
    bool signs_separate = false;  // fixed-width numbers without separators: "1.25-0.5" is two
};

/// A field between two separators.
struct TableField {
    std::string_view text;  // without surrounding blanks and quotes; inner quotes stay doubled
    bool quoted = false;
};

/// Splits a line into fields. A quoted field must end in its line, and a separator must follow; otherwise fault()
/// explains the error.
class FieldSplitter {
  public:
    /// `taken`: the fields before `line`, for messages.
    FieldSplitter(const Dialect& dialect, std::string_view line, size_t taken = 0);
    bool next(TableField& field);
    /// The rest of the line, without a leading separator.
    std::string_view rest() const { return rest_; }
    /// Why next() ended early; or empty.
    const std::string& fault() const { return fault_; }
    bool has_more() const { return more_; }

  private:
    bool stop(std::string fault);

    Dialect dialect_;
    std::string_view rest_;
    size_t taken_;
    bool more_ = true;
    std::string fault_;
};

/// The text with single quotes.
std::string text_of(TableField field);

/// "#note" and "//note", which end a line.
inline bool begins_remark(std::string_view text) { return text.starts_with('#') || text.starts_with("//"); }

/// "1.#QNAN", "-1.#IND00", "1.#INF": non-finite numbers as written by the C library of Windows.
inline bool is_no_number(std::string_view text) { return text.substr(text.starts_with('-')).starts_with("1.#"); }

/// "", "NA", "nan", "-", "null" and similar: no value.
bool is_missing(std::string_view field);

/// Whether a field begins like well-known text or GeoJSON: "POINT (1 2)", "{"type": "Polygon", …".
bool is_shape_text(std::string_view text);

/// Parses a field as the nearest double: with the dialect's decimal mark, groups of three digits ("1'234.5", in quotes
/// "1,234.5"), a Fortran exponent ("1.3D-01"), a Unicode minus, or infinity. `is_grouped`: set if groups of digits were
/// joined.
bool number_in(TableField field, const Dialect& dialect, double& value, bool* is_grouped = nullptr);
inline bool is_number(TableField field, const Dialect& dialect) {
    double ignored = 0;
    return number_in(field, dialect, ignored);
}

/// A line that is not a row: a comment with "#", "%" or "//", or a rule such as "-----+-----".
bool is_remark(std::string_view trimmed_line);

enum class ColumnKind : uint8_t { kNumber, kText, kMissing };  // from the first lines

struct TableText {
    Dialect dialect;
    std::vector<ColumnKind> kinds;                     // one a column
    std::vector<bool> mostly_numbers;                  // one a column: texts among the numbers may be errors
    std::vector<std::string> header;                   // (columns) as in the file; empty: no header
    std::vector<std::string> units;                    // (columns) from a line of units below the header; or empty
    bool row_names = false;                            // the first column has no name in the header
    size_t body = 0;                                   // byte offset of the first row
    uint64_t body_line = 1;                            // its line, from 1
    bool has_grouped = false;                          // ambiguous commas: decimal mark or grouping
    std::vector<std::string> titles;                   // lines before the header
    std::vector<std::vector<std::string>> first_rows;  // at most 8
    bool counts_rows = false;                          // column 0 is 0, 1, 2 … or 1, 2, 3 …, in three rows at least
    bool distinct_text = false;                        // the first column of text has no duplicates
};

/// A text without rows (empty, a line of names, or a count of 0) has no kinds, and its only line is a title. Throws
/// Error if no line has two numbers (or a WKT point): "a.xy:4: expected two numbers, found …".
TableText find_table(const std::filesystem::path& path, const FileBytes& bytes, const ReadOptions& options,
                     const std::string& row = "two numbers");

}  // namespace flipscope::io
