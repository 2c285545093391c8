// sanitizers: none
// Links between elements, over all elements of small runs of every lab, except constructions of the plane: each leads
// to an element with a report, and back; names and highlights agree with the run's own arrays, on a torus at the right
// image.
#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <tuple>

#include "delaunay/runs.h"
#include "flipscope/triangulate.h"
#include "geometry/recording.h"
#include "geometry/torus_box.h"
#include "voronoi/lattice.h"

using namespace flipscope;

namespace {

using Key = std::tuple<ElementKind, uint32_t, uint32_t>;  // kind, id, view

Key key_of(const Element& element) { return {element.kind, element.id, element.part}; }

/// The target of a property's link.
std::set<uint32_t> linked(const Report& report, const std::string& property) {
    std::set<uint32_t> ids;
    if (const Property* found = report.find(property))
        for (const Link& link : found->links) ids.insert(link.element.id);
    return ids;
}

const Highlight* highlighted(const Report& report, const std::string& beginning) {
    for (const Highlight& one : report.highlights)
        if (one.name.starts_with(beginning) &&  // and not "triangle 12" for "triangle 1"
            one.name.substr(beginning.size()).find_first_of("0123456789") != 0)
            return &one;
    return nullptr;
}

double area_of(const std::vector<Point3>& corners) {
    double twice = 0;
    for (size_t i = 0; i < corners.size(); ++i) {
        const Point3 &p = corners[i], &q = corners[(i + 1) % corners.size()];
        twice += (p.x - corners[0].x) * (q.y - corners[0].y) - (p.y - corners[0].y) * (q.x - corners[0].x);
    }
    return std::fabs(twice) / 2;
}

/// The reports of all elements of a state, and the targets of their links.
struct LinkWalk {
    std::map<Key, std::map<std::string, std::set<Key>>> links;
    size_t count = 0;

    explicit LinkWalk(const Lab& lab, const std::vector<ElementKind>& kinds, uint32_t views = 1) {
        const Scene scene = lab.scene();
        const auto& inspectable = facet<Inspectable>(lab);
        std::set<Key> targets;
        for (uint32_t part = 0; part < views; ++part)
            for (const ElementKind kind : kinds)
                for (uint32_t id = 0; id < scene.view(part).count_of(kind); ++id)
                    for (const Property& property : inspectable.inspect({kind, id, part}).properties())
                        for (const Link& link : property.links) {
                            if (link.element.id == kNone) continue;
                            CHECK_FALSE(link.name.empty());
                            const std::string name = property.name == "Triangle" ? "Triangles" : property.name;
                            links[{kind, id, part}][name].insert(key_of(link.element));
                            targets.insert(key_of(link.element));
                            ++count;
                        }
        for (const auto& [kind, id, part] : targets) {
            INFO("a link to kind ", int(kind), ", id ", id, ", view ", part);
            CHECK_FALSE(inspectable.inspect({kind, id, part}).empty());
        }
    }

    /// Links along `there`, from elements of this kind, have reverse links along `back`.
    void check_back(ElementKind kind, const std::string& there, const std::string& back) const {
        size_t followed = 0;
        for (const auto& [from, properties] : links) {
            const auto found = properties.find(there);
            if (std::get<0>(from) != kind || found == properties.end()) continue;
            for (const Key& to : found->second) {
                ++followed;
                INFO(there, " of id ", std::get<1>(from), " leads to id ", std::get<1>(to));
                const auto its = links.find(to);
                REQUIRE(its != links.end());
                const auto way = its->second.find(back);
                REQUIRE(way != its->second.end());
                CHECK(way->second.count(from) == 1);
            }
        }
        INFO(there, " and ", back);
        CHECK(followed > 0);
    }

