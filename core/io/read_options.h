// What a user says about a file that the file does not say itself: which columns hold what, how numbers are written.
// Options of the command line, of scenarios and of the import strip become one; every reader takes it.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace flipscope {

/// What a column of a table means.
enum class ColumnRole : uint8_t { kX, kY, kZ, kTime, kId, kName, kWeight, kRadius };
inline constexpr std::array<std::string_view, 8> kColumnRoleNames{"x",  "y",    "z",      "time",
                                                                  "id", "name", "weight", "radius"};

struct ReadOptions {
    struct Column {
        ColumnRole role;
        std::string name;  // as the header has it, letter case aside; or its number, from 1; "-": no column
    };
    std::vector<Column> columns;  // of other roles the file decides
    char decimal = 0;             // '.' or ','; 0: found out
    char separator = 0;           // ',' ';' '\t' '|', or ' ' for any blanks; 0: found out
    bool y_down = false;          // y of the file goes down: it is negated
    bool tiny_as_zero = false;    // coordinates other than 0 below 2^-200 become 0; else they are refused
    std::string unit;             // of the coordinates, over that of the file; empty: the file's

    /// Sets one option as a user writes it: "columns" to "x=Lon,y=Lat" (names in the header, or numbers from 1; only
    /// those that are named change), "decimal" to "," or "comma", "separator" to ";" or "tab", "y" to "down" or "up",
    /// "tiny" to "zero", "unit" to "mm". Throws Error that says what can be written: "expected …, found …".
    void set(const std::string& option, const std::string& value);
    /// All that are set, as set() takes them.
    std::vector<std::pair<std::string, std::string>> texts() const;

    bool empty() const { return columns.empty() && !decimal && !separator && !y_down && !tiny_as_zero && unit.empty(); }
};

}  // namespace flipscope
