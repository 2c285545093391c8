// Range check of coordinates for readers: rejects those outside the predicates' range, with their place; `--tiny zero`
// replaces those below 2^-200 by 0. One CoordinateRange per file.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "flipscope/predicates.h"
#include "io/read_options.h"

namespace flipscope::io {

/// Whether `written`, parsed as 0, is a nonzero number that underflows: "1e-400".
bool vanishes(std::string_view written);

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

}  // namespace flipscope::io
