// Reads the input of a lab: points, a planar triangulation, a surface in space, numbers on a lattice, points over time,
// or a recording of another program. The single entry point for all user files. Fields and tracks are detected by their
// shape or header (io/fields.h reads them as such in any case); for recordings see io/recording.h. Coordinates are
// rounded to the nearest doubles; points and triangles keep their order.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "io/points.h"
#include "io/read_options.h"

namespace flipscope {

struct TableLayout;  // io/table.h

/// All formats of points and meshes that read_geometry reads; for lists and file dialogs.
std::vector<FormatInfo> geometry_formats();

/// A mesh whose vertices all have the same z is a planar triangulation with that z as its level; a mesh file without
/// faces gives points of the plane, with differing heights as a column "z". Faces of more than three corners are split
/// into fans. An .stl repeats vertices, so equal positions are merged, and triangles with fewer than three distinct
/// corners are dropped; other formats keep their vertices. `notes`, if given, receives a sentence on each of these and
/// on unused parts of the file. `layout`, if given, receives the layout of a table; it has no columns for other
/// formats. Does not validate the triangles. Throws Error: "mesh.obj:41: the face names vertex 9, but there are 8",
/// "mesh.ply: ends within face 17 of 80"; also for coordinates out of the predicates' range.
Geometry read_geometry(const std::filesystem::path& path, std::vector<std::string>* notes = nullptr,
                       const ReadOptions& options = {}, TableLayout* layout = nullptr);

}  // namespace flipscope
