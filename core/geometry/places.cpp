#include "geometry/places.h"

#include <charconv>
#include <cmath>

namespace flipscope {

std::string format_exactly(double value) {
    if (std::isnan(value)) return "nan";  // its sign says nothing
    char text[32];
    return std::string(text, std::to_chars(text, text + sizeof text, value).ptr);
}

std::string format_plainly(double value, double resolution) {
    char text[32];
    if (std::isfinite(value) && value != 0 && resolution > 0 && std::isfinite(resolution)) {
        const double digits = std::floor(std::log10(std::fabs(value))) - std::floor(std::log10(resolution)) + 1;
        if (digits < 1) return "0";
        constexpr double kAll = 17;  // tell any two doubles apart
        if (digits < kAll) {
            const auto rounded = std::to_chars(text, text + sizeof text, value, std::chars_format::scientific,
                                               static_cast<int>(digits) - 1);
            std::from_chars(text, rounded.ptr, value);
        }
    }
    const double size = std::fabs(value);
    if (size != 0 && !(size >= 1e-5 && size < 1e15)) return format_exactly(value);
    return std::string(text, std::to_chars(text, text + sizeof text, value, std::chars_format::fixed).ptr);
}

std::string place_text(Point place, double resolution) {
    return format_plainly(place.x, resolution) + ", " + format_plainly(place.y, resolution);
}

std::string place_in_brackets(Point place) { return std::string("(").append(place_text(place)).append(")"); }

}  // namespace flipscope
