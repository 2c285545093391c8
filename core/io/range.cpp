#include "io/range.h"

#include <algorithm>
#include <cmath>

#include "compute/error.h"
#include "geometry/places.h"
#include "io/points.h"

namespace flipscope::io {

bool vanishes(std::string_view written) {
    const std::string_view digits = written.substr(0, written.find_first_of("eEdD \t\r\n,;"));
    return digits.find_first_of("123456789") != digits.npos;
}

void CoordinateRange::refuse(double value, std::string_view written, const std::string& where) {
    if (!(std::fabs(value) < kMinCoordinate)) require_in_range(value, where);
    const std::string_view word = written.substr(0, std::min(written.find_first_of(" \t\r\n,;"), written.size()));
    throw Error(where + " is " + (value == 0 ? printable_within(word, 40) : format_exactly(value)) +
                ", too small: a coordinate must be 0 or at least 2^-200 (6.2e-61) in magnitude; --tiny zero reads "
                "smaller ones as 0");
}

void CoordinateRange::say(const std::filesystem::path& path, std::vector<std::string>& notes) const {
    if (zeroed_ == 0) return;
    notes.push_back(
        path.string() + ": " +
        count_text(zeroed_, "coordinate below 2^-200 is read as 0", "coordinates below 2^-200 are read as 0"));
}

}  // namespace flipscope::io