    /// Triangles, edges and vertices link to each other.
    void check_triangulation() const {
        check_back(ElementKind::kVertex, "Neighbours", "Neighbours");
        check_back(ElementKind::kVertex, "Triangles", "Corners");
        check_back(ElementKind::kTriangle, "Corners", "Triangles");
        check_back(ElementKind::kTriangle, "Neighbours", "Neighbours");
        check_back(ElementKind::kTriangle, "Edges", "Triangles");
        check_back(ElementKind::kEdge, "Triangles", "Edges");
        for (const auto& [from, properties] : links) {
            if (std::get<0>(from) != ElementKind::kEdge) continue;
            const std::set<Key>& ends = properties.at("Ends");
            for (const Key& one : ends)
                for (const Key& other : ends)
                    if (one != other) CHECK(links.at(one).at("Neighbours").count(other) == 1);
            if (properties.count("Opposite"))
                for (const Key& apex : properties.at("Opposite")) {
                    const std::set<Key>& own = links.at(apex).at("Triangles");
                    const std::set<Key>& of_edge = properties.at("Triangles");
                    CHECK(std::any_of(own.begin(), own.end(), [&](const Key& t) { return of_edge.count(t) == 1; }));
                }
        }
    }
};

const std::vector<ElementKind> kOfMesh{ElementKind::kVertex, ElementKind::kEdge, ElementKind::kTriangle};

/// Circles, other diagonals, cells and stars of a triangulation of a box that is Delaunay.
void check_places_on_torus(const Lab& lab, double side) {
    const Scene scene = lab.scene();
    const auto& inspectable = facet<Inspectable>(lab);
    size_t across = 0, diagonals = 0, circles = 0;
    for (uint32_t edge = 0; edge < scene.count_of(ElementKind::kEdge); ++edge) {
        const Report told = inspectable.inspect({ElementKind::kEdge, edge});
        INFO("edge ", edge);
        across += told.find("Across the border") != nullptr;
        // Its two triangles, as they lie at it: both have the edge, and with the other diagonal's ends their areas.
        std::vector<std::vector<Point3>> outlines;
        for (const auto& triangle : told.find("Triangles")->links)
            outlines.push_back(highlighted(told, "triangle " + std::to_string(triangle.element.id))->places);
        REQUIRE(outlines.size() == 2);
        const Highlight* diagonal = highlighted(told, "the other diagonal");
        const double length = told.find("Length")->value.number();
        for (size_t k = 0; k < 2; ++k) {
            const std::vector<Point3>& at = outlines[k];
            REQUIRE(at.size() == 3);
            CHECK(std::hypot(at[1].x - at[0].x, at[1].y - at[0].y) == doctest::Approx(length));
            const uint32_t id = told.find("Triangles")->links[k].element.id;
            const Report of_triangle = inspectable.inspect({ElementKind::kTriangle, id});
            CHECK(area_of(at) == doctest::Approx(of_triangle.find("Area")->value.number()));
            if (diagonal) CHECK(diagonal->places[k] == at[2]);
            if (const Highlight* circle = highlighted(told, "circumcircle of triangle " + std::to_string(id))) {
                ++circles;
                for (const Point3& corner : at)
                    CHECK(std::hypot(corner.x - circle->places[0].x, corner.y - circle->places[0].y) ==
                          doctest::Approx(circle->radius).epsilon(1e-6));
            }
        }
        if (!diagonal) continue;
        ++diagonals;
        CHECK(outlines[0][0] == outlines[1][1]);  // the same images of both ends
        CHECK(outlines[0][1] == outlines[1][0]);
        CHECK(diagonal->style == Highlight::Style::kDashed);
    }
    CHECK(across > 5);
    CHECK(diagonals > 20);
    CHECK(circles > 20);
    double cells = 0, stars = 0;
    for (uint32_t v = 0; v < scene.count_of(ElementKind::kVertex); ++v) {
        const Report told = inspectable.inspect({ElementKind::kVertex, v});
        REQUIRE(told.find("Voronoi cell"));
        cells += told.find("Voronoi cell")->value.number();
        CHECK(area_of(highlighted(told, "Voronoi cell")->places) ==
              doctest::Approx(told.find("Voronoi cell")->value.number()));
        stars += area_of(highlighted(told, "star of")->places);
    }
    CHECK(cells == doctest::Approx(side * side));
    CHECK(stars == doctest::Approx(3 * side * side));  // every triangle is in the stars of its three corners
}

}  // namespace

TEST_CASE("links on a torus: every element of the Build lab's box leads to its neighbours, and they lead back") {
    Context context(DeviceRequest::kCpu, 2);
    auto named = std::make_shared<Geometry>(*generated("uniform:60@seed=4"));
    for (Point& p : named->points) p = {3 * p.x - 7, 3 * p.y + 20};
    named->names.resize(named->points.size());
    named->names[17] = "Bern";
    const auto lab = finished(context, named, "build", {"domain=torus", "box=3"});
    LinkWalk(*lab, kOfMesh).check_triangulation();
    check_places_on_torus(*lab, 3);
    // The neighbours are those of the triangles that the lab saves.
    const TriangleMesh& mesh = *lab->scene().mesh;
    const std::vector<uint32_t> corners = mesh.triangles.download();
    bool told = false;
    for (uint32_t v = 0; v < mesh.vertex_count; ++v) {
        std::set<uint32_t> expected;
        for (size_t slot = 0; slot < 3 * size_t(mesh.triangle_count); ++slot)
            if (corners[slot] == v) expected.insert({corners[slot - slot % 3 + (slot + 1) % 3]});
        const Report report = facet<Inspectable>(*lab).inspect({ElementKind::kVertex, v});
        CHECK(linked(report, "Neighbours") == expected);
        for (const Link& link : report.find("Neighbours")->links) {
            CHECK(link.name.starts_with(std::to_string(mesh.inputs.read(link.element.id))));
            told = told || link.name == "17 (Bern)";
        }
    }
    CHECK(told);
}

