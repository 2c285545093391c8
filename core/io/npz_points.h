// Points of the plane in NumPy's .npz, and the arrays beside them that have a number for each: attributes. Only the
// readers in this folder include it.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "geometry/point.h"
#include "io/npy_file.h"

namespace flipscope::io {

/// Takes arrays of one number per point, one after the other, and says of the others why they are none.
class NpyColumns {
  public:
    /// `path`: of the archive, for sentences; must stay. `points`: how many there are.
    NpyColumns(const std::filesystem::path& path, size_t points) : path_(path), points_(points) {}

    /// `bytes`: of the .npy file. Shape (n) or (n, 1) of numbers or bool is taken; NaN and infinity are NaN. Throws
    /// Error where it is broken, or where all of them together would not fit into memory.
    void take(const std::string& name, std::string_view bytes);
    /// What is no column for a reason that the caller knows: "are points, too".
    void leave_out(const std::string& name, const std::string& why);

    /// After the last one: a note that names those that were left out, if any.
    std::vector<Attribute> finish(std::vector<std::string>& notes);

  private:
    const std::filesystem::path& path_;
    size_t points_;
    std::vector<Attribute> columns_;
    std::string left_out_;
    size_t named_ = 0, unnamed_ = 0;  // of those left out
};

/// Whether arrays of such a name are a step of a recording (io/recording.h); "points" alone is none.
bool names_recorded_step(std::string_view name);

/// Of an archive without such names. The points are its one array of shape (n, 2) of floating-point numbers, else of
/// whole ones, or its one array of records with fields x and y; where there are several, the one called points,
/// positions, coordinates or xy; where there is none, the arrays x and y of shape (n). Nothing: it is an archive of
/// steps. Throws Error.
std::optional<Geometry> read_npz_points(const std::filesystem::path& path, std::string_view bytes,
                                        std::vector<std::string>& notes);

}  // namespace flipscope::io
