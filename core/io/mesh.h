// Writing a triangulation for other programs: PLY, OBJ, OFF, Triangle's .node and .ele, NumPy's .npy. A file appears
// complete or not at all: it is written under a temporary name in the same folder and then renamed.
#pragma once

#include <filesystem>
#include <vector>

#include "io/points.h"
#include "mesh/soup.h"

namespace flipscope {

/// The formats of write_mesh, for lists and file dialogs.
const std::vector<FormatInfo>& mesh_formats();

/// Writes by the extension (any case) of `path`; ".node" or ".ele" writes both files. Doubles keep every bit in every
/// format. A path of collinear points becomes line elements where the format has them (PLY edges, OBJ lines, OFF faces
/// of two vertices). Throws Error when the extension is unknown (it lists the known ones), the format has no room for
/// the heights of a surface (it lists those that have) or the file cannot be written, and std::invalid_argument when an
/// index is not below the number of points, or there are not as many heights as points.
void write_mesh(const std::filesystem::path& path, const TriangleSoup& soup);

}  // namespace flipscope
