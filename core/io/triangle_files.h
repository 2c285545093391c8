// The files of Shewchuk's program Triangle: points (.node), triangles (.ele) and planar straight-line graphs (.poly).
// Only the readers in this folder include it.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "geometry/point.h"
#include "io/formats.h"
#include "io/parse.h"

namespace flipscope::io {

struct NodeFile {
    std::vector<Point> points;
    uint64_t first_index = 0;           // the file's index of its first point: 0 or 1 (0 without points)
    std::vector<Attribute> attributes;  // "attribute 1", …, and "marker"
};

/// The points at the start of `lines`, after the line with their count. Throws Error.
NodeFile read_nodes(const InputFile& file, Lines& lines);
/// A whole .node. Throws Error.
NodeFile read_node_file(const InputFile& file);
/// The .node of the same name beside another file. Throws Error.
NodeFile read_nodes_beside(const InputFile& file);
/// The whole numbers of a line, `names` in messages: at least `least`, and `numbers` for the others. Throws Error.
template <size_t kCount>
std::array<uint64_t, kCount> read_whole_numbers(const Lines& lines, std::string_view content, const std::string& names,
                                                size_t least, std::array<uint64_t, kCount> numbers) {
    std::string_view rest = content;
    for (size_t i = 0; i < kCount && (i < least || !rest.empty()); ++i) {
        numbers[i] = lines.integer(take_word(rest), "\"" + names + "\", all whole numbers", content);
    }
    if (!rest.empty()) throw lines.expected("\"" + names + "\" and nothing more", content);
    return numbers;
}
/// Throws Error without points.
Geometry to_geometry(NodeFile nodes, const InputFile& file);

}  // namespace flipscope::io
