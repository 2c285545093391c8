// The user's options for reading a file: roles of columns, notation of numbers. Set by the command line, scenarios and
// the import strip; passed to every reader.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace flipscope {

/// The role of a column of a table.
enum class ColumnRole : uint8_t { kX, kY, kZ, kTime, kId, kName, kWeight, kRadius };
inline constexpr std::array<std::string_view, 8> kColumnRoleNames{"x",  "y",    "z",      "time",
                                                                  "id", "name", "weight", "radius"};

struct ReadOptions {
    struct Column {
        ColumnRole role;
        std::string name;  // from the header, ignoring case; or its number, from 1; "-": no column
    };
    std::vector<Column> columns;  // other roles are detected
    char decimal = 0;             // '.' or ','; 0: detected
    char separator = 0;           // ',' ';' '\t' '|', or ' ' for any blanks; 0: detected
    bool y_down = false;          // the file's y points down and is negated
    bool tiny_as_zero = false;    // nonzero coordinates below 2^-200 become 0 instead of an error
    std::string unit;             // of the coordinates; empty: that of the file

    /// Sets one option from its text: "columns" to "x=Lon,y=Lat" (names in the header, or numbers from 1; only the
    /// named roles change), "decimal" to "," or "comma", "separator" to ";" or "tab", "y" to "down" or "up", "tiny" to
    /// "zero", "unit" to "mm". Throws Error: "expected …, found …".
    void set(const std::string& option, const std::string& value);
    /// All set options, as accepted by set().
    std::vector<std::pair<std::string, std::string>> texts() const;

    bool empty() const { return columns.empty() && !decimal && !separator && !y_down && !tiny_as_zero && unit.empty(); }
};

}  // namespace flipscope
