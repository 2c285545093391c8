// Elements by what a user calls them: ids, indices and names of the input, places. The command line, lessons and the
// field that finds elements read them.
#pragma once

#include <cstdint>
#include <string>

#include "geometry/point.h"
#include "lab/lab.h"

namespace flipscope::app {

/// What was to be inspected: "edge:12", "pixel:40,12", in a race "edge:12@1"; "point:5" by its index in the input,
/// "name:Berlin" by its name there, "at:12.5,3" by a place.
struct ElementQuery {
    enum class By { kId, kPixel, kPoint, kName, kPlace } by = By::kId;
    std::string text;
    Element element = {};  // but for kId the id is not known before the lab has been asked
    uint32_t x = 0, y = 0;
    std::string name = {};
    Point place = {};
};
/// Throws Error for anything else. `asker` begins its sentences.
ElementQuery parse_element(const std::string& text, const std::string& asker = "--inspect ");
/// The same as a user types it into a field: a number is the index of a point, two are a place, words are a name.
ElementQuery parse_typed_element(const std::string& text);
/// Throws Error where the state of the lab has no such element. `input`: which names and indices are of; nullptr: none.
/// `merged`, when given, becomes a sentence where a point was asked for that lies where another one does, whose vertex
/// this is; else empty.
Element find_element(const ElementQuery& asked, const Lab& lab, const Scene& scene, const Geometry* input,
                     const std::string& asker = "--inspect ", std::string* merged = nullptr);

}  // namespace flipscope::app
