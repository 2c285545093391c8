// Elements named by ids, indices and names of the input, or places. For the command line, lessons and the Find field.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "geometry/point.h"
#include "lab/lab.h"

namespace flipscope::app {

/// Of "vertex", "point", "edge", "triangle" and "pixel"; nothing for other words.
std::optional<ElementKind> kind_of_word(const std::string& word);

/// A named element: "edge:12", "pixel:40,12", in a race "edge:12@1"; "point:5" by input index, "name:Berlin" by input
/// name, "at:12.5,3" by place.
struct ElementQuery {
    enum class By { kId, kPixel, kPoint, kName, kPlace } by = By::kId;
    std::string text;
    Element element = {};  // without its id, except for kId
    uint32_t x = 0, y = 0;
    std::string name = {};
    Point place = {};
};
/// Throws Error, beginning with `error_prefix`, for other forms.
ElementQuery parse_element(const std::string& text, const std::string& error_prefix = "--inspect ");
/// As typed into a field: one number is a point index, two are a place, words are a name.
ElementQuery parse_typed_element(const std::string& text);
/// Throws Error if the lab's state has no such element. `input`: holds names and indices; nullptr: none. `merged`, if
/// given, receives a sentence if the point is a duplicate of the vertex found; otherwise it becomes empty.
Element find_element(const ElementQuery& query, const Lab& lab, const Scene& scene, const Geometry* input,
                     const std::string& error_prefix = "--inspect ", std::string* merged = nullptr);

}  // namespace flipscope::app