TEST_CASE("links on a torus: waiting points, verdicts and small inputs are reported after every pass") {
    Context context(DeviceRequest::kCpu, 2);
    size_t waiting = 0, decided = 0;
    for (const char* text : {"uniform:1", "uniform:2", "uniform:4", "grid:16", "uniform:50"}) {
        INFO(text);
        const auto lab = started(context, generated(text), "build", {"domain=torus"});
        while (!lab->done()) {
            lab->step();
            const LinkWalk walk(*lab, kOfMesh);
            for (const auto& [from, properties] : walk.links) {
                decided += properties.count("Last pass");
                if (!properties.count("Waits in")) continue;
                ++waiting;
                const uint32_t holder = std::get<1>(*properties.at("Waits in").begin());
                const Report report =
                    facet<Inspectable>(*lab).inspect({std::get<0>(from), std::get<1>(from), std::get<2>(from)});
                const Highlight* drawn = highlighted(report, "triangle " + std::to_string(holder));
                REQUIRE(drawn);  // at the image that holds it
                const Point at{report.find("x")->value.number(), report.find("y")->value.number()};
                for (size_t k = 0; k < 3; ++k) {
                    const Point3 &p = drawn->places[k], &q = drawn->places[(k + 1) % 3];
                    CHECK((q.x - p.x) * (at.y - p.y) - (q.y - p.y) * (at.x - p.x) >= -1e-9);
                }
            }
        }
    }
    CHECK(waiting > 20);
    CHECK(decided > 5);
}

TEST_CASE("links: particles lead to their neighbours and to what they overlap, by how much") {
    Context context(DeviceRequest::kCpu, 2);
    const auto lab =
        finished(context, make_input("nothing", {}), "particles", {"config=c3", "count=60", "steps=3", "force=long"});
    const LinkWalk walk(*lab, kOfMesh);
    walk.check_triangulation();
    check_places_on_torus(*lab, number_of(*lab, "box"));
    const auto degrees = values_of<uint32_t>(*lab, "degrees");
    for (uint32_t id = 0; id < degrees.size(); ++id) {
        const Report report = facet<Inspectable>(*lab).inspect({ElementKind::kVertex, id});
        CHECK(report.find("Degree")->value.number() == degrees[id]);
        CHECK(report.find("Neighbours")->links.size() == degrees[id]);
        CHECK(linked(report, "Largest forces").size() == 8);
    }

    const auto dense = lab_with("particles", {"config=c1", "box=10", "force=none", "steps=2"});
    auto crowd = std::make_shared<Geometry>(*generated("uniform:90@seed=2"));
    for (Point& p : crowd->points) p = {10 * p.x, 10 * p.y};
    dense->reset(context, crowd);
    const LinkWalk among(*dense, {ElementKind::kVertex});
    among.check_back(ElementKind::kVertex, "Overlaps with", "Overlaps with");
    const std::vector<Point> at = values_of<Point>(*dense, "positions");
    const TorusBox box = TorusBox::of(number_of(*dense, "box"));
    size_t overlaps = 0;
    for (uint32_t id = 0; id < at.size(); ++id) {
        std::map<uint32_t, double> depths;
        for (uint32_t k = 0; k < at.size(); ++k) {
            const Point way = box.shortest(at[id], at[k]);
            if (const double gap = std::hypot(way.x, way.y) - 1; k != id && gap < -5e-7) depths[k] = -gap;
        }
        const Report report = facet<Inspectable>(*dense).inspect({ElementKind::kVertex, id});
        CHECK(report.find("Overlaps")->value.number() == static_cast<double>(depths.size()));
        const Property* with = report.find("Overlaps with");
        REQUIRE((with != nullptr) == !depths.empty());
        if (!with) continue;
        const auto& told = std::get<std::vector<double>>(report.find("Depths")->value.content);
        REQUIRE(told.size() == with->links.size());
        for (size_t i = 0; i < told.size(); ++i, ++overlaps) {
            CHECK(told[i] == doctest::Approx(depths.at(with->links[i].element.id)));
            if (i > 0) CHECK(told[i] <= told[i - 1]);
            const Highlight* line = highlighted(report, "overlap with particle " + with->links[i].name);
            REQUIRE(line);
            CHECK(std::hypot(line->places[1].x - line->places[0].x, line->places[1].y - line->places[0].y) ==
                  doctest::Approx(1 - told[i]));
        }
    }
    CHECK(overlaps > 20);
}

