#include "labs/explain.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <optional>

#include "compute/text.h"
#include "geometry/places.h"
#include "geometry/predicates.h"
#include "labs/registry.h"
#include "labs/triangle_words.h"
#include "mesh/legality.h"
#include "mesh/star_of.h"

namespace flipscope {

namespace {

constexpr size_t kMostSpokes = 2048;  // a fan may have a million
constexpr size_t kMostLinks = 24;

const std::string* given_name(const Construction& made, uint32_t input) {
    if (!made.input()) return nullptr;
    const std::vector<std::string>& names = made.input()->names;
    size_t index = input;
    if (const std::vector<uint32_t>& called = made.names(); !called.empty()) {
        const auto found = std::lower_bound(called.begin(), called.end(), input);
        if (found == called.end() || *found != input) return nullptr;
        index = static_cast<size_t>(found - called.begin());
    }
    return index < names.size() && !names[index].empty() ? &names[index] : nullptr;
}

/// What the functions below ask of the mesh, a word at a time.
class Reader {
  public:
    explicit Reader(const Construction& made) : made_(made), mesh_(made.mesh()) {}

    const TriangleMesh& mesh() const { return mesh_; }
    bool in_space() const { return !mesh_.heights.empty(); }
    bool is_finite(uint32_t vertex) const { return vertex < mesh_.infinite(); }
    uint32_t from(uint32_t slot) const { return mesh_.triangles.read(slot); }
    uint32_t edge_at(uint32_t slot) const { return mesh_.slot_halves.read(slot) >> 1; }
    uint32_t across(uint32_t slot) const { return mesh_.half_slots.read(mesh_.slot_halves.read(slot) ^ 1u); }
    uint32_t slot_of(uint32_t edge, uint32_t side) const { return mesh_.half_slots.read(2 * size_t(edge) + side); }
    Point at(uint32_t vertex) const { return mesh_.positions.read(vertex); }
    Point3 place(uint32_t vertex) const {
        const Point p = at(vertex);
        return {p.x, p.y, in_space() ? mesh_.heights.read(vertex) : 0};
    }
    std::vector<uint32_t> corners(uint32_t triangle) const {
        const size_t first = 3 * size_t(triangle);
        return {mesh_.triangles.read(first), mesh_.triangles.read(first + 1), mesh_.triangles.read(first + 2)};
    }
    bool is_ghost(uint32_t triangle) const {
        const std::vector<uint32_t> all = corners(triangle);
        return !std::all_of(all.begin(), all.end(), [&](uint32_t v) { return is_finite(v); });
    }
    /// Without the vertex at infinity.
    std::vector<Point3> places(const std::vector<uint32_t>& vertices) const {
        std::vector<Point3> found;
        for (const uint32_t v : vertices)
            if (is_finite(v)) found.push_back(place(v));
        return found;
    }
    bool is_helper(uint32_t vertex) const { return vertex >= made_.distinct(); }
    std::string name(uint32_t vertex) const {
        if (!is_finite(vertex)) return "infinity";
        if (is_helper(vertex)) return "corner of the supertriangle";
        return (in_space() ? "vertex " : "point ") + short_point_name(made_, mesh_.inputs.read(vertex));
    }
    Link vertex_link(uint32_t vertex) const {
        return {is_helper(vertex) ? "corner" : short_point_name(made_, mesh_.inputs.read(vertex)),
                {ElementKind::kVertex, vertex}};
    }

