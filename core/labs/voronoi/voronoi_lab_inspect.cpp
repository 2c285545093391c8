// The Voronoi lab's answers about one element: a site and its cell, a link beside the exact graph, and a site of the
// lattice with its stencil.
#include <algorithm>
#include <cmath>

#include "compute/text.h"
#include "geometry/places.h"
#include "labs/voronoi/stencil_inspect.h"
#include "labs/voronoi/voronoi_lab.h"

namespace flipscope {

namespace {

constexpr size_t kMostNamed = 16;  // neighbours in one line

}  // namespace

Element VoronoiLab::pick(const Probe& probe) const {
    const Lattice& lattice = start_.lattice;
    if (!lattice.site_count()) return {};
    if (mesh_.vertex_count > 0) {
        const Element found = pick_element(*context_, mesh_, fixed_vertices(), probe);
        if (found.id != kNone) return found;
    }
    const double x = std::floor(probe.place.x + 0.5), y = std::floor(probe.place.y + 0.5);
    if (!(x >= 0 && y >= 0 && x < lattice.width && y < lattice.height)) return {};
    return {ElementKind::kSite, lattice.site(static_cast<uint32_t>(x), static_cast<uint32_t>(y)), probe.part};
}

std::vector<Fact> VoronoiLab::inspect(Element element) const {
    std::vector<Fact> facts;
    if (element.id == kNone) return facts;
    if (element.kind == ElementKind::kVertex && element.id < state_.sites) inspect_site(element.id, facts);
    if (element.kind == ElementKind::kVertex && element.id >= state_.sites && element.id < fixed_vertices())
        inspect_point(element.id - state_.sites, facts);
    if (element.kind == ElementKind::kEdge && element.id < mesh_.edge_count) inspect_link(element.id, facts);
    if (element.kind == ElementKind::kSite && element.id < start_.lattice.site_count())
        inspect_lattice_site(element.id, facts);
    return facts;
}

std::vector<Sketch> VoronoiLab::sketches(Element element) const {
    if (element.kind != ElementKind::kSite || element.id >= start_.lattice.site_count()) return {};
    if (!(state_.made & kColoured)) return {};
    return draw_stencil(inspect_stencil(start_.lattice, colouring_.colours(), coloured_sites(), element.id, now_.rules),
                        now_.rules);
}

void VoronoiLab::inspect_lattice_site(uint32_t site, std::vector<Fact>& facts) const {
    const Lattice& lattice = start_.lattice;
    if (state_.made & kColoured) {
        facts = describe_stencil(inspect_stencil(lattice, colouring_.colours(), coloured_sites(), site, now_.rules),
                                 now_.rules);
        const uint32_t colour = colouring_.colours().read(site);
        if (colour < state_.sites) {
            const Point centre = coloured_sites()[colour];
            facts.push_back({"Nearest site", site_name(colour),
                             format_short(std::sqrt(lattice.squared_distance(centre, lattice.place(site)))) +
                                 " lattice units away"});
        }
    } else {
        facts.push_back({"Pixel", std::to_string(lattice.x_of(site)) + ", " + std::to_string(lattice.y_of(site)),
                         "not coloured yet"});
    }
    if (!lloyd_.density().empty())
        facts.push_back({"Density", format_short(lloyd_.density().read(site) / kFullWeight),
                         "its weight in centroids and energy, at most 1"});
}

void VoronoiLab::inspect_site(uint32_t label, std::vector<Fact>& facts) const {
    const Point at = mesh_.positions.read(label);
    facts.push_back({lloyd_.of_points() ? "Cluster centre" : "Site", std::to_string(names_[label]),
                     "label " + std::to_string(label) + "; where distances are equal the lowest label has the pixel"});
    facts.push_back({"x, y", place_text(at), "lattice units"});
    if (start_.units)
        facts.push_back({"In the input", given_text(start_.as_given(at), start_.units->unit), "units of the input"});
    if (state_.made & kMeasured) {
        CellSums cell;
        lloyd_.sums().download(&cell, 1, label);
        const Point then = coloured_sites()[label], centroid = lloyd_.centroid(cell, then);
        if (lloyd_.of_points())
            facts.push_back({"Cluster", count_text(cell.area, "point", "points"), "nearest to this cluster centre"});
        else
            facts.push_back(
                {"Cell", count_text(cell.area, "pixel", "pixels"), cell.area == 0 ? "no pixel is nearest to it" : ""});
        if (!lloyd_.density().empty() && !lloyd_.of_points())
            facts.push_back(
                {"Weight", format_short(double(cell.weight) / kFullWeight), "the sum of its pixels' densities"});
        if (cell.weight)
            facts.push_back({"Centroid", given_text(centroid, {1, 1}),
                             format_short(std::sqrt(start_.lattice.squared_distance(then, centroid))) +
                                 " lattice units from the site of the cell"});
    }
    if (!(state_.made & kLinked)) return;
    const auto list = [&](const std::vector<uint32_t>& labels) {
        std::string text;
        for (size_t k = 0; k < std::min(labels.size(), kMostNamed); ++k)
            text += (k ? ", " : "") + std::to_string(names_[labels[k]]);
        return text + (labels.size() > kMostNamed ? ", …" : "");
    };
    const Adjacency& graph = graph_.adjacency();
    const uint32_t begin = graph.starts.read(label), end = graph.starts.read(label + 1);
    std::vector<uint32_t> linked(end - begin);
    graph.neighbours.download(linked.data(), linked.size(), begin);
    facts.push_back({"Neighbours", std::to_string(linked.size()), list(linked)});
    if (!(state_.made & kCompared)) return;
    if (exact_->representatives[label] != label) {
        facts.push_back({"Coincident", site_name(exact_->representatives[label]),
                         "at the same position has the cell: the lowest label represents all there"});
        return;
    }
    std::vector<uint32_t> missed, spurious, blocked;
    for (const LinkError& error : comparison_.errors)
        for (const uint32_t k : {0u, 1u})
            if (error.labels[k] == label) (error.missed ? missed : spurious).push_back(error.labels[1 - k]);
    for (const LinkError& error : comparison_.blocked)
        for (const uint32_t k : {0u, 1u})
            if (error.labels[k] == label) blocked.push_back(error.labels[1 - k]);
    facts.push_back({"Missed links", std::to_string(missed.size()),
                     missed.empty() ? "none of the exact graph's in sight" : "to " + list(missed)});
    facts.push_back({"Spurious links", std::to_string(spurious.size()),
                     spurious.empty() ? "" : "to " + list(spurious) + ", which the exact graph does not have"});
    if (!blocked.empty())
        facts.push_back({"Blocked links", std::to_string(blocked.size()),
                         "to " + list(blocked) + ": obstacles lie where the cells would touch"});
}

void VoronoiLab::inspect_point(uint32_t point, std::vector<Fact>& facts) const {
    facts.push_back({"Point", std::to_string(point), "index in the input, from 0"});
    const Point at = mesh_.positions.read(state_.sites + point);
    facts.push_back({"x, y", place_text(at), "lattice units"});
    if (start_.units)
        facts.push_back({"In the input", given_text(start_.as_given(at), start_.units->unit), "units of the input"});
    if (!(state_.made & kMeasured)) return;
    const uint32_t label = lloyd_.clusters().read(point);
    if (label >= state_.sites) return;
    const double distance = std::sqrt(start_.lattice.squared_distance(coloured_sites()[label], at));
    facts.push_back(
        {"Cluster", std::to_string(names_[label]),
         "its cluster centre was " + format_short(distance) + " lattice units away when the clusters were made"});
}

void VoronoiLab::inspect_link(uint32_t edge, std::vector<Fact>& facts) const {
    const auto [a, b] = links_.link(edge);
    if (std::max(a, b) >= state_.sites) return;
    const std::vector<Point> centres = coloured_sites();
    facts.push_back({"Link", site_name(a) + " to " + site_name(b), ""});
    facts.push_back(
        {"Length", format_short(std::sqrt(start_.lattice.squared_distance(centres[a], centres[b]))), "lattice units"});
    if (!(state_.made & kCompared)) return;
    if (const uint32_t found = exact_->find(a, b); found != kNone) {
        facts.push_back({"In the exact graph", "yes",
                         exact_->in_sight[found] ? "" : "but the Voronoi edge lies outside the lattice"});
        facts.push_back(
            {"Voronoi edge", format_short(exact_->dual_lengths[found]), "lattice units long on the lattice"});
        return;
    }
    const std::array<uint32_t, 2> pair{std::min(a, b), std::max(a, b)};
    const auto error = std::find_if(comparison_.errors.begin(), comparison_.errors.end(),
                                    [&](const LinkError& e) { return !e.missed && e.labels == pair; });
    facts.push_back({"In the exact graph", "no", "spurious: the two cells touch on the lattice only"});
    if (error != comparison_.errors.end())
        facts.push_back({"Shortfall", format_short(error->shortfall),
                         "lattice units by which their Voronoi edge would have to grow before they touch"});
}

// ---- the list of differences ----------------------------------------------------------------------------------------

/// Appends those of this comparison. Where the log has them already, because the user went back and came again, what
/// follows them stays.
void VoronoiLab::list_differences() {
    const std::vector<Point> centres = coloured_sites();
    std::vector<Finding> fresh;
    for (const LinkError& error : comparison_.errors) {
        const auto [a, b] = error.labels;
        const Point d = start_.lattice.difference(centres[a], centres[b]);
        Finding finding;
        finding.time = finding.round = state_.round;
        finding.kind = std::string(error.missed ? "missed" : "spurious") + (error.at_border ? " at the border" : "");
        finding.place = start_.lattice.wrapped({centres[a].x + d.x / 2, centres[a].y + d.y / 2});
        finding.vertices = {names_[a], names_[b]};
        finding.measures = {error.missed ? error.dual_length : std::nan(""),
                            error.missed ? std::nan("") : error.shortfall};
        fresh.push_back(std::move(finding));
    }
    const auto same = [](const Finding& f, const Finding& g) {
        return f.round == g.round && f.kind == g.kind && f.place == g.place && f.vertices == g.vertices;
    };
    const size_t end = state_.found + fresh.size();
    if (log_.size() < end || !std::equal(fresh.begin(), fresh.end(), log_.begin() + ptrdiff_t(state_.found), same)) {
        log_.resize(state_.found);
        log_.insert(log_.end(), fresh.begin(), fresh.end());
    }
    state_.found = end;
}

std::vector<Finding> VoronoiLab::findings(size_t first) const {
    if (first >= state_.found) return {};
    std::vector<Finding> findings{log_.begin() + ptrdiff_t(first), log_.begin() + ptrdiff_t(state_.found)};
    if (start_.units)
        for (Finding& finding : findings) finding.given = start_.as_given(finding.place);
    return findings;
}

std::vector<Sketch> VoronoiLab::sketches_of_finding(size_t index) const {
    if (!(state_.made & kCompared) || state_.move_follows || index >= state_.found) return {};
    const size_t first = state_.found - comparison_.errors.size();
    if (index < first) return {};  // of cells that are no more
    const LinkError& error = comparison_.errors[index - first];
    const Lattice& lattice = start_.lattice;
    const std::vector<Point> centres = coloured_sites();
    const Point origin = centres[error.labels[0]], d = lattice.difference(origin, centres[error.labels[1]]);
    const Point middle{origin.x + d.x / 2, origin.y + d.y / 2};
    const double reach = std::max(0.9 * std::sqrt(d.x * d.x + d.y * d.y), 4.0);
    const auto seen = [&](Point p) {
        const Point from = lattice.difference(middle, p);
        return Point{middle.x + from.x, middle.y + from.y};
    };
    Sketch sketch;
    sketch.title = error.missed ? "A missed link" : "A spurious link";
    sketch.sentence =
        error.missed ? "The two cells touch along " + format_short(error.dual_length) + " lattice units" +
                           (error.free_length < error.dual_length
                                ? ", " + format_short(error.free_length) + " of them in one piece without obstacles"
                                : "") +
                           ", which the lattice's colours do not show."
                     : "The two cells touch on the lattice, but their Voronoi edge would have to grow by " +
                           format_short(error.shortfall) + " lattice units before they touch.";
    sketch.low = {middle.x - reach, middle.y - reach};
    sketch.high = {middle.x + reach, middle.y + reach};
    using Kind = Sketch::Shape::Kind;
    for (const ExactGraph::Piece& piece : exact_->pieces) {
        const Point from = seen(piece.from);
        const Point to{from.x + piece.to.x - piece.from.x, from.y + piece.to.y - piece.from.y};
        if (std::min(from.x, to.x) <= sketch.high.x && std::max(from.x, to.x) >= sketch.low.x &&
            std::min(from.y, to.y) <= sketch.high.y && std::max(from.y, to.y) >= sketch.low.y)
            sketch.shapes.push_back({Kind::kLine, {from, to}, Role::kExact, kNone, ""});
    }
    sketch.shapes.push_back({Kind::kLine,
                             {origin, {origin.x + d.x, origin.y + d.y}},
                             error.missed ? Role::kMissed : Role::kSpurious,
                             kNone,
                             ""});
    for (uint32_t label = 0; label < centres.size(); ++label) {
        const Point p = seen(centres[label]);
        if (p.x >= sketch.low.x && p.x <= sketch.high.x && p.y >= sketch.low.y && p.y <= sketch.high.y)
            sketch.shapes.push_back({Kind::kPoint, {p}, Role::kPlain, kNone, std::to_string(names_[label])});
    }
    return {sketch};
}

}  // namespace flipscope
