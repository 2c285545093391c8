#include "app/run/element_query.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <functional>
#include <string_view>
#include <utility>

#include "app/run/failures.h"
#include "compute/error.h"
#include "compute/printable.h"
#include "io/files.h"
#include "lab/facets.h"
#include "lab/parameters.h"

namespace flipscope::app {

namespace {

bool read_whole(const std::string& text, uint32_t& value) {
    const auto end = std::from_chars(text.data(), text.data() + text.size(), value);
    return !text.empty() && end.ec == std::errc() && end.ptr == text.data() + text.size();
}

/// Accepts exactly two numbers separated by a comma, a semicolon or blanks.
bool read_place(const std::string& text, Point& place) {
    const char *at = text.data(), *const end = at + text.size();
    const auto skip = [&](const char* what) {
        while (at < end && std::string_view(what).find(*at) != std::string_view::npos) ++at;
    };
    double numbers[2];
    for (int k = 0; k < 2; ++k) {
        skip(k ? " ,;" : " ");
        if (at < end && *at == '+') ++at;
        const auto read = std::from_chars(at, end, numbers[k]);
        if (read.ec != std::errc() || !std::isfinite(numbers[k])) return false;
        at = read.ptr;
        if (k == 0 && (at == end || std::string_view(" ,;").find(*at) == std::string_view::npos)) return false;
    }
    skip(" ");
    place = {numbers[0], numbers[1]};
    return at == end;
}

constexpr const char* kForms =
    "vertex:ID, edge:ID, triangle:ID, pixel:X,Y, point:INDEX, name:NAME or at:X,Y, and @1 behind it for the second "
    "view";

}  // namespace

std::optional<ElementKind> kind_of_word(const std::string& word) {
    if (word == "point") return ElementKind::kVertex;
    for (const ElementKind kind :
         {ElementKind::kVertex, ElementKind::kEdge, ElementKind::kTriangle, ElementKind::kPixel})
        if (word == word_of(kind)) return kind;
    return {};
}

ElementQuery parse_element(const std::string& text, const std::string& error_prefix) {
    const auto refuse = [&](const std::string& why) {
        throw Error(error_prefix + text + ": " + why + "; expected " + kForms);
    };
    ElementQuery query{ElementQuery::By::kId, text};
    const size_t colon = text.find(':');
    if (colon == text.npos) refuse("there is no colon in it");
    const std::string kind = text.substr(0, colon);
    std::string id = text.substr(colon + 1);
    if (kind == "name") {
        if (id.empty()) refuse("there is no name in it");
        query.by = ElementQuery::By::kName;
        query.element.kind = ElementKind::kVertex;
        query.name = id;
        return query;
    }
    if (const size_t at = id.find('@'); at != id.npos) {
        if (!read_whole(id.substr(at + 1), query.element.part)) refuse("\"" + id.substr(at) + "\" is no view");
        id = id.substr(0, at);
    }
    if (kind == "at") {
        if (!read_place(id, query.place)) refuse("\"" + id + "\" is no place");
        query.by = ElementQuery::By::kPlace;
        return query;
    }
    const std::optional<ElementKind> known = kind_of_word(kind);
    if (!known) refuse("\"" + kind + "\" is no kind of element");
    query.element.kind = *known;
    if (kind == "point") query.by = ElementQuery::By::kPoint;
    if (query.element.kind == ElementKind::kPixel) {
        query.by = ElementQuery::By::kPixel;
        const size_t comma = id.find(',');
        if (comma == id.npos || !read_whole(id.substr(0, comma), query.x) || !read_whole(id.substr(comma + 1), query.y))
            refuse("\"" + id + "\" is no place of a pixel");
    } else if (!read_whole(id, query.element.id)) {
        refuse("\"" + id + "\" is no whole number");
    }
    return query;
}

ElementQuery parse_typed_element(const std::string& typed) {
    const size_t begin = typed.find_first_not_of(" \t"), end = typed.find_last_not_of(" \t");
    if (begin == typed.npos) throw Error("There is nothing to find; type an id, a name or a place");
    const std::string text = typed.substr(begin, end - begin + 1);
    ElementQuery query{ElementQuery::By::kPlace, text};
    if (read_place(text, query.place)) return query;
    const size_t colon = text.find(':');
    const std::string kind = io::lower_case(text.substr(0, colon));
    if (colon != text.npos && (kind_of_word(kind) || is_one_of(kind, {"name", "at"})))
        return parse_element(kind + text.substr(colon), "");
    query.element.kind = ElementKind::kVertex;
    query.by = read_whole(text, query.element.id) ? ElementQuery::By::kPoint : ElementQuery::By::kName;
    query.name = text;
    return query;
}

namespace {

using NotThere = std::function<void(const std::string&)>;

/// The index of the point of this name, also in other case, or by a unique beginning.
uint32_t point_of_name(const std::string& name, const Geometry* input, const NotThere& not_there) {
    if (!input || input->names.empty())
        not_there("the points of this input have no names; a text file has them in a column headed \"name\"");
    const std::vector<std::string>& names = input->names;
    const std::string wanted = io::lower_case(name);
    size_t folded = names.size(), begun = names.size();
    bool several = false;
    for (size_t i = 0; i < names.size(); ++i) {
        if (names[i] == name) return static_cast<uint32_t>(i);
        const std::string known = io::lower_case(names[i]);
        if (known == wanted && folded == names.size()) folded = i;
        if (!known.starts_with(wanted)) continue;
        several = several || begun < names.size();
        begun = std::min(begun, i);
    }
    if (folded < names.size()) return static_cast<uint32_t>(folded);
    if (begun == names.size()) not_there("no point is called " + excerpt(name));
    if (several) not_there("several names begin so");
    return static_cast<uint32_t>(begun);
}

/// The vertex of an input point; of duplicates, one has a vertex, which `merged` reports.
uint32_t vertex_of_point(uint32_t index, const SceneView& view, const Geometry* input, const NotThere& not_there,
                         std::string& merged) {
    if (!view.mesh) return index;
    const size_t count = view.count_of(ElementKind::kVertex);
    std::vector<uint32_t> inputs = view.mesh->inputs.download();
    inputs.resize(std::min(inputs.size(), count));
    const auto found = std::find(inputs.begin(), inputs.end(), index);
    if (found != inputs.end()) return static_cast<uint32_t>(found - inputs.begin());
    if (input && index < input->points.size() && input->heights.empty()) {
        std::vector<Point> places = view.mesh->positions.download();
        places.resize(std::min(places.size(), count));
        const auto same = std::find(places.begin(), places.end(), input->points[index]);
        if (same != places.end()) {
            const auto vertex = static_cast<uint32_t>(same - places.begin());
            const uint32_t other = vertex < inputs.size() ? inputs[vertex] : kNone;
            if (other < input->points.size())
                merged = "Point " + std::to_string(index) + " lies where point " + std::to_string(other) +
                         " does: both are vertex " + std::to_string(vertex) + ".";
            return vertex;
        }
    }
    if (inputs.empty()) not_there("there is no vertex at this point; a later one (--steps) may have some");
    not_there(input ? "there is no such point: indices go from 0 to " + std::to_string(input->points.size() - 1)
                    : "there is no such point");
    return kNone;
}

}  // namespace

Element find_element(const ElementQuery& query, const Lab& lab, const Scene& scene, const Geometry* input,
                     const std::string& error_prefix, std::string* merged) {
    std::string same_place;
    const NotThere not_there = [&](const std::string& why) { throw Error(error_prefix + query.text + ": " + why); };
    Element element = query.element;
    if (element.part >= scene.view_count())
        not_there(scene.view_count() == 1 ? "there is one view, @0"
                                          : "there are views @0 to @" + std::to_string(scene.view_count() - 1));
    const SceneView& view = scene.view(element.part);
    if (query.by == ElementQuery::By::kPlace) {
        const auto* inspectable = find_facet<Inspectable>(lab);
        const double extent = std::max(view.high.x - view.low.x, view.high.y - view.low.y);
        const Point place = view.lattice().units.on_lattice(query.place);
        element = inspectable ? inspectable->pick({place, 1e-6 * extent, {}, element.part}) : Element{};
        if (element.id == kNone) not_there("nothing lies there");
        return element;
    }
    if (query.by == ElementQuery::By::kName) element.id = point_of_name(query.name, input, not_there);
    if (query.by == ElementQuery::By::kName || query.by == ElementQuery::By::kPoint)
        element.id = vertex_of_point(element.id, view, input, not_there, same_place);
    if (merged) *merged = same_place;
    if (query.by == ElementQuery::By::kPixel) {
        const LatticeLayer lattice = view.lattice();
        if (!lattice) not_there("this lab has no lattice; use vertex:ID or edge:ID");
        if (query.x >= lattice.width || query.y >= lattice.height)
            not_there("the lattice has " + std::to_string(lattice.width) + " × " + std::to_string(lattice.height) +
                      " pixels");
        element.id = query.y * lattice.width + query.x;
    } else if (const uint32_t count = view.count_of(element.kind); element.id >= count) {
        not_there(count == 0 ? "there are no elements of this kind at this point; later passes (--steps) can make some"
                             : "ids go from 0 to " + std::to_string(count - 1) + " at this point");
    }
    return element;
}

}  // namespace flipscope::app
