// How readers take coordinates: as the predicates accept them, refused with their place, and with `--tiny zero` those
// below 2^-200 as 0. One CoordinateRange reads one file.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "geometry/predicates.h"
#include "io/read_options.h"

namespace flipscope::io {

/// Whether `written`, which was read as 0, is a number too small even for a double: "1e-400".
bool vanishes(std::string_view written);

class CoordinateRange {
  public:
    explicit CoordinateRange(const ReadOptions& options) : tiny_as_zero_(options.tiny_as_zero) {}

    /// `value`, or 0 for one below 2^-200 where that is wanted. `written` is where the number begins in a text, and
    /// empty in a binary file. Throws Error, which begins with where(), a std::string such as "points.xy:41: x".
    template <class Where>
    double take(double value, std::string_view written, const Where& where) {
        if (value != 0 ? coordinate_in_range(value) : written.empty() || !vanishes(written)) return value;
        if (!tiny_as_zero_ || !(std::fabs(value) < kMinCoordinate)) refuse(value, written, where());
        ++zeroed_;
        return 0;
    }

    /// How many have become 0.
    uint64_t zeroed() const { return zeroed_; }

    /// Adds "points.xy: 2 coordinates below 2^-200 are read as 0" to the notes where that was done.
    void say(const std::filesystem::path& path, std::vector<std::string>& notes) const;

  private:
    [[noreturn]] static void refuse(double value, std::string_view written, const std::string& where);

    bool tiny_as_zero_;
    uint64_t zeroed_ = 0;
};

}  // namespace flipscope::io