TEST_CASE("links: sites, links and pixels of the Voronoi lab lead to each other, over the border, too") {
    Context context(DeviceRequest::kCpu, 2);
    for (const auto& [borders, gaps] :
         {std::pair{"borders=open", "gaps=3"}, {"borders=periodic", "gaps=3"}, {"borders=periodic", "gaps=4"}}) {
        INFO(borders, " ", gaps);
        const auto lab = stepped(context, make_input("nothing", {}), "voronoi",
                                 {"count=30", "width=48", "height=40", borders, gaps});
        const LinkWalk walk(*lab, {ElementKind::kVertex, ElementKind::kEdge, ElementKind::kPixel});
        walk.check_back(ElementKind::kVertex, "Neighbours", "Neighbours");
        walk.check_back(ElementKind::kVertex, "Links", "Ends");
        walk.check_back(ElementKind::kPixel, "Ring", "Ring");
        walk.check_back(ElementKind::kVertex, "Pixel", "Nearest site");
        const Lattice lattice{48, 40, std::string(borders) == "borders=periodic"};
        const auto colours = values_of<uint32_t>(*lab, "colours");
        const std::vector<Point> at = values_of<Point>(*lab, "sites");
        const auto& inspectable = facet<Inspectable>(*lab);
        double pixels = 0;
        std::map<std::string, size_t> kinds;
        for (uint32_t site = 0; site < at.size(); ++site) {
            const Report report = inspectable.inspect({ElementKind::kVertex, site});
            const double area = report.find("Cell")->value.number();
            CHECK(area == static_cast<double>(std::count(colours.begin(), colours.end(), site)));
            pixels += area;
            CHECK(report.find("Centroid"));
            // A line to a neighbour stays in the picture, and is as long as the shortest way.
            const Property* neighbours = report.find("Neighbours");
            for (const Link& link : neighbours ? neighbours->links : std::vector<Link>{}) {
                double length = 0;
                for (const Highlight& one : report.highlights) {
                    if (one.name != "link to " + link.name) continue;
                    length += std::hypot(one.places[1].x - one.places[0].x, one.places[1].y - one.places[0].y);
                    for (const Point3& end : one.places)
                        CHECK((end.x >= -0.5 && end.x <= 47.5 && end.y >= -0.5 && end.y <= 39.5));
                }
                CHECK(length == doctest::Approx(std::sqrt(lattice.squared_distance(at[site], at[link.element.id]))));
            }
            for (const char* one : {"Missed links", "Spurious links"}) {
                CHECK(static_cast<double>(linked(report, one).size()) == report.find(one)->value.number());
                kinds[one] += linked(report, one).size();
            }
        }
        CHECK(pixels == 48 * 40);
        const Scene scene = lab->scene();
        for (uint32_t edge = 0; edge < scene.count_of(ElementKind::kEdge); ++edge) {
            const Report report = inspectable.inspect({ElementKind::kEdge, edge});
            std::set<uint32_t> common;
            const std::set<uint32_t> ends = linked(report, "Ends");
            REQUIRE(ends.size() == 2);
            const auto around = [&](uint32_t site) {
                return linked(inspectable.inspect({ElementKind::kVertex, site}), "Neighbours");
            };
            for (const uint32_t one : around(*ends.begin()))
                if (around(*ends.rbegin()).count(one)) common.insert(one);
            CHECK(linked(report, "Opposite") == common);
            kinds["pieces"] += report.find("Goes on as") != nullptr;
        }
        CHECK((kinds["pieces"] > 0) == lattice.periodic);
        for (uint32_t pixel = 0; pixel < lattice.pixel_count(); pixel += 3) {
            const Report report = inspectable.inspect({ElementKind::kPixel, pixel});
            CHECK(linked(report, "Nearest site") == std::set<uint32_t>{colours[pixel]});
            CHECK(linked(report, "Cells around").count(colours[pixel]) == 0);
        }
        CHECK((kinds["Missed links"] > 0) == (std::string(gaps) == "gaps=4"));  // such corners are rare
    }
}

