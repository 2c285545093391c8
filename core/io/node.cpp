// Triangle's .node: a line "points dimension attributes markers", then a line "index x y ..." per point.

#include <cmath>
#include <utility>

#include "compute/text.h"
#include "io/points.h"
#include "io/triangle_files.h"

namespace flipscope::io {
namespace {

/// The numbers of points, of coordinates, of attributes and of markers.
std::array<uint64_t, 4> read_node_header(const InputFile& file, Lines& lines) {
    std::string_view content;
    if (!next_content(lines, content)) throw file.fail("no points found");
    const auto header = read_whole_numbers<4>(lines, content, "points dimension attributes markers", 2, {});
    const auto [points, dimension, attributes, markers] = header;
    if (dimension == 3)
        throw lines.fail("expected dimension 2, found " + excerpt(content) +
                         ": these are points in space, as TetGen writes them; save the mesh as .ply or .off");
    if (dimension != 2) throw lines.expected("dimension 2", content);
    if (markers > 1) throw lines.expected("0 or 1 boundary markers", content);
    // Each point takes at least "0 0 0" and a line end, which is optional after the last one.
    constexpr uint64_t kShortestLine = 6;
    if (points > (lines.remaining() + 1) / kShortestLine || attributes > lines.remaining())
        throw declares_more(lines, content);
    return header;
}

}  // namespace

NodeFile read_nodes(const InputFile& file, Lines& lines) {
    const auto [points, dimension, attributes, markers] = read_node_header(file, lines);
    const uint64_t columns = 3 + attributes + markers;
    NodeFile nodes;
    nodes.points.reserve(points);
    CoordinateRange range(file.options);
    uint64_t& base = nodes.first_index;  // Triangle counts from 0 or from 1, as given by the first index
    std::string_view content;
    while (nodes.points.size() < points && next_content(lines, content)) {
        std::string_view rest = content;
        const std::optional<uint64_t> index = whole(take_word(rest));
        if (nodes.points.empty() && index) base = *index;
        if (base > 1) throw lines.expected("a first index of 0 or 1", content);
        if (index != base + nodes.points.size())
            throw lines.expected("index " + std::to_string(base + nodes.points.size()), content);
        Point p;
        const std::string_view x_text = rest;
        const bool has_x = take_number(rest, p.x);
        rest = trimmed(rest);
        const std::string_view y_text = rest;
        if (!has_x || !take_number(rest, p.y)) throw lines.expected("an index and two numbers", content);
        p.x = range.take(p.x, x_text, [&] { return lines.where() + "x"; });
        p.y = range.take(p.y, y_text, [&] { return lines.where() + "y"; });
        uint64_t found_columns = 3;
        for (rest = trimmed(rest); !rest.empty(); ++found_columns) {
            std::string_view word = take_word(rest);
            double value = NAN;
            if (found_columns >= columns) continue;
            if (!take_number(word, value) || !word.empty()) throw lines.expected("numbers alone", content);
            const uint64_t k = found_columns - 3;
            if (nodes.points.empty()) {
                const bool marks = k == attributes;
                nodes.attributes.push_back({marks ? "marker" : "attribute " + std::to_string(k + 1), {}});
            }
            nodes.attributes[k].values.push_back(std::isfinite(value) ? value : NAN);
        }
        if (found_columns != columns)
            throw lines.expected(std::to_string(columns) + " columns (index, x, y, " + std::to_string(attributes) +
                                     " attributes, " + std::to_string(markers) + " markers)",
                                 content);
        nodes.points.push_back(p);
    }
    if (nodes.points.size() != points)
        throw file.fail("expected " + std::to_string(points) + " points as declared, found " +
                        std::to_string(nodes.points.size()));
    range.say(file.path, file.notes);
    if (const size_t kept = nodes.attributes.size(); kept > 0)
        file.note(count_text(kept, "column kept", "columns kept"));
    return nodes;
}

NodeFile read_node_file(const InputFile& file) {
    Lines lines(file.path, file.bytes);
    NodeFile nodes = read_nodes(file, lines);
    if (std::string_view content; next_content(lines, content))
        throw lines.expected("no more than the declared " + std::to_string(nodes.points.size()) + " points", content);
    return nodes;
}

NodeFile read_nodes_beside(const InputFile& file) {
    std::filesystem::path path = file.path;
    path.replace_extension(".node");
    if (std::error_code ignored; !std::filesystem::exists(path, ignored))
        throw file.fail("its points are missing: there is no " + path.filename().string() + " beside it");
    const FileBytes bytes(path);
    return read_node_file({path, bytes, file.options, file.notes});
}

Geometry to_geometry(NodeFile nodes, const InputFile& file) {
    if (nodes.points.empty()) throw file.fail("no points found");
    Geometry geometry{file.path.filename().string(), std::move(nodes.points)};
    set_attributes(geometry, std::move(nodes.attributes));
    return geometry;
}

Geometry read_node(const InputFile& file) { return to_geometry(read_node_file(file), file); }

}  // namespace flipscope::io
