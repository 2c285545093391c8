// Points of the plane in NumPy's .npz, over time too, and triangles over them; and the arrays beside them that have a
// value for each point. Only the readers in this folder include it.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "geometry/point.h"
#include "io/formats.h"
#include "io/npy_file.h"

namespace flipscope::io {

/// Takes arrays of one value per point, one after the other, and says of the others why they are none.
class NpyColumns {
  public:
    /// `path`: of the archive, for sentences; must stay. `points`: how many there are.
    NpyColumns(const std::filesystem::path& path, size_t points) : path_(path), points_(points) {}

    /// `bytes`: of the .npy file. Shape (n) or (n, 1) of numbers, bool or texts is taken; NaN and infinity are NaN.
    /// Throws Error where it is broken, or where all of them together would not fit into memory.
    void take(const std::string& name, std::string_view bytes);
    /// What is no column for a reason that the caller knows: "are points, too".
    void leave_out(const std::string& name, const std::string& why);

    /// After the last one: a note that names those that were left out, if any.
    std::vector<Attribute> finish(std::vector<std::string>& notes);

  private:
    const std::filesystem::path& path_;
    size_t points_;
    std::vector<Attribute> columns_;
    std::string left_out_, decided_;
    size_t named_ = 0, unnamed_ = 0;  // of those left out
};

/// Whether an archive with an array of such a name is a recording (io/recording.h): "points_3", "captions". Points and
/// triangles that have no number are a triangulation.
bool names_recorded_step(std::string_view name);

/// Of an archive without such names. The points are the array that is called points, positions, coordinates, xy or
/// vertices; else its one array of shape (n, 2) or the like, of floating-point numbers rather than whole ones; else
/// the arrays x and y. Of shape (t, n, 2), or with arrays of times and ids beside them, they are points over time.
/// With an array called triangles, simplices, faces or cells they are a triangulation. Throws Error.
Geometry read_npz_points(const InputFile& file);
/// Whether it is for read_npz_points().
bool holds_npz_points(const std::filesystem::path& path, std::string_view bytes);

/// The triangles of an archive, as indices of points of another file, which may be anything; one that is negative or
/// too large is kNone. Throws Error.
std::vector<std::array<uint32_t, 3>> read_npz_triangles(const std::filesystem::path& path, std::string_view bytes,
                                                        std::vector<std::string>& notes);

}  // namespace flipscope::io
