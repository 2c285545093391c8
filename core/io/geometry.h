// Reading what a lab starts from: points, a triangulation of the plane, a surface in space, numbers on a lattice,
// points over time or what another program recorded; an .npz of points alone is no recording. The one entry for every
// file a user names; what is not a mesh goes to the readers of points, and fields and tracks are told by their shape or
// their header (io/fields.h reads them as such in any case); io/recording.h says how recordings are read. Coordinates
// are the nearest doubles to what is written and keep their order, triangles too.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "io/points.h"
#include "io/read_options.h"

namespace flipscope {

struct TableLayout;  // io/table.h

/// Every format of points and meshes that read_geometry understands; for lists and file dialogs.
std::vector<FormatInfo> geometry_formats();

/// Reads by the file's extension (any case). A mesh whose vertices all have the same z is a planar triangulation, and
/// that z its level; a mesh file without faces gives points of the plane, with other heights as a column "z". Faces of
/// more than three corners are cut into fans. In .stl, which repeats each vertex for each of its triangles, equal
/// positions are one vertex, and a triangle left with fewer than three is dropped; other formats keep their vertices as
/// they are. All of this, and what else of the file is not used, is said in `notes`, one sentence each, when given.
/// `layout`, when given, is how a table was read; of other formats it has no columns.
/// Whether the triangles fit together is not looked at: that is what validation is for. Throws Error: "mesh.obj:41: the
/// face names vertex 9, but there are 8", "mesh.ply: ends within face 17 of 80"; also for coordinates the predicates do
/// not take, and whatever read_points refuses.
Geometry read_geometry(const std::filesystem::path& path, std::vector<std::string>* notes = nullptr,
                       const ReadOptions& options = {}, TableLayout* layout = nullptr);

}  // namespace flipscope
