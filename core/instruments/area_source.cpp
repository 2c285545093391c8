#include "instruments/area_source.h"

#include <algorithm>
#include <map>
#include <optional>

#include "compute/error.h"
#include "delaunay/constructions/hull.h"
#include "geometry/places.h"
#include "io/geometry.h"
#include "io/pasted.h"
#include "io/wkt.h"
#include "lab/parameters.h"

namespace flipscope {

namespace {

using Rings = std::vector<std::vector<Point>>;

bool is_before(Point a, Point b) { return a.x != b.x ? a.x < b.x : a.y < b.y; }

/// Left, lower, right, upper. nullopt: other text.
std::optional<StudyArea> rectangle_of(const std::string& text) {
    if (std::ranges::count(text, ',') != 3) return std::nullopt;
    double ends[4];
    const char* at = text.c_str();
    for (double& end : ends) {
        char* after = nullptr;
        end = std::strtod(at, &after);
        if (after == at || (*after != ',' && *after != '\0')) return std::nullopt;
        at = after + 1;
    }
    if (!(ends[0] < ends[2] && ends[1] < ends[3]))
        throw Error("expected LEFT,LOWER,RIGHT,UPPER, each end above the other, found \"" + printable(text) + "\"");
    return area_of_rectangle({ends[0], ends[1]}, {ends[2], ends[3]});
}

struct AreaName {
    std::string source, column, value;  // no column: all polygons
};
AreaName parts_of(const std::string& text) {
    const size_t mark = text.rfind('#'), equals = text.find('=', mark == text.npos ? text.size() : mark);
    if (equals == text.npos) return {text, "", ""};
    return {text.substr(0, mark), text.substr(mark + 1, equals - mark - 1), text.substr(equals + 1)};
}

bool names_file(const AreaName& name) {
    return name.source != "hull" && name.source != "areas" && !io::begins_wkt_shape(name.source) &&
           !rectangle_of(name.source);
}

/// Polygons that share sides become one: these sides are left out, and the others joined to rings again.
Rings without_common_sides(Rings rings) {
    std::map<std::pair<Point, Point>, int, decltype([](const auto& a, const auto& b) {
                 return a.first == b.first ? is_before(a.second, b.second) : is_before(a.first, b.first);
             })>
        counts;
    for (const std::vector<Point>& ring : rings)
        for (size_t i = 0; i < ring.size(); ++i) {
            const Point a = ring[i], b = ring[(i + 1) % ring.size()];
            if (!(a == b)) ++counts[std::minmax(a, b, is_before)];
        }
    if (std::ranges::all_of(counts, [](const auto& side) { return side.second == 1; })) return rings;
    std::multimap<Point, Point, decltype([](Point a, Point b) { return is_before(a, b); })> ends;
    for (const auto& [side, count] : counts)
        if (count % 2) {
            ends.emplace(side.first, side.second);
            ends.emplace(side.second, side.first);
        }
    Rings made;
    while (!ends.empty()) {
        std::vector<Point>& ring = made.emplace_back();
        for (Point at = ends.begin()->first;;) {
            const auto next = ends.find(at);
            if (next == ends.end()) break;
            const Point to = next->second;
            ends.erase(next);
            auto [back, last] = ends.equal_range(to);
            ends.erase(std::find_if(back, last, [&](const auto& side) { return side.second == at; }));
            ring.push_back(at);
            at = to;
            if (at == ring.front()) break;
        }
    }
    return made;
}

/// The text of an area in a column: of its name, or of a file of polygons alone, whose vertices are its points.
std::string text_of_area(const Geometry& file, size_t area, const std::string& column) {
    const std::vector<Area>& areas = *file.areas;
    if (column == "name") return areas[area].name;
    size_t first = 0, count = 0;
    for (size_t k = 0; k < areas.size(); ++k)
        for (const std::vector<Point>& ring : areas[k].rings) (k < area ? first : count) += ring.size();
    if (!file.attributes || first + count != file.points.size()) return "";
    for (const Attribute& attribute : *file.attributes)
        if (attribute.name == column)
            if (const double value = attribute.values[first]; value >= 0 && value < double(attribute.categories.size()))
                return attribute.categories[size_t(value)];
    return "";
}

StudyArea area_of(const Geometry& file, const AreaName& name) {
    Rings rings;
    std::vector<std::string> known;
    for (size_t k = 0; k < file.areas->size(); ++k) {
        if (!name.column.empty())
            if (const std::string text = text_of_area(file, k, name.column); text != name.value) {
                if (!text.empty() && known.size() < 6) known.push_back(printable(text));
                continue;
            }
        const Rings& own = (*file.areas)[k].rings;
        rings.insert(rings.end(), own.begin(), own.end());
    }
    if (rings.empty())
        throw Error(name.source + ": no polygon has " + excerpt(name.value) + " in a column of text " +
                    excerpt(name.column) + (known.empty() ? "" : "; there are " + join_words(known, ", ")));
    return area_of_rings(without_common_sides(std::move(rings)));
}

}  // namespace

StudyArea read_area(const std::string& text, const Geometry* input, std::vector<std::string>* notes) {
    if (const std::optional<StudyArea> rectangle = rectangle_of(text)) return *rectangle;
    const AreaName name = parts_of(text);
    if (name.source == "hull") {
        std::vector<Point> points = input ? input->points : std::vector<Point>();
        std::ranges::sort(points, is_before);
        points.erase(std::unique(points.begin(), points.end()), points.end());
        std::vector<Point> ring;
        for (const uint32_t v : convex_hull(points)) ring.push_back(points[v]);
        if (ring.size() < 3) throw Error("hull: the input's points have no hull with an area");
        return area_of_rings({std::move(ring)});
    }
    if (name.source == "areas") {
        if (!input || !input->areas) throw Error("areas: the input has no polygons; name a file that has some");
        return area_of(*input, name);
    }
    if (io::begins_wkt_shape(text)) {
        const Geometry read = read_pasted(text);
        if (!read.areas) throw Error("a study area needs a POLYGON or MULTIPOLYGON, found " + excerpt(text));
        return area_of(read, {text, "", ""});
    }
    const std::filesystem::path path = io::user_path(name.source);
    if (std::error_code ignored; !std::filesystem::exists(path, ignored))
        throw Error("expected LEFT,LOWER,RIGHT,UPPER, POLYGON ((x y, …)), hull, areas or a file of polygons, found " +
                    excerpt(text));
    const Geometry read = read_geometry(path, notes);
    if (!read.areas) throw Error(name.source + ": it has no polygons, which a study area needs");
    return area_of(read, name);
}

std::string area_text_in(const std::filesystem::path& folder, const std::string& text) {
    const AreaName name = parts_of(text);
    return names_file(name) ? (folder / io::user_path(name.source)).string() + text.substr(name.source.size()) : text;
}

std::string area_text(const StudyArea& area) {
    if (!area.is_polygon())
        return format_exactly(area.low.x) + "," + format_exactly(area.low.y) + "," + format_exactly(area.high.x) + "," +
               format_exactly(area.high.y);
    // As one polygon by the even-odd rule, as read_area() reads it.
    std::string text = "POLYGON (";
    for (const std::vector<Point>& ring : area.rings) {
        text += text.ends_with(")") ? ", (" : "(";
        for (size_t i = 0; i <= ring.size(); ++i) {
            const Point p = ring[i % ring.size()];
            text += (i > 0 ? ", " : "") + format_exactly(p.x) + " " + format_exactly(p.y);
        }
        text += ")";
    }
    return text + ")";
}

}  // namespace flipscope
