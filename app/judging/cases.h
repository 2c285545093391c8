// The inputs of `flipscope check`: points with triangles in another file, a mesh, points alone, or a folder of all of
// these. Finds what belongs together and reads it; judges nothing.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "geometry/point.h"
#include "io/read_options.h"

namespace flipscope::app {

struct CaseFiles {
    std::filesystem::path points;     // or a mesh
    std::filesystem::path triangles;  // empty: those of the mesh, or none
    std::string name() const;         // "points.xy, out.tri"
};

/// Of a folder, by name: every mesh (.ply, .obj, .off, .npz, and .ele with its .node) by itself, and every file of
/// points with the triangles of the same name before the extension ("a.xy" with "a.tri", also "a.points.npy" with
/// "a.triangles.npy"). Files of other kinds are left out, with a sentence in `notes`. Throws Error where it has none.
std::vector<CaseFiles> find_cases(const std::filesystem::path& folder, std::vector<std::string>& notes);

/// Throws Error as read_geometry() and read_triangles() do, and for triangles over what is no set of points of the
/// plane.
Geometry read_case(const CaseFiles& files, std::vector<std::string>& notes, const ReadOptions& options = {});

/// Files of points and scenarios in the folder, by name: failures that were saved, to be run once more. Throws Error
/// where it has none.
std::vector<std::filesystem::path> find_saved_points(const std::filesystem::path& folder);

/// The points of such a file; triangles beside them are left out, since another run is to make them. Throws Error as
/// load_input() does, and for points in space.
std::vector<Point> read_saved_points(const std::filesystem::path& file, const ReadOptions& options = {},
                                     std::vector<std::string>* notes = nullptr);

}  // namespace flipscope::app
