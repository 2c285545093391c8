#include "io/wkt.h"

#include <fast_float/fast_float.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "io/parse.h"

namespace flipscope::io {
namespace {

char upper(char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c; }

bool took(std::string_view& text, char c) {
    skip_white(text);
    if (!text.starts_with(c)) return false;
    text.remove_prefix(1);
    return true;
}

/// Consumes `word`, in capitals, and the spaces before it.
bool took_word(std::string_view& text, std::string_view word) {
    skip_white(text);
    if (text.size() < word.size()) return false;
    for (size_t i = 0; i < word.size(); ++i)
        if (upper(text[i]) != word[i]) return false;
    text.remove_prefix(word.size());
    return true;
}

bool took_number(std::string_view& text, double& value) {
    skip_white(text);
    const char* begin = text.data();
    const char* const end = begin + text.size();
    if (end - begin > 1 && *begin == '+' && begin[1] != '-') ++begin;
    const auto [at, error] = fast_float::from_chars(begin, end, value);
    if (error != std::errc() || (at != end && (is_name_letter(*at) || *at == '.'))) return false;
    text.remove_prefix(static_cast<size_t>(at - text.data()));
    return true;
}

/// Whether the rest of a number begins with a decimal comma: ",5".
bool at_decimal_comma(std::string_view text) {
    return text.size() > 1 && text[0] == ',' && text[1] >= '0' && text[1] <= '9';
}

/// The same with a point or a comma as the decimal mark: "1.5", "1,5". For a POINT, which has no other commas.
bool took_coordinate(std::string_view& text, double& value) {
    skip_white(text);
    const size_t comma = std::min(text.find_first_not_of("+-0123456789"), text.size());
    if (comma == 0 || !at_decimal_comma(text.substr(comma))) return took_number(text, value);
    const size_t end = std::min(text.find_first_not_of("0123456789eE+-", comma + 1), text.size());
    std::string written(text.substr(0, end));
    written[comma] = '.';
    std::string_view left = written;
    if (!took_number(left, value) || !left.empty()) return false;
    text.remove_prefix(end);
    return true;
}

/// Skips "SRID=4326;".
void skip_srid(std::string_view& text) {
    std::string_view rest = text;
    double number = 0;
    if (took_word(rest, "SRID") && took(rest, '=') && took_number(rest, number) && took(rest, ';')) text = rest;
}

struct Dimensions {
    bool z = false, m = false;  // as named after the shape
};

Dimensions take_dimensions(std::string_view& text) {
    Dimensions named;
    named.z = took_word(text, "Z");
    named.m = took_word(text, "M");
    return named;
}

/// None is a prefix of another.
constexpr std::string_view kShapeNames[] = {
    "POINT",        "MULTIPOINT", "LINESTRING", "LINEARRING",        "MULTILINESTRING",   "POLYGON",
    "MULTIPOLYGON", "TRIANGLE",   "TIN",        "POLYHEDRALSURFACE", "GEOMETRYCOLLECTION"};
constexpr std::string_view kCurveNames[] = {"CIRCULARSTRING", "COMPOUNDCURVE", "CURVEPOLYGON", "MULTICURVE",
                                            "MULTISURFACE"};

/// The name of a shape at the start of `text`; empty: none.
std::string_view take_shape_name(std::string_view& text) {
    for (const std::string_view name : kShapeNames)
        if (took_word(text, name)) return name;
    return {};
}

class WktReader {
  public:
    /// `where(rest)` begins messages.
    WktReader(std::string_view text, std::function<std::string(std::string_view left)> where, Features& out)
        : text_(text), where_(std::move(where)), out_(out) {}

