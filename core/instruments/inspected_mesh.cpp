#include "instruments/inspected_mesh.h"

#include <algorithm>
#include <utility>

#include "geometry/bounds.h"

namespace flipscope {

namespace {

/// "5 (Berlin)"; `called`: as Construction::names().
std::string name_in(const Geometry* geometry, const std::vector<uint32_t>& called, uint32_t input) {
    std::string text = std::to_string(input);
    if (!geometry) return text;
    size_t index = input;
    if (!called.empty()) {
        const auto found = std::lower_bound(called.begin(), called.end(), input);
        if (found == called.end() || *found != input) return text;
        index = static_cast<size_t>(found - called.begin());
    }
    const std::vector<std::string>& names = geometry->names;
    return index < names.size() && !names[index].empty() ? text + " (" + names[index] + ")" : text;
}

}  // namespace

std::string short_point_name(const Construction& made, uint32_t input) {
    return name_in(made.input().get(), made.names(), input);
}

std::string point_name(const Construction& made, uint32_t input) { return "point " + short_point_name(made, input); }

InspectedMesh::InspectedMesh(const Construction& made, const Geometry* input)
    : context_(made.context()),
      mesh_(made.mesh()),
      construction_(&made),
      distinct_(made.distinct()),
      noun_(made.mesh().heights.empty() ? "point" : "vertex"),
      short_name_(
          [&made, input](uint32_t vertex) { return name_in(input, made.names(), made.mesh().inputs.read(vertex)); }) {}

InspectedMesh::InspectedMesh(const Construction& made) : InspectedMesh(made, made.input().get()) {}

InspectedMesh::InspectedMesh(const TorusInsertion& made) : InspectedMesh(made, made.given().get()) {
    box_ = made.box();
    corner_ = made.corner();
}

InspectedMesh::InspectedMesh(Context& context, const TriangleMesh& mesh, const TorusBox& box, Point corner,
                             std::string noun)
    : context_(context),
      mesh_(mesh),
      box_(box),
      corner_(corner),
      noun_(std::move(noun)),
      short_name_([](uint32_t vertex) { return std::to_string(vertex); }) {}

bool InspectedMesh::is_ghost(uint32_t triangle) const {
    const std::array<InspectedCorner, 3> all = corners(triangle);
    return !std::all_of(all.begin(), all.end(), [&](const InspectedCorner& one) { return is_finite(one); });
}

std::array<InspectedCorner, 3> InspectedMesh::corners_from(uint32_t corner, ImageShift first) const {
    const uint32_t next = next_corner(corner), previous = previous_corner(corner);
    std::array<InspectedCorner, 3> found{InspectedCorner{from(corner), {}}, {from(next), {}}, {from(previous), {}}};
    if (!box_) return found;
    found[0].image = first;
    found[1].image = first + mesh_.shifts.read(corner);
    found[2].image = first + -mesh_.shifts.read(previous);
    return found;
}

InspectedQuad InspectedMesh::quad(uint32_t edge) const {
    const uint32_t corner = corner_of(edge, 0), twin = corner_of(edge, 1);
    const auto [from, to, left] = corners_from(corner);
    const auto beyond = corners_from(next_corner(twin));  // begins at the same vertex as the edge
    return {from, to, left, beyond[1], {triangle_of(corner), triangle_of(twin)}};
}

Point InspectedMesh::at(const InspectedCorner& corner) const {
    const Point p = mesh_.positions.read(corner.id);
    return box_ ? box_->to_image({0, 0}, p, corner.image) : p;
}

Point3 InspectedMesh::place(const InspectedCorner& corner) const {
    const Point p = in_world(at(corner));
    return {p.x, p.y, in_space() ? mesh_.heights.read(corner.id) : 0};
}

std::string InspectedMesh::name(const InspectedCorner& corner) const {
    if (!is_finite(corner)) return on_cylinder() ? "beyond the border" : "infinity";
    if (is_helper(corner.id)) return "corner of the supertriangle";
    const std::string plain = noun_ + " " + short_name(corner.id);
    if (corner.image == ImageShift{}) return plain;
    return plain + " (image " + std::to_string(corner.image.x) + ", " + std::to_string(corner.image.y) + ")";
}

Link InspectedMesh::link(uint32_t vertex) const {
    return {is_helper(vertex) ? "corner" : short_name(vertex), {ElementKind::kVertex, vertex}};
}

void repeat_over_border(const InspectedMesh& inspected, std::vector<Highlight>& highlights,
                        const std::vector<Point>& element) {
    if (!inspected.box()) return;
    constexpr int kReach = 2;  // sides by which an edge or a triangle may extend beyond the box
    const Point sides = inspected.box()->sides;
    const Point origin = inspected.in_world({0, 0});
    const auto meets = [](double from, double to, int by, double side) {
        return from + by * side < side && to + by * side > 0;
    };
    const std::vector<Highlight> once = highlights;
    for (const Highlight& one : once) {
        std::vector<Point> covered = element;
        if (element.empty())
            for (const Point3& place : one.places) covered.push_back({place.x - origin.x, place.y - origin.y});
        if (covered.empty()) continue;
        const auto [low, high] = bounds_of(covered);
        for (int y = -kReach; y <= kReach; ++y)
            for (int x = -kReach; x <= kReach; ++x) {
                if ((x == 0 && y == 0) || inspected.box()->is_beyond({int8_t(x), int8_t(y)}) ||
                    !meets(low.x, high.x, x, sides.x) || !meets(low.y, high.y, y, sides.y))
                    continue;
                Highlight image = one;
                for (Point3& place : image.places) place = {place.x + x * sides.x, place.y + y * sides.y, 0};
                highlights.push_back(std::move(image));
            }
    }
}

}  // namespace flipscope
