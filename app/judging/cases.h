// The inputs of `flipscope check`: points with triangles in another file, a mesh, points alone, or a folder of all of
// these. Finds and reads files that belong together; judges nothing.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "geometry/point.h"
#include "io/read_options.h"

namespace flipscope::app {

struct CaseFiles {
    std::filesystem::path points;     // or a mesh
    std::filesystem::path triangles;  // empty: the mesh's, or none
    std::string name() const;         // "points.xy, out.tri"
    /// The file that holds the triangles, or else the points.
    const std::filesystem::path& judged() const { return triangles.empty() ? points : triangles; }
};

/// The cases of a folder, by name: each mesh (MeshUse::kInFolder, .npz, and .ele with its .node), and each file of
/// points with the triangles of the same name before the extension ("a.xy" with "a.tri", also "a.points.npy" with
/// "a.triangles.npy"). Skips other files, with a sentence in `notes`. Throws Error if there is no case.
std::vector<CaseFiles> find_cases(const std::filesystem::path& folder, std::vector<std::string>& notes);

/// Throws Error like read_geometry() and read_triangles(), and for triangles over anything but points of the plane.
Geometry read_case(const CaseFiles& files, std::vector<std::string>& notes, const ReadOptions& options = {});

/// Files of points and scenarios in the folder, by name: saved failures to run again. Throws Error if there are none.
std::vector<std::filesystem::path> find_saved_points(const std::filesystem::path& folder);

/// The points of such a file without its triangles, which another run will make. Throws Error like load_input(), and
/// for points in space.
std::vector<Point> read_saved_points(const std::filesystem::path& file, const ReadOptions& options = {},
                                     std::vector<std::string>* notes = nullptr);

}  // namespace flipscope::app
