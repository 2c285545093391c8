#include "io/points.h"

#include <cmath>

#include "compute/text.h"
#include "geometry/places.h"

namespace flipscope {

std::string known_extensions(const std::vector<FormatInfo>& formats) {
    std::string known;
    for (const FormatInfo& format : formats)
        for (const std::string& extension : format.extensions) known += (known.empty() ? "" : ", ") + extension;
    return known;
}

void require_in_range(double value, const std::string& where) {
    if (coordinate_in_range(value)) return;
    const std::string shown = format_exactly(value);
    if (!std::isfinite(value)) throw Error(where + " is " + shown + ", not a finite number");
    throw Error(where + " is " + shown + ", too " + (std::fabs(value) < 1 ? "small" : "large") +
                ": a coordinate must be 0 or between 2^-200 (6.2e-61) and 2^200 (1.6e60) in magnitude");
}

Geometry check_points(Geometry set) {
    for (size_t i = 0; i < set.points.size(); ++i) {
        const Point p = set.points[i];
        if (coordinate_in_range(p.x) && coordinate_in_range(p.y)) continue;
        const std::string where = set.name + ": point " + std::to_string(i) + ": ";
        require_in_range(p.x, where + "x");
        require_in_range(p.y, where + "y");
    }
    return set;
}

namespace io {

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

}  // namespace io
}  // namespace flipscope
