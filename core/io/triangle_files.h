// The files of Shewchuk's program Triangle: points (.node), triangles (.ele) and planar straight-line graphs (.poly).
// Only the readers in this folder include it.
#pragma once

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
/// Throws Error without points.
Geometry to_geometry(NodeFile nodes, const InputFile& file);

}  // namespace flipscope::io
