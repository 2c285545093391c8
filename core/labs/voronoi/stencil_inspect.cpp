#include "labs/voronoi/stencil_inspect.h"

#include <set>
#include <utility>

#include "lab/element_links.h"
#include "voronoi/colouring/nearest.h"

namespace flipscope {

namespace {

constexpr const char* kNames[kRing] = {"spx", "spxpy", "spy", "spymx", "smx", "smxmy", "smy", "smypx"};
constexpr const char* kInnerNames[kRing / 2] = {"a", "b", "c", "d"};

const char* name_of(int place) { return kNames[place & 7]; }

std::string colour_name(uint32_t colour) {
    if (colour == kMaxLink) return "obstacle";
    if (colour == kNone) return "none";
    return "cell " + std::to_string(colour);
}

/// By definition: the lowest label among the nearest sites.
uint32_t nearest_of(const Lattice& lattice, const std::vector<Point>& sites, Point p) {
    ExactNearest best;
    for (uint32_t i = 0; i < sites.size(); ++i) best.consider(lattice, p, lattice.wrapped(sites[i]), i);
    return best.label;
}

std::string sentence_of(const StencilReport& report, const DirectionReport& d, int place, const StencilRules& rules) {
    const LinkConditions& c = d.conditions;
    if (!c.inside) return "It lies outside of the lattice.";
    if (report.stencil.own >= kMaxLink) return "The pixel has no cell to be linked from.";
    if (!c.no_obstacle) return "It is an obstacle.";
    if (!c.other) return "It has the pixel's own colour.";
    const auto strip = [&](int a, int b) { return std::string(name_of(a)) + " and " + name_of(b); };
    const int ahead = place + (d.diagonal ? 1 : 2), behind = place + 8 - (d.diagonal ? 2 : 1);
    if (!c.long_diagonal) {
        const bool mirrored = unparted(report.stencil, rules, place, ahead, behind);
        const int mirror_ahead = 2 * place - ahead + 16, mirror_behind = 2 * place - behind + 16;
        return "Long diagonal: " + (mirrored ? strip(mirror_ahead, mirror_behind) : strip(ahead, behind)) +
               " have one colour, a strip that separates the two.";
    }
    if (!c.short_diagonal)
        return "Short diagonal: " + strip(place + 1, place + 7) + " have one colour, which passes between the two.";
    if (!c.inner)
        return "Half a pixel away, at " + std::string(d.inner_name) +
               ", a third cell is nearest: " + colour_name(d.inner_colour) + ".";
    if (!report.corner)
        return "All conditions hold, but the pixel is no corner: " + std::to_string(report.gaps) + " of " +
               std::to_string(report.gaps_requested) + " gaps.";
    return "All conditions hold: the two cells are neighbours.";
}

StencilReport report_on(const Lattice& lattice, const Stencil& stencil, const std::vector<Point>& sites, uint32_t pixel,
                        const StencilRules& rules) {
    StencilReport report;
    report.pixel = pixel;
    report.x = lattice.x_of(pixel);
    report.y = lattice.y_of(pixel);
    report.stencil = stencil;
    report.gaps = count_gaps(stencil, rules.obstacles_end);
    report.gaps_requested = gaps_requested(stencil, rules);
    report.corner = is_corner(stencil, rules);
    report.pathologies = pathologies(stencil);
    for (int place = 0; place < kRing; ++place) {
        DirectionReport& d = report.directions[place];
        d.name = name_of(place);
        d.pixel = ring_pixel(lattice, report.x, report.y, place);
        d.colour = stencil.at(place);
        d.diagonal = place & 1;
        d.conditions = ring_conditions(stencil, rules, place);
        if (d.diagonal && d.conditions.inside) {
            d.inner_name = kInnerNames[place / 2];
            d.inner_colour = nearest_of(lattice, sites, inner_point(lattice, report.x, report.y, place));
            d.conditions.inner = inner_condition(stencil, rules, place, d.inner_colour);
        }
        d.linked = report.corner && d.conditions.linked();
        d.sentence = sentence_of(report, d, place, rules);
    }
    return report;
}

/// Colours on the device, read one by one.
struct OneByOne {
    const Buffer<uint32_t>& colours;
    uint32_t operator[](uint32_t pixel) const { return colours.read(pixel); }
};

/// Columns of the table of conditions.
std::vector<Table::Column> condition_columns(const StencilRules& rules) {
    return {
        {"place", "the place in the ring around the pixel, as in figure 3"},
        {"cell", "the cell that the pixel there belongs to"},
        {"free", "it is no obstacle"},
        {"other", "its colour is not the pixel's own"},
        {"long", "long diagonal: no strip of a third cell separates the two"},
        {"short", "short diagonal: no third cell passes between the two, at a diagonal position"},
        {"inner", rules.inner_frame ? "inner ring: half a pixel away one of the two is nearest, at a diagonal position"
                                    : "inner ring: not tested, as the rule is switched off"},
        {"link", "the pixel is a corner, and all conditions hold"}};
}

/// The table's row for one place. If one of the first two conditions fails, the others are undefined and stay empty.
Table::Row condition_row(const StencilReport& report, const DirectionReport& d, const StencilRules& rules) {
    const LinkConditions& c = d.conditions;
    const Value none;
    if (!c.inside) return {{d.name, "outside", none, none, none, none, none, none}, d.sentence};
    const bool has_cell = report.stencil.own < kMaxLink, asked = c.no_obstacle && c.other && has_cell;
    const auto when = [&](bool applies, bool holds) { return applies ? Value(holds) : none; };
    return {{d.name, d.colour < kMaxLink ? Value(d.colour) : Value(colour_name(d.colour)), c.no_obstacle,
             when(c.no_obstacle && has_cell, c.other), when(asked, c.long_diagonal),
             when(asked && d.diagonal, c.short_diagonal), when(asked && d.diagonal && rules.inner_frame, c.inner),
             when(asked, d.linked)},
            d.sentence};
}

Diagram::Shape square(Point centre, double half, Role role, uint32_t colour, std::string text = "") {
    Diagram::Shape shape;
    shape.corners = {{centre.x - half, centre.y - half},
                     {centre.x + half, centre.y - half},
                     {centre.x + half, centre.y + half},
                     {centre.x - half, centre.y + half}};
    shape.role = colour == kMaxLink ? Role::kObstacle : role;
    shape.name = colour == kMaxLink ? kNone : colour;
    shape.text = std::move(text);
    return shape;
}

/// Adds links to the cells around a pixel and to the pixels of its ring.
void add_links_around(const StencilReport& report, const std::function<Link(uint32_t)>& cell_link,
                      Properties& properties) {
    std::vector<Link> cells, pixels;
    std::set<uint32_t> known{report.stencil.own};
    for (const DirectionReport& d : report.directions) {
        if (d.pixel == kNone) continue;
        pixels.push_back({d.name, {ElementKind::kPixel, d.pixel}});
        if (d.colour < kMaxLink && known.insert(d.colour).second) cells.push_back(cell_link(d.colour));
    }
    add_cut_links("Cells around", std::move(cells), properties, "the other cells that its ring belongs to");
    add_cut_links("Ring", std::move(pixels), properties, "the pixels around it");
}

}  // namespace

StencilReport inspect_stencil(const Lattice& lattice, const Buffer<uint32_t>& colours, const std::vector<Point>& sites,
                              uint32_t pixel, const StencilRules& rules) {
    const Stencil stencil = read_stencil(lattice, OneByOne{colours}, lattice.x_of(pixel), lattice.y_of(pixel));
    return report_on(lattice, stencil, sites, pixel, rules);
}

StencilReport inspect_stencil(const Lattice& lattice, View<const uint32_t> host_colours,
                              const std::vector<Point>& sites, uint32_t pixel, const StencilRules& rules) {
    return report_on(lattice, read_stencil(lattice, host_colours, lattice.x_of(pixel), lattice.y_of(pixel)), sites,
                     pixel, rules);
}

void describe_stencil(const StencilReport& report, const StencilRules& rules, Report& to,
                      const std::function<Link(uint32_t)>& cell_link) {
    to.add(draw_stencil(report, rules));
    Properties properties;
    properties.add("C(k)", colour_name(report.stencil.own),
                   "the colour of the pixel (" + std::to_string(report.x) + ", " + std::to_string(report.y) + ")");
    std::string why = "the number of colour changes along the ring of its neighbours; ";
    if (report.stencil.own >= kMaxLink)
        why += "no cell, no links";
    else if (report.corner)
        why += "a corner: " + std::to_string(report.gaps_requested) + " are enough";
    else
        why += std::string(report.gaps == 0 ? "inside of a cell" : "along an edge") + ": a corner has " +
               std::to_string(report.gaps_requested);
    if (report.stencil.on_border) why += ", as the border ends the ring";
    properties.add("Gaps", report.gaps, why);
    const struct {
        uint16_t bit;
        const char *name, *why;
    } kinds[] = {
        {kPixelIsland, "island", "no pixel around it has its colour"},
        {kPixelProlonged, "prolonged vertex", "its colour crosses the stencil in a single line of pixels"},
        {kPixelLongDiagonal, "long diagonal", "a third cell's strip passes between it and a pixel around it"},
        {kPixelShortDiagonal, "short diagonal", "a third cell passes between it and a diagonal pixel"},
    };
    for (const auto& kind : kinds)
        if (report.pathologies & kind.bit) properties.add("Pathology", kind.name, kind.why);
    if (cell_link) add_links_around(report, cell_link, properties);
    to.add(std::move(properties));
    std::vector<Table::Row> rows;
    for (const DirectionReport& d : report.directions) rows.push_back(condition_row(report, d, rules));
    to.add("Conditions", "", Table::of(condition_columns(rules), std::move(rows)));
}

std::vector<Diagram> draw_stencil(const StencilReport& report, const StencilRules& rules) {
    const auto at = [](int place, double step = 1) { return Point{step * ring_dx(place), step * ring_dy(place)}; };
    Diagram names, links;
    names.title = "Stencil";
    names.sentence = "The pixel k, its ring, and the inner ring of points half a pixel away (figure 3).";
    names.low = links.low = {-1.6, -1.6};
    names.high = links.high = {1.6, 1.6};
    names.shapes.push_back(square({0, 0}, 0.5, Role::kPlain, report.stencil.own));
    for (int place = 0; place < kRing; ++place)
        if (report.stencil.has(place))
            names.shapes.push_back(square(at(place), 0.5, Role::kPlain, report.stencil.at(place)));
    links.shapes = names.shapes;
    for (int place = 0, drawn = 1; place < kRing; ++place)
        if (report.stencil.has(place)) names.shapes[static_cast<size_t>(drawn++)].text = name_of(place);
    names.add_point({0, 0}, Role::kChosen, "k");
    for (int place = 0; place < kRing; ++place) {
        const DirectionReport& d = report.directions[place];
        if (!d.conditions.inside) continue;
        if (d.diagonal && rules.inner_frame) {
            names.shapes.push_back(square(at(place, 0.5), 0.12, Role::kPlain, d.inner_colour));
            names.add_point(at(place, 0.5), Role::kHelper, d.inner_name);
        }
    }
    links.title = report.corner ? "Corner" : "No corner";
    links.sentence =
        std::to_string(report.gaps) + " gaps (heavy lines) where " + std::to_string(report.gaps_requested) +
        " make a corner; links that its colour has here, and those that a condition rejects (figures 4 to 6).";
    // A gap is drawn where the two pixels of the ring touch, outwards from the square around k.
    const Stencil& s = report.stencil;
    for (int place = 0; place < kRing; ++place) {
        const int next = (place + 1) % kRing;
        if (!s.has(place) || !s.has(next) || s.at(place) == s.at(next)) continue;
        if (s.at(place) == kMaxLink || s.at(next) == kMaxLink) continue;
        const Point middle{(at(place).x + at(next).x) / 2, (at(place).y + at(next).y) / 2};
        // Side by side: the line between them is vertical.
        const Point along = ring_dy(place) == ring_dy(next) ? Point{0, 0.5} : Point{0.5, 0};
        links.add_line({middle.x - along.x, middle.y - along.y}, {middle.x + along.x, middle.y + along.y},
                       Role::kCorner);
    }
    for (int place = 0; place < kRing; ++place) {
        const DirectionReport& d = report.directions[place];
        if (!d.conditions.inside || !d.conditions.no_obstacle || !d.conditions.other) continue;
        if (s.own >= kMaxLink || !report.corner) continue;
        links.add_line({0, 0}, at(place), d.linked ? Role::kCreatedContact : Role::kBlocked);
    }
    links.add_point({0, 0}, Role::kChosen, "k");
    return {names, links};
}

void visit_stencil_rules(ParameterVisitor& visitor, StencilRules& rules, const OverrideRule& rule) {
    visitor.group("Rules of the graph");
    visitor.integer("gaps", "Gaps of a corner",
                    "Changes of colour around a pixel that make it a corner; 3: the paper's.", rules.gaps, 2, 4);
    visitor.integer("open_gaps", "Gaps on an open border", "The same on an open border, where 2 miss no contact.",
                    rules.open_gaps, 2, 4);
    visitor.toggle("mirror", "Mirrored long diagonal",
                   "The long diagonal's condition is tested for its mirror image, too.", rules.mirror);
    visitor.toggle("lenient_strip", "Lenient strips",
                   "A diagonal strip separates two cells only if it belongs to neither of them.", rules.lenient_strip);
    visitor.toggle("inner_frame", "Inner ring",
                   "The fifth condition: the colour half a pixel away must be one of the two.", rules.inner_frame);
    visitor.toggle("obstacles_end", "Obstacles are borders",
                   "A pixel beside an obstacle is a corner with as few gaps as one on an open border.",
                   rules.obstacles_end);
    visitor.choice("exact_cells", "Exact cells",
                   "Which cells' neighbours are computed from the sites, and not from the colours alone: a site less "
                   "than √2 from another can have a cell that lies between pixels.",
                   rules.exact_cells,
                   {{"none", "none: the paper's rules alone"},
                    {"near", "those of sites too near to another for the lattice"},
                    {"all", "all: no contact of ¼ lattice unit is missed, which takes longer"}});
    if (rule) visitor.group_overridden_by(rule);
}

}  // namespace flipscope
