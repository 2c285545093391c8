// The Flip lab's answers about one element: what Construction says in the plane, the angles and the shape on a surface,
// and who won the conflict.
#include <algorithm>
#include <cmath>

#include "delaunay/flipping.h"
#include "geometry/collinear.h"
#include "steps/facts.h"

namespace flipscope {

namespace {

constexpr double kDegree = 3.14159265358979323846 / 180;

double degrees(const Angle<double>& angle) { return std::atan2(angle.sine, angle.cosine) / kDegree; }
std::string degree_text(double angle) { return format_short(angle) + "°"; }

double dihedral_of(Point3 m, Point3 n) { return std::atan2(length(cross(m, n)), dot(m, n)); }

}  // namespace

std::vector<Fact> Flipping::inspect(Element element) const {
    std::vector<Fact> facts;
    if (element.id == kNone || distinct_ == 0) return facts;
    if (!in_space()) {
        facts = Construction::inspect(element);
        if (element.kind == ElementKind::kEdge) add_conflict(element.id, facts);
        return facts;
    }
    if (element.kind == ElementKind::kVertex) {
        if (element.id >= distinct_) return facts;
        const Point at = mesh_.positions.read(element.id);
        facts.push_back({"Vertex", std::to_string(mesh_.inputs.read(element.id)), "index in the input, from 0"});
        facts.push_back({"x", format_exactly(at.x), "world units, exactly as read"});
        facts.push_back({"y", format_exactly(at.y), ""});
        facts.push_back({"z", format_exactly(mesh_.heights.read(element.id)), ""});
        return facts;
    }
    if (element.kind == ElementKind::kEdge) {
        if (element.id < mesh_.edge_count) inspect_surface_edge(element.id, facts);
        return facts;
    }
    if (element.id >= mesh_.triangle_count) return facts;
    Point3 at[3];
    std::string names;
    for (uint32_t k = 0; k < 3; ++k) {
        const uint32_t v = mesh_.triangles.read(3 * size_t(element.id) + k);
        if (v >= distinct_) {
            facts.push_back({"Triangle", std::to_string(element.id), ""});
            facts.push_back({"Ghost", "yes", "it joins an edge of the boundary to the vertex at infinity"});
            return facts;
        }
        const Point p = mesh_.positions.read(v);
        at[k] = {p.x, p.y, mesh_.heights.read(v)};
        names += (k ? ", vertex " : "vertex ") + std::to_string(mesh_.inputs.read(v));
    }
    facts.push_back({"Triangle", std::to_string(element.id), names});
    if (collinear(at[0], at[1], at[2])) {
        facts.push_back({"Flat", "yes", "exactly: its three vertices lie on one line"});
        facts.push_back({"Area", "0", "exactly"});
        return facts;
    }
    facts.push_back({"Area", format_short(length(normal_of(at[0], at[1], at[2])) / 2), "world units squared"});
    double angles[3];
    for (uint32_t k = 0; k < 3; ++k) angles[k] = degrees(angle_at(at[k], at[(k + 1) % 3], at[(k + 2) % 3]));
    facts.push_back({"Angles", degree_text(angles[0]) + ", " + degree_text(angles[1]) + ", " + degree_text(angles[2]),
                     "at its vertices, in this order"});
    return facts;
}

void Flipping::inspect_surface_edge(uint32_t edge, std::vector<Fact>& facts) const {
    const uint32_t slot = mesh_.half_slots.read(2 * size_t(edge)), twin = mesh_.half_slots.read(2 * size_t(edge) + 1);
    const uint32_t ids[4] = {mesh_.triangles.read(slot), mesh_.triangles.read(twin),
                             mesh_.triangles.read(previous_slot(slot)), mesh_.triangles.read(previous_slot(twin))};
    Point3 at[4];
    std::string names[4];
    for (uint32_t k = 0; k < 4; ++k) {
        names[k] = ids[k] >= distinct_ ? "infinity" : "vertex " + std::to_string(mesh_.inputs.read(ids[k]));
        if (ids[k] >= distinct_) continue;
        const Point p = mesh_.positions.read(ids[k]);
        at[k] = {p.x, p.y, mesh_.heights.read(ids[k])};
    }
    facts.push_back({"Edge", std::to_string(edge), names[0] + " to " + names[1]});
    if (ids[0] >= distinct_ || ids[1] >= distinct_) {
        facts.push_back({"Ghost", "yes", "it joins a vertex of the boundary to the one at infinity"});
        return;
    }
    facts.push_back({"Length", format_short(length(at[1] - at[0])), "world units"});
    if (ids[2] >= distinct_ || ids[3] >= distinct_) {
        const bool seam = std::binary_search(connection_.seam_edges.begin(), connection_.seam_edges.end(), edge);
        facts.push_back(seam ? Fact{"Non-manifold", "yes", "not two triangles that agree: cut here, never flipped"}
                             : Fact{"On the boundary", "yes", "one triangle only: never flipped"});
        return;
    }
    facts.push_back({"Triangles", std::to_string(triangle_of(slot)) + " and " + std::to_string(triangle_of(twin)),
                     "with " + names[2] + " and " + names[3] + " opposite"});
    const double lambda = degrees(angle_at(at[2], at[0], at[1])), gamma = degrees(angle_at(at[3], at[1], at[0]));
    facts.push_back({"Angles opposite", degree_text(lambda) + " + " + degree_text(gamma),
                     "together " + degree_text(lambda + gamma) + "; more than 180° + \xCE\xB5 is illegal"});
    std::string flat;
    for (uint32_t side = 0; side < 2; ++side)
        if (collinear(at[0], at[1], at[2 + side]))
            flat += (flat.empty() ? "triangle " : " and triangle ") + std::to_string(triangle_of(side ? twin : slot));
    if (flat.empty()) {
        const double dihedral = dihedral_of(normal_of(at[0], at[1], at[2]), normal_of(at[1], at[0], at[3]));
        facts.push_back({"Dihedral angle", format_short(dihedral) + " rad",
                         dihedral > now_.dihedral ? "past the limit: a crease, which stays"
                                                  : "within the limit of " + format_short(now_.dihedral)});
    } else {
        facts.push_back({"Flat", flat, "exactly: its three vertices lie on one line, so it faces no way"});
        facts.push_back({"Dihedral angle", "none", "a flat triangle makes no crease"});
    }
    if (collinear(at[0], at[3], at[2]) || collinear(at[1], at[2], at[3])) {
        facts.push_back({"After a flip", "none", "a triangle without area would come of it"});
    } else {
        const double made = dihedral_of(normal_of(at[0], at[3], at[2]), normal_of(at[1], at[2], at[3]));
        facts.push_back(
            {"After a flip", format_short(made) + " rad", "dihedral angle of the edge that would take its place"});
    }
    add_conflict(edge, facts);
}

/// What became of the edge in the last bid, and whom it lost to.
void Flipping::add_conflict(uint32_t edge, std::vector<Fact>& facts) const {
    if (!mesh_.watched()) return;
    const State state = mesh_.edge_states.read(edge);
    if (state & kStateFlipped) facts.push_back({"Last pass", "flipped", "it held both its triangles"});
    if (state & kStateBlocked)
        facts.push_back(
            {"Last pass", "blocked", "its flip would turn a triangle over, double an edge or make a crease"});
    if ((state & kStateWon) && !(state & kStateFlipped))
        facts.push_back({"Last pass", "won", "it holds both its triangles and will flip"});
    if (!(state & kStateLost)) return;
    std::string winners;
    for (uint32_t side = 0; side < 2; ++side) {
        const uint32_t t = triangle_of(mesh_.half_slots.read(2 * size_t(edge) + side));
        for (uint32_t k = 0; k < 3; ++k) {
            const uint32_t other = mesh_.slot_halves.read(3 * size_t(t) + k) >> 1;
            if (other != edge && (mesh_.edge_states.read(other) & kStateWon))
                winners += (winners.empty() ? "edge " : " and edge ") + std::to_string(other);
        }
    }
    facts.push_back({"Last pass", "lost",
                     winners.empty() ? "another edge was given way to; it waits"
                                     : "to " + winners + ", which took a triangle that it needs; it waits"});
}

}  // namespace flipscope
