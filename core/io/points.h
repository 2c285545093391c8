// Common parts of the readers of points: named formats, and the range check of coordinates. Readers reject coordinates
// outside the predicates' range, with their place; `--tiny zero` replaces those below 2^-200 by 0.
#pragma once

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "compute/error.h"
#include "flipscope/predicates.h"
#include "geometry/point.h"
#include "io/read_options.h"

namespace flipscope {

struct FormatInfo {
    std::vector<std::string> extensions;  // lower case with the dot: ".xy", ".txt"
    std::string sentence;
};

/// Whether it is the format of a file with this extension, in lower case.
inline bool has_extension(const FormatInfo& info, const std::string& extension) {
    return std::find(info.extensions.begin(), info.extensions.end(), extension) != info.extensions.end();
}
/// ".ply, .obj, .off"
std::string known_extensions(const std::vector<FormatInfo>& formats);

/// Throws Error unless coordinate_in_range(value) (flipscope/predicates.h). The message begins with `where`:
/// "points.xy:41: x" gives "points.xy:41: x is nan, not a finite number".
void require_in_range(double value, const std::string& where);

/// Returns the points, or throws Error for the first one out of range; for points that are not from a file, such as a
/// generator's with a large scale.
Geometry check_points(Geometry set);

namespace io {

/// Whether `written`, parsed as 0, is a nonzero number that underflows: "1e-400".
bool vanishes(std::string_view written);

/// One per file.
class CoordinateRange {
  public:
    explicit CoordinateRange(const ReadOptions& options) : tiny_as_zero_(options.tiny_as_zero) {}

    /// Returns `value`, or 0 for one below 2^-200 with `--tiny zero`. `written`: the text from the number on; empty for
    /// binary files. Throws Error, which begins with where(), a std::string such as "points.xy:41: x".
    template <class Where>
    double take(double value, std::string_view written, const Where& where) {
        if (value != 0 ? coordinate_in_range(value) : written.empty() || !vanishes(written)) return value;
        if (!tiny_as_zero_ || !(std::fabs(value) < kMinCoordinate)) refuse(value, written, where());
        ++zeroed_;
        return 0;
    }

    /// The number of coordinates replaced by 0.
    uint64_t zeroed() const { return zeroed_; }

    /// Notes "points.xy: 2 coordinates below 2^-200 are read as 0", if any.
    void say(const std::filesystem::path& path, std::vector<std::string>& notes) const;

  private:
    [[noreturn]] static void refuse(double value, std::string_view written, const std::string& where);

    bool tiny_as_zero_;
    uint64_t zeroed_ = 0;
};

}  // namespace io
}  // namespace flipscope
