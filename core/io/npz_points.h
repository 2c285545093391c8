// Reads points of the plane, also over time, and triangles from NumPy's .npz, with per-point arrays as attributes. Only
// the readers in this folder include it.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "geometry/point.h"
#include "io/formats.h"
#include "io/npz_file.h"

namespace flipscope::io {

/// Collects arrays with one value per point, and notes why the others are not used.
class NpyColumns {
  public:
    /// `path`: of the archive, for messages; must outlive it. `points`: their number.
    NpyColumns(const std::filesystem::path& path, size_t points) : path_(path), points_(points) {}

    /// `bytes`: of the .npy file. Accepts shape (n) or (n, 1) of numbers, bool or texts; infinity becomes NaN. Throws
    /// Error for a malformed array, or if all arrays together would not fit into memory.
    void take(const std::string& name, std::string_view bytes);
    /// Rejects an array for the caller's reason: "are points, too".
    void leave_out(const std::string& name, const std::string& why);

    /// Finishes with a note on rejected arrays, if any.
    std::vector<Attribute> finish(std::vector<std::string>& notes);

  private:
    const std::filesystem::path& path_;
    size_t points_;
    std::vector<Attribute> columns_;
    std::string left_out_, decided_;
    size_t named_ = 0, unnamed_ = 0;  // rejected
};

/// Reads an archive that is no recording (io/recording.h). The points are the array named points, positions,
/// coordinates, xy or vertices; else the only array of shape (n, 2) or similar, preferring floating-point numbers; else
/// the arrays x and y. With shape (t, n, 2), or with arrays of times and ids, they are points over time. With an array
/// named triangles, simplices, faces or cells they are a triangulation. Throws Error.
Geometry read_npz_points(const InputFile& file, const NpzFile& archive);

/// The triangles of an archive, as unchecked indices of points of another file; negative or too large ones become
/// kNone. Throws Error.
std::vector<std::array<uint32_t, 3>> read_npz_triangles(const std::filesystem::path& path, std::string_view bytes,
                                                        std::vector<std::string>& notes);

}  // namespace flipscope::io