    void read_shape(int depth) {
        skip_white(text_);
        for (const std::string_view curve : kCurveNames)
            if (std::string_view rest = text_; took_word(rest, curve))
                fail(std::string(curve) + " is not read; make lines of its arcs first (ST_CurveToLine)");
        const std::string_view name = take_shape_name(text_);
        if (name.empty()) expected("a shape such as POINT (1 2)");
        named_ = take_dimensions(text_);
        if (took_word(text_, "EMPTY")) return;
        if (name == "POINT") {
            parenthesis([&] { out_.add_point(position(took_coordinate), at_); });
        } else if (name == "MULTIPOINT") {
            list([&] {
                if (took_word(text_, "EMPTY")) return;
                const bool nested = took(text_, '(');
                out_.add_point(position(), at_);
                if (nested) close();
            });
        } else if (name == "LINESTRING" || name == "LINEARRING") {
            read_line();
        } else if (name == "MULTILINESTRING") {
            list([&] { read_line(); });
        } else if (name == "POLYGON" || name == "TRIANGLE") {
            out_.begin_area();
            read_polygon();
        } else if (name == "GEOMETRYCOLLECTION") {
            if (depth == kDeepest) fail("collections are nested more than " + std::to_string(kDeepest) + " deep");
            list([&] { read_shape(depth + 1); });
        } else {
            out_.begin_area();
            list([&] { read_polygon(); });
        }
    }

    std::string_view left() const { return text_; }

  private:
    static constexpr int kDeepest = 32;

    [[noreturn]] void fail(const std::string& what) const { throw Error(where_(text_) + what); }
    [[noreturn]] void expected(const std::string& what) const {
        fail("expected " + what + ", found " + (text_.empty() ? "the end" : excerpt(text_.substr(0, 60))));
    }
    void open() {
        if (!took(text_, '(')) expected("a parenthesis or EMPTY");
    }
    void close() {
        if (!took(text_, ')')) expected("a closing parenthesis");
    }
    template <class Read>
    void parenthesis(const Read& read) {
        open();
        read();
        close();
    }
    template <class Read>
    void list(const Read& read) {
        open();
        do read();
        while (took(text_, ','));
        if (!took(text_, ')')) expected("a comma or a closing parenthesis");
    }
    void read_line() {
        if (took_word(text_, "EMPTY")) return;
        out_.begin_line();
        list([&] { out_.add_line_vertex(position(), at_); });
    }
    void read_polygon() {
        if (took_word(text_, "EMPTY")) return;
        list([&] {
            if (took_word(text_, "EMPTY")) return;
            out_.begin_ring();
            list([&] { out_.add_ring_vertex(position(), at_); });
            out_.end_ring();
        });
    }
    Position position(bool (*took)(std::string_view&, double&) = took_number) {
        Position place;
        double further[2] = {NAN, NAN};
        skip_white(text_);
        const std::string_view begin = text_;
        if (!took(text_, place.x) || !took(text_, place.y)) {
            if (at_decimal_comma(text_))
                fail("expected decimal points, since commas separate the vertices of a shape, found " +
                     excerpt(begin.substr(0, 60)));
            expected("two numbers");
        }
        int count = 0;
        while (count < 2 && took(text_, further[count])) ++count;
        (count == 1 && named_.m && !named_.z ? place.m : place.z) = further[0];
        if (count == 2) place.m = further[1];
        if (std::isinf(place.x) || std::isinf(place.y)) {
            text_ = begin;
            fail("expected numbers that a double can hold, found " + excerpt(begin.substr(0, 60)));
        }
        return place;
    }

    std::string_view text_;
    const std::function<std::string(std::string_view)> where_;
    Features& out_;
    Dimensions named_;
    const Features::Where at_ = [this] { return where_(text_); };
};

/// Skips separators between shapes, and the number of a row at the start of its line, before blanks.
void skip_between(std::string_view& text, bool at_line_start) {
    for (; !text.empty(); text.remove_prefix(1)) {
        const char c = text.front();
        if (!is_white(c) && std::string_view(",;\"'<>[]").find(c) == std::string_view::npos) break;
        at_line_start = at_line_start || c == '\n';
    }
    const size_t digits = std::min(text.find_first_not_of("0123456789"), text.size());
    if (!at_line_start || digits == 0) return;
    std::string_view rest = text.substr(digits);
    const size_t blanks = std::min(rest.find_first_not_of(" \t"), rest.size());
    if (blanks > 0 && begins_wkt_shape(rest.substr(blanks))) text = rest.substr(blanks);
}

/// Skips a column's name above its shapes, and GeoPandas' footer below them.
void skip_heading(std::string_view& text) {
    if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);
    skip_between(text, true);
    std::string_view rest = text;
    for (const std::string_view name : {"WKT", "GEOMETRY", "GEOM", "THE_GEOM", "WKT_GEOM"})
        if (took_word(rest, name) && (rest.starts_with('\n') || rest.starts_with('\r') || rest.starts_with('"')))
            text = rest;
    skip_between(text, true);
}

bool at_footing(std::string_view text) {
    return took_word(text, "NAME:") || took_word(text, "DTYPE:") || took_word(text, "LENGTH:");
}

}  // namespace