TEST_CASE("links: a cluster centre leads to its points, and they lead back") {
    Context context(DeviceRequest::kCpu, 2);
    const auto lab =
        finished(context, generated("uniform:40"), "voronoi", {"data=points", "count=4", "width=64", "height=64"});
    const LinkWalk walk(*lab, {ElementKind::kVertex});
    walk.check_back(ElementKind::kVertex, "Points", "Cluster");
    walk.check_back(ElementKind::kVertex, "Cluster", "Points");
}

TEST_CASE("links: bubbles of the Events lab lead to their neighbours and links, with every graph") {
    Context context(DeviceRequest::kCpu, 2);
    for (const Settings& settings :
         {Settings{"source=bubbles", "drift_x=0.3", "comparisons=2"},
          Settings{"source=bubbles", "borders=open", "interval=30", "comparisons=2"},
          Settings{"source=bubbles", "graph=delaunay", "interval=60", "comparisons=2"},
          Settings{"source=particles", "contact_distance=1.4", "swimming_speed=4", "comparisons=2"}}) {
        INFO(settings[0], " ", settings[1]);
        const auto lab = finished(context, make_input("nothing", {}), "events", settings);
        const LinkWalk walk(*lab, {ElementKind::kVertex, ElementKind::kEdge});
        walk.check_back(ElementKind::kVertex, "Neighbours", "Neighbours");
        walk.check_back(ElementKind::kVertex, "Links", "Ends");
        for (const auto& [from, properties] : walk.links)
            if (std::get<0>(from) == ElementKind::kEdge && properties.count("Opposite"))
                for (const Key& apex : properties.at("Opposite"))
                    for (const Key& end : properties.at("Ends"))
                        CHECK(walk.links.at(apex).at("Neighbours").count(end) == 1);
    }
}

TEST_CASE("links: triangles of other programs lead to one another, whole or broken, in both views of the Judge lab") {
    Context context(DeviceRequest::kCpu, 2);
    const auto input = generated("uniform:40");
    auto whole = std::make_shared<Geometry>(*input);
    for (const auto& t : triangulate(input->points).triangles) whole->triangles.push_back(t);
    auto broken = std::make_shared<Geometry>(*whole);
    broken->triangles.resize(broken->triangles.size() - 5);
    std::swap(broken->triangles[3][0], broken->triangles[3][1]);
    broken->triangles.push_back(broken->triangles[7]);
    for (const auto& given : {whole, broken}) {
        const auto lab = finished(context, given, "judge");
        const LinkWalk walk(*lab, kOfMesh, 2);
        walk.check_triangulation();
        walk.check_back(ElementKind::kEdge, "In the other view", "In the other view");
        for (const auto& [from, properties] : walk.links)
            for (const auto& [name, targets] : properties)
                for (const Key& to : targets)
                    CHECK(std::get<2>(to) == (name == "In the other view" ? 1 - std::get<2>(from) : std::get<2>(from)));
        RecordedSteps recording;
        recording.name = "mine.jsonl";
        const auto points = std::make_shared<const RecordedSteps::Points>(given->points);
        recording.steps.push_back({points, std::make_shared<const RecordedSteps::Triangles>(), {}, ""});
        recording.steps.push_back(
            {points, std::make_shared<const RecordedSteps::Triangles>(given->triangles), {}, "all"});
        auto recorded = std::make_shared<Geometry>(*given);
        recorded->recording = std::make_shared<const RecordedSteps>(std::move(recording));
        const auto played = stepped(context, recorded, "recording");
        LinkWalk(*played, kOfMesh).check_triangulation();
    }
}

TEST_CASE("links: cells of the Subdivision lab lead to their candidates and neighbours, points to their cell") {
    Context context(DeviceRequest::kCpu, 2);
    const auto lab = started(context, generated("uniform:80"), "subdivide");
    size_t neighbours = 0, cells = 0;
    while (!lab->done()) {
        lab->step();
        if (lab->done()) break;
        const LinkWalk walk(*lab, {ElementKind::kVertex, ElementKind::kTriangle});
        for (const auto& [from, properties] : walk.links) {
            if (std::get<0>(from) == ElementKind::kTriangle && std::get<1>(from) % 2 == 0) {
                if (properties.count("Neighbours"))
                    for (const Key& to : properties.at("Neighbours")) {
                        ++neighbours;
                        CHECK(walk.links.at(to).at("Neighbours").count(from) == 1);
                    }
            } else if (properties.count("Cell")) {
                const Key& cell = *properties.at("Cell").begin();
                ++cells;
                const auto& told = walk.links.at(cell);
                // Of many candidates only the first are listed.
                if (told.at("Points").size() < 24) CHECK(told.at("Points").count(from) == 1);
            }
        }
    }
    CHECK(neighbours > 50);
    CHECK(cells > 50);
}