  private:
    const Construction& made_;
    const TriangleMesh& mesh_;
};

Link triangle_link(uint32_t t) { return {std::to_string(t), {ElementKind::kTriangle, t}}; }
Link edge_link(uint32_t e) { return {std::to_string(e), {ElementKind::kEdge, e}}; }

/// Says how many there are where that is too many to list.
std::string cut_links(std::vector<Link>& links) {
    if (links.size() <= kMostLinks) return {};
    const std::string all = with_commas(links.size());
    links.resize(kMostLinks);
    return "the first " + std::to_string(kMostLinks) + " of " + all;
}

Highlight outline(const Reader& reader, uint32_t triangle, Role role) {
    return {Highlight::Kind::kPolygon,
            reader.places(reader.corners(triangle)),
            0,
            role,
            "triangle " + std::to_string(triangle),
            0,
            Highlight::Style::kThin};
}

Highlight line_of_edge(const Reader& reader, uint32_t edge, Role role, std::string name) {
    const uint32_t slot = reader.slot_of(edge, 0);
    return {Highlight::Kind::kLine, reader.places({reader.from(slot), reader.from(next_slot(slot))}), 0, role,
            std::move(name)};
}

// ---- the cell of a vertex -------------------------------------------------------------------------------------------

struct Cell {
    std::vector<Point> corners;  // clockwise around the vertex
    bool bounded = true;
    bool known = true;  // every triangle has a circle in doubles
};

/// The circumcentres of the star's finite triangles, of a vertex of the hull from one ghost to the other.
Cell cell_of(const Reader& reader, std::vector<uint32_t> spokes) {
    Cell cell;
    for (size_t i = 0; i < spokes.size(); ++i)
        if (reader.is_ghost(triangle_of(spokes[i]))) {
            cell.bounded = false;
            const size_t next = (i + 1) % spokes.size();
            if (reader.is_ghost(triangle_of(spokes[next]))) continue;
            std::rotate(spokes.begin(), spokes.begin() + static_cast<std::ptrdiff_t>(next), spokes.end());
            break;
        }
    for (const uint32_t spoke : spokes) {
        const uint32_t t = triangle_of(spoke);
        if (reader.is_ghost(t)) continue;
        const std::vector<uint32_t> v = reader.corners(t);
        const auto circle = circumcircle(reader.at(v[0]), reader.at(v[1]), reader.at(v[2]));
        cell.known = cell.known && circle;
        if (circle) cell.corners.push_back(circle->centre);
    }
    return cell;
}

double area_of(const std::vector<Point>& corners) {
    double twice = 0;
    for (size_t i = 1; i + 1 < corners.size(); ++i) {
        const Point p = corners[i], q = corners[i + 1], o = corners[0];
        twice += (p.x - o.x) * (q.y - o.y) - (p.y - o.y) * (q.x - o.x);
    }
    return std::fabs(twice) / 2;
}

/// Whether an edge between finite triangles passes the in-circle test; others do.
bool is_delaunay(const Reader& reader, uint32_t slot) {
    const uint32_t ids[4] = {reader.from(slot), reader.from(next_slot(slot)), reader.from(previous_slot(slot)),
                             reader.from(previous_slot(reader.across(slot)))};
    if (!std::all_of(std::begin(ids), std::end(ids), [&](uint32_t v) { return reader.is_finite(v); })) return true;
    return incircle(reader.at(ids[0]), reader.at(ids[1]), reader.at(ids[2]), reader.at(ids[3])) <= 0;
}

void explain_cell(const Construction& made, const Reader& reader, const std::vector<uint32_t>& spokes,
                  Properties& properties, std::vector<Highlight>& highlights) {
    const Cell cell = cell_of(reader, spokes);
    if (!cell.known) {
        properties.add("Voronoi cell", "not known", "a triangle around it is flat, or too nearly so for doubles");
        return;
    }
    const bool legal =
        std::all_of(spokes.begin(), spokes.end(), [&](uint32_t spoke) { return is_delaunay(reader, spoke); });
    if (!legal) {
        properties.add("Voronoi cell", "none yet", "an edge here is not Delaunay, so the circumcentres bound no cell");
        return;
    }
    const std::string why = made.waiting_count() > 0 ? "among the points inserted so far" : "";
    if (cell.bounded) {
        properties.add("Voronoi cell", Value(area_of(cell.corners), "world units squared"),
                       "area" + (why.empty() ? "" : "; " + why));
    } else {
        properties.add("Voronoi cell", "unbounded",
                       "a vertex of the hull: two of its sides go on for ever" + (why.empty() ? "" : "; " + why));
    }
    if (cell.corners.size() < 2) return;
    Highlight drawn{cell.bounded ? Highlight::Kind::kPolygon : Highlight::Kind::kLine,
                    {},
                    0,
                    Role::kExact,
                    cell.bounded ? "Voronoi cell" : "bounded part of the Voronoi cell",
                    0,
                    Highlight::Style::kThin};
    for (const Point corner : cell.corners) drawn.places.push_back({corner.x, corner.y, 0});
    highlights.push_back(std::move(drawn));
}

void explain_waiting(const Reader& reader, uint32_t vertex, const std::vector<uint32_t>& walk, Properties& properties,
                     std::vector<Highlight>& highlights) {
    const uint32_t last = walk.back();
    const bool cut = walk.size() >= Construction::kMostWalked;
    properties.add_links("Waits in", {triangle_link(last)},
                         cut                     ? "where the search is after so many triangles"
                         : reader.is_ghost(last) ? "a ghost: it lies beyond the hull, and sees its edge"
                                                 : "the triangle that it lies in, now");
    highlights.push_back(outline(reader, last, Role::kWaiting));
    const size_t steps = walk.size() - 1;
    std::vector<Link> links;
    for (const uint32_t t : walk) links.push_back(triangle_link(t));
    const std::string cut_note = cut_links(links);
    std::string why = steps == 0 ? "it is where the search begins"
                                 : count_text(steps, "step", "steps") + " from where the search begins";
    properties.add_links("Walk", std::move(links), why + (cut_note.empty() ? "" : "; " + cut_note));
    if (steps == 0) return;
    Highlight way{Highlight::Kind::kLine, {}, 0, Role::kWaiting, "walk to " + reader.name(vertex), 0,
                  Highlight::Style::kThin};
    for (size_t i = 0; i + 1 < walk.size(); ++i) {
        const std::vector<Point3> corners = reader.places(reader.corners(walk[i]));
        Point3 middle;
        for (const Point3& corner : corners) middle = middle + (1.0 / static_cast<double>(corners.size())) * corner;
        if (!corners.empty()) way.places.push_back(middle);
    }
    way.places.push_back(reader.place(vertex));
    if (way.places.size() > 1) highlights.push_back(std::move(way));
}

/// Whether the two triangles of an edge make a quadrilateral that the other diagonal lies in.
bool other_diagonal_fits(const Reader& reader, const uint32_t (&ids)[4]) {
    const Point from = reader.at(ids[0]), to = reader.at(ids[1]), left = reader.at(ids[2]), right = reader.at(ids[3]);
    return orient2d(left, from, right) > 0 && orient2d(right, to, left) > 0;
}

}  // namespace

std::string short_point_name(const Construction& made, uint32_t input) {
    const std::string* name = given_name(made, input);
    return std::to_string(input) + (name ? " (" + *name + ")" : "");
}

std::string point_name(const Construction& made, uint32_t input) { return "point " + short_point_name(made, input); }

// ---- what lies around -----------------------------------------------------------------------------------------------

void explain_edge(const Construction& made, uint32_t edge, Properties& properties, std::vector<Highlight>& highlights) {
    const Reader reader(made);
    const uint32_t slots[2] = {reader.slot_of(edge, 0), reader.slot_of(edge, 1)};
    const uint32_t ids[4] = {reader.from(slots[0]), reader.from(next_slot(slots[0])),
                             reader.from(previous_slot(slots[0])), reader.from(previous_slot(slots[1]))};
    std::vector<Link> sides, ends, apexes;
    for (const uint32_t slot : slots) sides.push_back(triangle_link(triangle_of(slot)));
    for (uint32_t k = 0; k < 4; ++k)
        if (reader.is_finite(ids[k])) (k < 2 ? ends : apexes).push_back(reader.vertex_link(ids[k]));
    for (Property& property : properties.list)
        if (property.name == "Triangles") property.links = std::move(sides);
    properties.add_links("Ends", std::move(ends));
    if (!apexes.empty()) properties.add_links("Opposite", std::move(apexes));
    for (const uint32_t slot : slots)
        if (!reader.is_ghost(triangle_of(slot))) highlights.push_back(outline(reader, triangle_of(slot), Role::kPlain));
    for (uint32_t k = 2; k < 4; ++k)
        if (reader.is_finite(ids[k]) && reader.is_finite(ids[0]) && reader.is_finite(ids[1]))
            highlights.push_back(
                {Highlight::Kind::kPoint, {reader.place(ids[k])}, 0, Role::kPlain, reader.name(ids[k])});
    if (!std::all_of(std::begin(ids), std::end(ids), [&](uint32_t v) { return reader.is_finite(v); })) return;
    if (ids[2] == ids[3]) return;
    const std::string name = reader.name(ids[2]) + " to " + reader.name(ids[3]);
    const bool fits = reader.in_space() || other_diagonal_fits(reader, ids);
    properties.add("Other diagonal", name,
                   fits ? "what the edge becomes when it flips"
                        : "it does not lie within the two triangles, so this edge cannot flip");
    highlights.push_back({Highlight::Kind::kLine,
                          {reader.place(ids[2]), reader.place(ids[3])},
                          0,
                          Role::kPlain,
                          "the other diagonal, from " + name,
                          0,
                          Highlight::Style::kDashed});
}

void explain_triangle(const Construction& made, uint32_t triangle, Properties& properties) {
    const Reader reader(made);
    const std::vector<uint32_t> v = reader.corners(triangle);
    std::vector<Link> corners, neighbours, edges;
    for (uint32_t k = 0; k < 3; ++k) {
        const uint32_t slot = 3 * triangle + k;
        if (reader.is_finite(v[k])) corners.push_back(reader.vertex_link(v[k]));
        neighbours.push_back(triangle_link(triangle_of(reader.across(slot))));
        edges.push_back(edge_link(reader.edge_at(slot)));
    }
    properties.add_links("Corners", std::move(corners));
    properties.add_links("Edges", std::move(edges));
    properties.add_links("Neighbours", std::move(neighbours), "across these edges, in this order");
    if (reader.in_space() || reader.is_ghost(triangle)) return;
    const Point p[3] = {reader.at(v[0]), reader.at(v[1]), reader.at(v[2])};
    if (orient2d(p[0], p[1], p[2]) == 0) return;
    std::vector<double> angles;
    for (uint32_t k = 0; k < 3; ++k) {
        const Point a = p[k], b = p[(k + 1) % 3], c = p[(k + 2) % 3];
        const double sine = std::fabs((b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x));
        const double cosine = (b.x - a.x) * (c.x - a.x) + (b.y - a.y) * (c.y - a.y);
        angles.push_back(std::atan2(sine, cosine) * 180 / 3.14159265358979323846);
    }
    properties.add("Angles", Value(std::move(angles), "°"), "at its corners, in this order");
}

void explain_vertex(const Construction& made, uint32_t vertex, Properties& properties,
                    std::vector<Highlight>& highlights) {
    const Reader reader(made);
    if (made.mesh().triangle_count == 0) return;
    if (const std::vector<uint32_t> walk = made.walk_to(vertex); !walk.empty())
        return explain_waiting(reader, vertex, walk, properties, highlights);
    const Star star = star_of(made.context(), made.mesh(), vertex, kMostSpokes);
    if (star.spokes.empty()) return;
    if (!star.whole) {
        properties.add("Degree", "not known",
                       star.spokes.size() == kMostSpokes
                           ? "more than " + std::to_string(kMostSpokes) + " edges end here"
                           : "the incidence around it is not up to date in this state");
        return;
    }
    std::vector<Link> neighbours, triangles;
    std::vector<uint32_t> ring;
    bool at_infinity = false;
    for (const uint32_t spoke : star.spokes) {
        const uint32_t end = reader.from(next_slot(spoke));
        at_infinity |= !reader.is_finite(end);
        if (!reader.is_finite(end)) continue;
        neighbours.push_back(reader.vertex_link(end));
        ring.push_back(end);
        if (const uint32_t t = triangle_of(spoke); !reader.is_ghost(t)) triangles.push_back(triangle_link(t));
    }
    properties.add("Degree", Value(neighbours.size()),
                   at_infinity ? reader.in_space() ? "edges that end here; it is on the boundary"
                                                   : "edges that end here; it is on the hull"
                               : "edges that end here");
    std::string cut = cut_links(neighbours);
    properties.add_links("Neighbours", std::move(neighbours), cut.empty() ? "clockwise" : "clockwise; " + cut);
    cut = cut_links(triangles);
    properties.add_links("Triangles", std::move(triangles), cut);
    if (!reader.in_space()) explain_cell(made, reader, star.spokes, properties, highlights);
    Highlight drawn{Highlight::Kind::kPolygon, {}, 0, Role::kPlain, "star of " + reader.name(vertex), 0,
                    Highlight::Style::kThin};
    if (at_infinity) {  // from one end of the gap to the other, by way of the vertex
        size_t gap = 0;
        while (reader.is_finite(reader.from(next_slot(star.spokes[gap])))) ++gap;
        ring.clear();
        for (size_t i = 1; i < star.spokes.size(); ++i) {
            const uint32_t end = reader.from(next_slot(star.spokes[(gap + i) % star.spokes.size()]));
            if (reader.is_finite(end)) ring.push_back(end);
        }
        ring.push_back(vertex);
    }
    drawn.places = reader.places(ring);
    if (drawn.places.size() > 2) highlights.push_back(std::move(drawn));
}

// ---- the last pass --------------------------------------------------------------------------------------------------

namespace {

struct Holder {
    uint32_t edge, triangle;
};

/// Which edges hold the triangles that a deferred edge needs. Where claims tell nothing, by the state words: what else
/// was granted at these triangles.
std::vector<Holder> holders_before(const Construction& made, const Reader& reader, uint32_t edge) {
    const TriangleClaims claims = made.triangle_claims();
    const TriangleMesh& mesh = made.mesh();
    std::vector<Holder> found;
    for (uint32_t side = 0; side < 2; ++side) {
        const uint32_t t = triangle_of(reader.slot_of(edge, side));
        const uint32_t holder = claims.holder(t);
        if (holder != kNone && holder != edge && holder < mesh.edge_count) found.push_back({holder, t});
    }
    if (!found.empty()) return found;
    for (uint32_t side = 0; side < 2; ++side) {
        const uint32_t t = triangle_of(reader.slot_of(edge, side));
        for (uint32_t k = 0; k < 3; ++k) {
            const uint32_t other = reader.edge_at(3 * t + k);
            if (other != edge && (mesh.edge_states.read(other) & kStateGranted)) found.push_back({other, t});
        }
    }
    if (!found.empty()) return found;
    // It holds both: on a surface an edge beside the two triangles can go first.
    for (uint32_t k = 0; k < 4; ++k) {
        const uint32_t slot = reader.slot_of(edge, k >> 1);
        const uint32_t t = triangle_of(reader.across(k & 1 ? previous_slot(slot) : next_slot(slot)));
        const uint32_t holder = claims.holder(t);
        if (holder == kNone || holder == edge || holder >= mesh.edge_count) continue;
        if (mesh.edge_states.read(holder) & kStateGranted) found.push_back({holder, t});
    }
    return found;
}

}  // namespace

void explain_last_pass(const Construction& made, ElementKind kind, uint32_t id, Properties& properties,
                       std::vector<Highlight>& highlights) {
    const TriangleMesh& mesh = made.mesh();
    if (!mesh.records_states()) return;
    const Reader reader(made);
    if (kind == ElementKind::kTriangle) {
        const State state = mesh.triangle_states.read(id);
        if (!(state & (kStateLocked | kStateFlipped))) return;
        const uint32_t holder = made.triangle_claims().holder(id);
        const bool flipped = state & kStateFlipped;
        Property last{"Last pass", flipped ? "flipped" : "locked",
                      flipped ? "rotated by the flip of an edge" : "held by an edge that will flip"};
        if (holder != kNone && holder < mesh.edge_count) {
            const std::string name = "edge " + std::to_string(holder);
            last.why = flipped ? "rotated by the flip of " + name : "held by " + name + ", which will flip";
            last.links = {{name, {ElementKind::kEdge, holder}}};
            highlights.push_back(line_of_edge(reader, holder, flipped ? Role::kFlipped : Role::kGranted, name));
        }
        properties.list.push_back(std::move(last));
        return;
    }
    if (kind != ElementKind::kEdge) return;
    const State state = mesh.edge_states.read(id);
    if (state & kStateSeam)
        properties.add("Non-manifold", true, "not two triangles that agree: cut here, never flipped");
    if (state & kStateCycling)
        properties.add("Cycling", true, "rounding makes this edge flip back and forth without end");
    if (state & kStateFlipped) {
        properties.add("Last pass", "flipped", "both its claims were granted");
    } else if (state & kStateDeferred) {
        Property last{"Last pass", "deferred", ""};
        for (const auto& [edge, triangle] : holders_before(made, reader, id)) {
            const std::string name = "edge " + std::to_string(edge), of = "triangle " + std::to_string(triangle);
            const bool granted = mesh.edge_states.read(edge) & kStateGranted;
            last.why += (last.why.empty() ? "to " : ", and to ") + name + ", which holds " + of +
                        (granted ? "" : " and is deferred itself");
            last.links.push_back({name, {ElementKind::kEdge, edge}});
            last.links.push_back({of, {ElementKind::kTriangle, triangle}});
            Highlight drawn = line_of_edge(reader, edge, granted ? Role::kGranted : Role::kDeferred,
                                           name + ", which was granted " + of);
            if (drawn.places.size() == 2) highlights.push_back(std::move(drawn));
        }
        if (last.why.empty()) last.why = "another edge has precedence";
        properties.list.push_back(std::move(last));
    } else if (state & kStateGranted) {
        properties.add("Last pass", "granted", "both its claims are granted: it will flip");
    } else if (state & kStateBlocked) {
        properties.add("Last pass", "blocked", "its flip would invert a triangle, duplicate an edge or make a crease");
    } else if (state & kStateQueued) {
        properties.add("Last pass", "queued", "it can have become illegal, and is tested next");
    }
}

// ---- determinants ---------------------------------------------------------------------------------------------------

Properties determinant_values(const DeterminantValues& values, int decided, const std::string& tie) {
    Properties properties;
    const ExactValue& exact = values.exact;
    const auto verdict = [&](int sign) {
        return std::string("sign ") + sign_name(sign) + (sign == exact.sign ? "" : ": wrong");
    };
    properties.add("Float", float_text(values.single),
                   hex_text(values.single) + "; " +
                       (std::isfinite(values.single) ? verdict((values.single > 0) - (values.single < 0))
                                                     : std::string("no number: too large for floats")));
    const bool sure = std::fabs(values.rounded) > values.error || values.error == 0;
    properties.add("Double", Value::exactly(values.rounded),
                   hex_text(values.rounded) + "; " + verdict((values.rounded > 0) - (values.rounded < 0)) +
                       (sure ? ", and sure" : ", and not sure"));
    properties.add("Error bound", Value::exactly(values.error),
                   hex_text(values.error) + "; the double is off by this at most");
    const std::string text = exact.text();
    properties.add("Exact", exact.sign == 0 ? Value("0") : Value::exactly(exact.rounded),
                   exact.sign == 0
                       ? "without any rounding"
                       : hex_text(exact.rounded) + ", rounded once; " + text + "; sign " + sign_name(exact.sign));
    if (!tie.empty()) properties.add("Tie-break", std::string("sign ") + sign_name(decided), tie);
    return properties;
}

void offer_microscope(const std::string& predicate, const std::vector<uint32_t>& inputs, Properties& properties) {
    const auto& labs = registry();
    const auto found = std::find_if(labs.begin(), labs.end(), [](const auto& lab) { return lab.id == "microscope"; });
    if (found == labs.end()) return;
    Link link{"under the microscope",
              {},
              {},
              found->id,
              {{"sign_of", predicate == "incircle" ? "in-circle" : "orientation"}, {"coordinates", "input"}}};
    for (size_t k = 0; k < inputs.size() && k < 4; ++k)
        link.parameters.push_back({std::string(1, static_cast<char>('a' + k)), std::to_string(inputs[k])});
    properties.add_links("Predicate", {std::move(link)}, "the same points in the lab of predicates");
}

}  // namespace flipscope