bool begins_wkt_shape(std::string_view text) {
    skip_srid(text);
    if (std::ranges::any_of(kCurveNames, [&](std::string_view name) { return took_word(text, name); })) return true;
    if (take_shape_name(text).empty()) return false;
    take_dimensions(text);
    if (took_word(text, "EMPTY")) return true;
    if (!took(text, '(')) return false;
    while (took(text, '(')) continue;
    double number = 0;
    if (std::string_view rest = text; took_number(rest, number) && at_decimal_comma(rest))
        return took_coordinate(text, number) && took_coordinate(text, number);
    if (took_number(text, number)) return !took(text, ',') && !took(text, ')');  // Point(1, 2) is program code
    return took_word(text, "EMPTY") || !take_shape_name(text).empty();
}

std::optional<Point> wkt_point(std::string_view cell) {
    skip_srid(cell);
    const bool many = took_word(cell, "MULTIPOINT");
    if (!many && !took_word(cell, "POINT")) return std::nullopt;
    take_dimensions(cell);
    Point place{NAN, NAN};
    if (!took_word(cell, "EMPTY")) {
        if (!took(cell, '(')) return std::nullopt;
        const bool nested = many && took(cell, '(');
        const auto took_one = many ? took_number : took_coordinate;
        if (!took_one(cell, place.x) || !took_one(cell, place.y)) return std::nullopt;
        double further = 0;
        for (int count = 0; count < 2 && took_one(cell, further);) ++count;
        if ((nested && !took(cell, ')')) || !took(cell, ')')) return std::nullopt;
    }
    skip_white(cell);
    if (!cell.empty()) return std::nullopt;
    return place;
}

bool looks_like_wkt(std::string_view text) {
    skip_heading(text);
    if (!begins_wkt_shape(text)) return false;
    // Another shape must follow, not another column.
    size_t depth = 0, end = 0;
    for (; end < text.size(); ++end) {
        if (text[end] == '(') ++depth;
        if (text[end] == ')' && depth-- <= 1) break;
        if (text[end] == '\n' && depth == 0) break;  // EMPTY
    }
    std::string_view rest = text.substr(std::min(end + 1, text.size()));
    skip_between(rest, false);
    return rest.empty() || begins_wkt_shape(rest) || at_footing(rest);
}

void read_wkt(const InputFile& file, Features& features) {
    const auto where = [&](std::string_view left) {
        const std::string_view all = file.bytes, done = all.substr(0, all.size() - left.size());
        return line_place(file.path, static_cast<uint64_t>(1 + std::ranges::count(done, '\n')));
    };
    std::string_view text = file.bytes;
    skip_heading(text);
    bool degrees = true;
    while (!text.empty() && !at_footing(text)) {
        std::string_view rest = text;
        skip_srid(rest);
        degrees = degrees && rest.size() < text.size() && text.substr(0, text.size() - rest.size()).ends_with("4326;");
        features.begin();
        WktReader reader(rest, where, features);
        reader.read_shape(0);
        text = reader.left();
        skip_between(text, false);
    }
    features.set_degrees(degrees);
}

void read_wkt_shape(std::string_view cell, const Features::Where& where, Features& features) {
    skip_srid(cell);
    skip_white(cell);
    if (cell.empty()) return;
    WktReader reader(
        cell, [&](std::string_view) { return where(); }, features);
    reader.read_shape(0);
    std::string_view left = reader.left();
    skip_white(left);
    if (!left.empty()) throw Error(where() + "expected the end of the shape, found " + excerpt(left.substr(0, 60)));
}

}  // namespace flipscope::io
