#include "io/read_options.h"

#include <algorithm>

#include "compute/error.h"
#include "compute/printable.h"

namespace flipscope {
namespace {

struct NamedSign {
    std::string_view name;
    char sign;
};
constexpr NamedSign kSeparators[] = {{"comma", ','}, {"semicolon", ';'}, {"tab", '\t'}, {"bar", '|'},
                                     {"blank", ' '}, {"space", ' '},     {"\\t", '\t'}};
constexpr NamedSign kDecimals[] = {{"point", '.'}, {"dot", '.'}, {"comma", ','}};

std::optional<ColumnRole> role_named(std::string_view name) {
    const auto found = std::ranges::find(kColumnRoleNames, name);
    if (found == kColumnRoleNames.end()) return std::nullopt;
    return static_cast<ColumnRole>(found - kColumnRoleNames.begin());
}

template <size_t N>
char sign_named(const NamedSign (&names)[N], const std::string& text) {
    for (const NamedSign& one : names)
        if (one.name == text) return one.sign;
    return text.size() == 1 ? text[0] : '\0';
}

/// "x=Lon,y=Lat": a name extends to the next comma followed by a role and "=".
std::vector<ReadOptions::Column> columns_in(const std::string& text) {
    std::vector<ReadOptions::Column> columns;
    const auto fail = [&] {
        return Error(
            "expected ROLE=COLUMN,…, such as x=Lon,y=Lat, with the roles x, y, z, time, id, name, weight and "
            "radius, found " +
            excerpt(text));
    };
    size_t begin = 0;
    while (begin <= text.size()) {
        const size_t sign = text.find('=', begin);
        if (sign == text.npos) throw fail();
        const auto role = role_named(std::string_view(text).substr(begin, sign - begin));
        if (!role) throw fail();
        size_t end = sign + 1;
        for (;;) {
            end = std::min(text.find(',', end), text.size());
            const size_t next = text.find('=', end);
            if (end == text.size() ||
                (next != text.npos && role_named(std::string_view(text).substr(end + 1, next - end - 1))))
                break;
            ++end;
        }
        columns.push_back({*role, text.substr(sign + 1, end - sign - 1)});
        if (columns.back().name.empty()) throw fail();
        begin = end + 1;
    }
    return columns;
}

}  // namespace

void ReadOptions::set(const std::string& option, const std::string& value) {
    const auto fail = [&](const char* what) {
        return Error(std::string("expected ") + what + ", found " + excerpt(value));
    };
    if (option == "columns") {
        for (Column& column : columns_in(value)) {
            std::erase_if(columns, [&](const Column& other) { return other.role == column.role; });
            columns.push_back(std::move(column));
        }
    } else if (option == "decimal") {
        const char sign = sign_named(kDecimals, value);
        if (sign != '.' && sign != ',') throw fail("point or comma");
        decimal = sign;
    } else if (option == "separator") {
        const char sign = sign_named(kSeparators, value);
        if (sign == '\0') throw fail("comma, semicolon, tab, bar, blank or a sign");
        separator = sign;
    } else if (option == "y") {
        if (value != "down" && value != "up") throw fail("down or up");
        y_down = value == "down";
    } else if (option == "tiny") {
        if (value != "zero" && value != "refuse") throw fail("zero or refuse");
        tiny_as_zero = value == "zero";
    } else if (option == "unit") {
        if (value.empty() || value.size() > 16) throw fail("a unit of at most 16 bytes, such as nm");
        unit = value;
    } else {
        throw Error("expected columns, decimal, separator, y, tiny or unit, found " + excerpt(option));
    }
}

std::vector<std::pair<std::string, std::string>> ReadOptions::texts() const {
    std::vector<std::pair<std::string, std::string>> made;
    std::string named;
    for (const Column& column : columns)
        named += (named.empty() ? "" : ",") + std::string(kColumnRoleNames[static_cast<size_t>(column.role)]) + "=" +
                 column.name;
    if (!named.empty()) made.emplace_back("columns", named);
    if (decimal) made.emplace_back("decimal", std::string(1, decimal));
    if (separator)
        made.emplace_back("separator", separator == '\t'  ? "tab"
                                       : separator == ' ' ? "blank"
                                                          : std::string(1, separator));
    if (y_down) made.emplace_back("y", "down");
    if (tiny_as_zero) made.emplace_back("tiny", "zero");
    if (!unit.empty()) made.emplace_back("unit", unit);
    return made;
}

}  // namespace flipscope
