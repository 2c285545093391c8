// How a text is a table: its separator, its decimal mark, what stands before the first row, the names of its columns.
// All is found from the first lines. Lines are split and numbers are read here, too, in any notation that tables have.
// Called by the reader of tables alone.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
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
    bool signs_separate = false;  // numbers of fixed width run together: "1.25-0.5" is two
};

/// What stands between two separators.
struct TableField {
    std::string_view text;  // without blanks and quotes around it; a quote within quotes stays doubled
    bool quoted = false;
};

/// Takes the next field off a line and the separator behind it; false where the line has no more. A field in quotes
/// ends in its line. Throws Error where its quote is not closed, or something else than a separator follows; `place`
/// begins the sentence, `column` counts from 1.
class FieldSplitter {
  public:
    FieldSplitter(const Dialect& dialect, std::string_view line);
    bool next(TableField& field);
    /// What is left, with no separator before it.
    std::string_view rest() const { return rest_; }
    /// Why next() ended early; empty: it did not.
    std::string fault() const;
    size_t taken() const { return taken_; }
    bool has_more() const { return more_; }

  private:
    enum class Fault { kNone, kUnclosed, kBehindQuote };
    Dialect dialect_;
    std::string_view line_, rest_, at_fault_;
    size_t taken_ = 0;
    bool more_ = true;
    Fault fault_ = Fault::kNone;
};

/// "1.#QNAN", "-1.#IND00", "1.#INF": what the C library of Windows writes that is no finite number.
inline bool is_no_number(std::string_view text) { return text.substr(text.starts_with('-')).starts_with("1.#"); }

/// "", "NA", "nan", "-", "null" and the like: there is no value.
bool is_missing(std::string_view field);

/// Whether a field begins as a shape, well-known text or GeoJSON: "POINT (1 2)", "{"type": "Polygon", …".
bool is_shape_text(std::string_view text);

/// The number that a field is, as the nearest double: with the dialect's decimal mark, groups of three digits
/// ("1'234.5", in quotes "1,234.5"), a Fortran exponent ("1.3D-01"), a proper minus. Infinite where it says so.
/// `is_grouped`: set where groups of digits were joined.
bool number_in(TableField field, const Dialect& dialect, double& value, bool* is_grouped = nullptr);

/// A line that is no row of the table: a remark, which "#", "%" or "//" begins, or a rule, as "-----+-----".
bool is_remark(std::string_view trimmed_line);

enum class ColumnKind : uint8_t { kNumber, kText, kMissing };  // as far as the first lines tell

struct TableText {
    Dialect dialect;
    std::vector<ColumnKind> kinds;                     // one a column
    std::vector<bool> mostly_numbers;                  // one a column: texts among them can be slips
    std::vector<std::string> header;                   // (columns) as in the file; empty: there is none
    std::vector<std::string> units;                    // (columns) of a line of units below it; or empty
    bool row_names = false;                            // the header has a name less: the first column has none
    size_t body = 0;                                   // byte at which the first row begins
    uint64_t body_line = 1;                            // its line, from 1
    bool has_grouped = false;                          // a comma could be a decimal mark or group digits
    std::vector<std::string> titles;                   // lines before the table that are not its header
    std::vector<std::vector<std::string>> first_rows;  // at most 8
    bool counts_rows = false;                          // column 0 is 0, 1, 2 … or 1, 2, 3 …, in three rows at least
    bool distinct_text = false;                        // the first column of text has no text twice
};

/// Of a text without a row, which is empty, a line of names or a count of 0, there are no kinds, and its one line is a
/// title. Throws Error where no line has two numbers (or a point as WKT), and says what a row is: "a.xy:4: expected two
/// numbers, found …".
TableText find_table(const std::filesystem::path& path, const FileBytes& bytes, const ReadOptions& options,
                     const std::string& row = "two numbers");

}  // namespace flipscope::io
