// Triangle's .node: a line "points dimension attributes markers", then a line "index x y ..." for each point.

#include <utility>

#include "io/parse.h"

namespace flipscope::io {
namespace {

struct Header {
    uint64_t points = 0, attributes = 0, markers = 0;
};

Header read_header(const std::filesystem::path& path, Lines& lines) {
    std::string_view content;
    if (!next_content(lines, content)) throw Error(path.string() + ": no points found");
    std::string_view rest = content;
    std::optional<uint64_t> fields[4] = {std::nullopt, std::nullopt, 0, 0};  // the last two may be left out
    for (auto& field : fields) {
        if (!rest.empty()) field = whole(take_word(rest));
        if (!field) throw lines.expected("\"points dimension attributes markers\", all whole numbers", content);
    }
    if (!rest.empty()) throw lines.expected("\"points dimension attributes markers\" and nothing more", content);
    if (*fields[1] != 2) throw lines.expected("dimension 2", content);
    if (*fields[3] > 1) throw lines.expected("0 or 1 boundary markers", content);
    // Each point takes at least "0 0 0" and a line end, which the last one may lack.
    constexpr uint64_t kShortestLine = 6;
    if (*fields[0] > (lines.remaining() + 1) / kShortestLine || *fields[2] > lines.remaining()) {
        throw Error(lines.where() + excerpt(content) + " declares more than the file has room for: " +
                    std::to_string(lines.remaining()) + " bytes follow");
    }
    return {*fields[0], *fields[2], *fields[3]};
}

}  // namespace

NodeFile read_node_file(const std::filesystem::path& path, std::string_view text, std::vector<std::string>& notes) {
    Lines lines(path, text);
    const Header header = read_header(path, lines);
    const uint64_t columns = 3 + header.attributes + header.markers;
    std::vector<Point> points;
    points.reserve(header.points);
    uint64_t base = 0;  // Triangle counts from 0 or from 1; the first index says which
    for (std::string_view content; next_content(lines, content);) {
        if (points.size() == header.points) {
            throw lines.expected("no more than the declared " + std::to_string(header.points) + " points", content);
        }
        std::string_view rest = content;
        const std::optional<uint64_t> index = whole(take_word(rest));
        if (points.empty() && index) base = *index;
        if (base > 1) throw lines.expected("a first index of 0 or 1", content);
        if (index != base + points.size()) {
            throw lines.expected("index " + std::to_string(base + points.size()), content);
        }
        Point p;
        const std::string_view x_text = rest;
        const bool has_x = take_number(rest, p.x);
        rest = trimmed(rest);
        const std::string_view y_text = rest;
        if (!has_x || !take_number(rest, p.y)) throw lines.expected("an index and two numbers", content);
        require_coordinate(p.x, x_text, 'x', lines);
        require_coordinate(p.y, y_text, 'y', lines);
        uint64_t found_columns = 3;
        for (rest = trimmed(rest); !rest.empty(); ++found_columns) take_word(rest);
        if (found_columns != columns) {
            throw lines.expected(std::to_string(columns) + " columns (index, x, y, " +
                                     std::to_string(header.attributes) + " attributes, " +
                                     std::to_string(header.markers) + " markers)",
                                 content);
        }
        points.push_back(p);
    }
    if (points.size() != header.points) {
        throw Error(path.string() + ": expected " + std::to_string(header.points) + " points as declared, found " +
                    std::to_string(points.size()));
    }
    if (columns > 3) notes.push_back(path.string() + ": attributes and boundary markers are not used");
    return {std::move(points), base};
}

std::vector<Point> read_node(const std::filesystem::path& path, std::string_view text,
                             std::vector<std::string>& notes) {
    return read_node_file(path, text, notes).points;
}

}  // namespace flipscope::io
