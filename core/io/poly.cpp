// Triangle's .poly, a planar straight-line graph: the points of a .node, then "segments markers" and a line "index a b
// marker" per segment, then the number of holes and a line "index x y" per hole, and possibly regions.

#include <utility>

#include "compute/text.h"
#include "io/points.h"
#include "io/triangle_files.h"

namespace flipscope::io {
namespace {

/// The number of rows of a part of the file, the first number of its line. Each row takes at least `shortest` bytes.
uint64_t read_count(Lines& lines, std::string_view content, const std::string& of, uint64_t shortest) {
    std::string_view rest = content;
    const uint64_t count = lines.integer(take_word(rest), "the number of " + of, content);
    if (count > (lines.remaining() + 1) / shortest) throw declares_more(lines, content, of);
    return count;
}

std::string_view read_row(const InputFile& file, Lines& lines, const std::string& of, uint64_t found, uint64_t count) {
    std::string_view content;
    if (!next_content(lines, content))
        throw file.fail("ends after " + std::to_string(found) + " of " + std::to_string(count) + " " + of);
    std::string_view rest = content;
    if (!whole(take_word(rest))) throw lines.expected("an index of one of the " + of, content);
    return rest;
}

void read_segments(const InputFile& file, Lines& lines, uint64_t first_index, Geometry& geometry) {
    std::string_view content;
    if (!next_content(lines, content)) return;
    const uint64_t count = read_count(lines, content, "segments", 6), points = geometry.points.size();
    geometry.segments.reserve(count);
    for (uint64_t i = 0; i < count; ++i) {
        std::string_view rest = read_row(file, lines, "segments", i, count);
        std::array<uint32_t, 2> segment{};
        for (uint32_t& end : segment) {
            const std::string_view word = take_word(rest);
            const uint64_t id = lines.integer(word, "the indices of two points", word);
            if (id < first_index || id - first_index >= points)
                throw lines.fail("the segment names point " + std::to_string(id) + ", but there are " +
                                 std::to_string(points) + ", counted from " + std::to_string(first_index));
            end = static_cast<uint32_t>(id - first_index);
        }
        geometry.segments.push_back(segment);
    }
}

void read_holes(const InputFile& file, Lines& lines, Geometry& geometry) {
    std::string_view content;
    if (!next_content(lines, content)) return;
    const uint64_t count = read_count(lines, content, "holes", 6);
    geometry.holes.reserve(count);
    CoordinateRange range(file.options);
    for (uint64_t i = 0; i < count; ++i) {
        std::string_view rest = read_row(file, lines, "holes", i, count);
        const auto number = [&](char axis) {
            double value = 0;
            const std::string_view written = rest;
            if (!take_number(rest, value)) throw lines.expected("two numbers, the place of a hole", written);
            rest = trimmed(rest);
            return range.take(value, written, [&] { return lines.where() + axis; });
        };
        const double x = number('x'), y = number('y');
        geometry.holes.push_back({x, y});
    }
}

}  // namespace

Geometry read_poly(const InputFile& file) {
    Lines lines(file.path, file.bytes);
    NodeFile nodes = read_nodes(file, lines);
    if (nodes.points.empty()) nodes = read_nodes_beside(file);
    const uint64_t first_index = nodes.first_index;
    Geometry geometry = to_geometry(std::move(nodes), file);
    read_segments(file, lines, first_index, geometry);
    read_holes(file, lines, geometry);
    if (const size_t segments = geometry.segments.size(), holes = geometry.holes.size(); segments + holes > 0)
        file.note(count_text(segments, "segment", "segments") +
                  (holes > 0 ? " and " + count_text(holes, "hole", "holes") : "") +
                  (segments + holes == 1 ? " is" : " are") + " kept, not used yet");
    if (std::string_view content; next_content(lines, content) && whole(take_word(content)) != 0u)
        file.note("its regions are not used");
    return geometry;
}

}  // namespace flipscope::io
