#include "labs/scene_statistics.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "compute/error.h"
#include "compute/launch.h"
#include "compute/text.h"
#include "delaunay/order.h"
#include "delaunay/strips.h"
#include "delaunay/torus/torus_triangulation.h"
#include "labs/exploration.h"
#include "labs/site_mesh.h"
#include "statistics/random_expectation.h"
#include "statistics/summary.h"

namespace flipscope {

namespace {

using Q = ElementQuantity;

constexpr Q kAll[] = {Q::kDegree,          Q::kNearest,      Q::kCellArea,    Q::kCellPerimeter,
                      Q::kNeighbourDegree, Q::kBondOrder4,   Q::kBondOrder6,  Q::kBondAngle6,
                      Q::kEdgeLength,      Q::kMinimumAngle, Q::kTriangleArea};
constexpr uint32_t kBins = 60;
constexpr double kReach = 6, kCircleReach = 10;  // of g(r) and σ²(R), mean spacings
constexpr const char* kStructureFactor = "structure-factor";
constexpr const char* kRandom = "random points";

/// Cells that the window cuts have the area that is left of them, and vertices on the outline lack edges.
uint8_t excluded_by(Q quantity) {
    switch (quantity) {
        case Q::kCellArea:
        case Q::kCellPerimeter:
            return kCellCut;
        case Q::kDegree:
        case Q::kNeighbourDegree:
        case Q::kBondOrder4:
        case Q::kBondOrder6:
        case Q::kBondAngle6:
            return kOnOutline;
        default:
            return 0;
    }
}

struct Range {
    double low = 0, high = 1;
    uint32_t bins = kBins;
};
/// Bins that resolve the bulk of the numbers: the few far beyond six deviations would press all others into one.
Range range_of(Q quantity, const SampleSummary& summary) {
    switch (quantity) {
        case Q::kDegree: {
            const double most = std::clamp(summary.greatest, 11.0, 23.0);
            return {0, most + 1, static_cast<uint32_t>(most) + 1};
        }
        case Q::kMinimumAngle:
            return {0, 60, 60};
        case Q::kNeighbourDegree:
            return {3, 11, 64};
        case Q::kBondOrder4:
        case Q::kBondOrder6:
            return {0, 1, 50};
        case Q::kBondAngle6:
            return {-30, 30, 60};
        default: {
            const double bulk = std::min(summary.greatest, summary.mean + 6 * summary.deviation);
            const double high = std::max(bulk * (1 + 1e-9), 1.25 * summary.mean);
            return {0, high > 0 ? high : 1, kBins};
        }
    }
}

/// Points or discs of a view that has no mesh.
struct Dots {
    const Buffer<Point>* places = nullptr;
    uint32_t count = 0;
    std::optional<PeriodicBox> periodic;
};
Dots dots_of(const SceneView& view) {
    for (const Layer& layer : view.layers) {
        if (const auto* discs = std::get_if<DiscsLayer>(&layer.shape); discs && discs->centres && discs->count > 0)
            return {discs->centres, discs->count, layer.periodic};
        if (const auto* points = std::get_if<PointsLayer>(&layer.shape); points && points->places && points->count > 0)
            return {points->places, points->count, layer.periodic};
    }
    return {};
}

std::vector<Point> first_of(const Buffer<Point>& buffer, uint32_t count) {
    std::vector<Point> points(count);
    buffer.download(points.data(), count);
    return points;
}

struct JoinFlags {
    View<const uint8_t> flags, marks;
    View<uint8_t> joined;
    FLIPSCOPE_HD void operator()(uint32_t v) const {
        joined[v] = static_cast<uint8_t>(flags[v] | (v < marks.count ? marks[v] : 0));
    }
};

Curve curve_of(const char* name, const char* sentence, const char* x_name, const char* y_name) {
    Curve curve;
    curve.name = name;
    curve.sentence = sentence;
    curve.x_name = x_name;
    curve.y_name = y_name;
    return curve;
}

/// The same value for all x, under the name of another curve.
Curve level(const Curve& of, double value) {
    Curve curve = of;
    curve.label = kRandom;
    curve.remark.clear();
    curve.x = {of.x.front(), of.x.back()};
    curve.y = {value, value};
    return curve;
}

}  // namespace

struct SceneStatistics::Parts {
    Strips strips;
    TorusTriangulation torus;
    SiteMesh sites;
};

SceneStatistics::SceneStatistics() = default;
SceneStatistics::~SceneStatistics() = default;

void SceneStatistics::clear() {
    view_ = kNone;
    count_ = 0;
    names_elements_ = false;
    vertex_of_.clear();
    structure_ = {};
    of_input_.clear();
    report_ = {};
}

void SceneStatistics::measure(Context& context, const Scene& scene, const Options& options) {
    clear();
    for (uint32_t k = 0; k < scene.view_count(); ++k) {
        const SceneView& view = scene.view(k);
        const bool has_mesh = view.mesh && view.mesh->triangle_count > 0;
        const bool has_cells = !has_mesh && SiteMesh::cells_of(view);
        const Dots dots = has_mesh ? Dots{} : dots_of(view);
        if (!has_mesh && !dots.places) continue;
        if (!has_mesh && !parts_) parts_ = std::make_unique<Parts>();
        const TriangleMesh* mesh = view.mesh;
        View<const Point> points;
        if (has_mesh) {
            const MeasuredMesh whole = measured_in(context, view, options.window);
            window_ = whole.window;
            count_ = whole.vertex_count;
            points = mesh->positions.view(count_);
            elements_.measure(context, whole);
        } else if (has_cells) {
            parts_->sites.build(context, view);
            MeasuredMesh whole = parts_->sites.measured();
            window_ = parts_->sites.window();
            if (options.window && !window_.periodic) window_ = whole.window = *options.window;
            points = parts_->sites.places();
            const std::vector<uint32_t> sites = parts_->sites.host_sites();
            vertex_of_.assign(parts_->sites.site_count(), kNone);
            for (uint32_t v = 0; v < sites.size(); ++v)
                if (sites[v] != kNone) vertex_of_[sites[v]] = v;
            count_ = parts_->sites.site_count();
            elements_.measure(context, whole);
        } else {
            count_ = dots.count;
            points = dots.places->view(count_);
            const std::optional<PeriodicBox>& box = dots.periodic;
            if (box && box->size.x > 0 && box->size.y > 0) {
                window_ = {{0, 0}, box->size, true};
            } else if (options.window) {
                window_ = *options.window;
            } else {
                const Bounds bounds = bounds_of(context, points);
                window_ = {bounds.low, bounds.high, false};
            }
            uint32_t vertices = 0;
            if (window_.periodic) {
                parts_->torus.build(context, TorusBox::of(box->size), first_of(*dots.places, count_), false);
                mesh = &parts_->torus.mesh();
                vertices = parts_->torus.count();
            } else {
                parts_->strips.set_records_states(false);
                parts_->strips.reset(context, points, {});
                parts_->strips.finish({});
                mesh = &parts_->strips.mesh();
                vertices = parts_->strips.distinct();
            }
            elements_.measure(context, measured(*mesh, vertices, window_));
        }
        const bool selects = options.selection && (has_mesh || has_cells) && options.selection->choice().selects() &&
                             !options.selection->marks(ElementKind::kVertex).empty();
        const bool of_input = has_mesh || (has_cells && parts_->sites.inputs());
        attributes_.set_input(of_input ? options.input : nullptr);
        if (of_input) {
            std::optional<PeriodicBox> box;
            for (const Layer& layer : view.layers)
                if (layer.periodic && !box) box = layer.periodic;
            for (const std::string& id : attribute_ids(options.input.get())) {
                Buffer<double> values("attribute");
                if (has_mesh)
                    attributes_.write(context, elements_.mesh(), box, id, values);
                else
                    attributes_.write_of_sites(context, parts_->sites, id, values);
                of_input_.emplace_back(id, std::move(values));
            }
        }
        report_elements(context, selects ? options.selection : nullptr, options.beside.get());
        report_attributes(context, selects ? options.selection : nullptr);
        if (options.of_points && !elements_.mesh().in_space()) report_points(context, points);
        view_ = k;
        names_elements_ = has_mesh || has_cells;
        return;
    }
}

std::optional<Explored> SceneStatistics::quantity_of(const Distribution& distribution) const {
    for (const Q quantity : kAll)
        if (distribution.name == info_of(quantity).name) return quantity;
    for (const auto& [id, values] : of_input_)
        if (distribution.name == id) return Explored(id);
    return std::nullopt;
}

/// After those of what is measured; a line of properties each, too.
void SceneStatistics::report_attributes(Context& context, const Exploration* selection) {
    Properties means;
    std::vector<Distribution> distributions;
    for (const auto& [id, buffer] : of_input_) {
        const View<const double> values = buffer.view();
        const SampleSummary summary = summarise(context, values);
        if (summary.count == 0) continue;
        const double low = std::max(summary.least, summary.mean - 6 * summary.deviation),
                     most = std::min(summary.greatest, summary.mean + 6 * summary.deviation);
        const double high = most > low ? most : low + 1;
        Distribution found;
        found.name = id;
        found.sentence = Explored(id).sentence();
        found.low = low;
        found.high = high;
        found.now = as_counts(histogram(context, values, low, high, kBins));
        std::string beside;
        if (selection) {
            const Excluding unselected{selection->marks(ElementKind::kVertex).view(), Exploration::kNotSelected};
            const SampleSummary part = summarise(context, values, unselected);
            found.before = found.now;
            for (double& count : found.before) count *= double(part.count) / double(summary.count);
            found.before_name = "all, scaled";
            found.now_name = "selected";
            found.now = as_counts(histogram(context, values, low, high, kBins, unselected));
            beside = "; of the selection: " + (part.count ? text_of(Value(part.mean)) : std::string("none"));
        }
        means.add("mean " + id, Value(summary.mean),
                  "of " + count_text(summary.count, "vertex", "vertices") + ", standard deviation " +
                      text_of(Value(summary.deviation)) + ", from " + text_of(Value(summary.least)) + " to " +
                      text_of(Value(summary.greatest)) + beside);
        distributions.push_back(std::move(found));
    }
    if (distributions.empty()) return;
    report_.add("Attributes of the input", "", std::move(means));
    for (Distribution& distribution : distributions) report_.add(std::move(distribution));
}

StatisticsSample SceneStatistics::sample(std::string name) const {
    StatisticsSample found;
    found.name = std::move(name);
    found.points = count_;
    if (count_ == 0) return found;
    const std::vector<uint8_t> flags = elements_.flags().download();
    for (const Q quantity : kAll) {
        const ElementQuantityInfo& info = info_of(quantity);
        const std::vector<double> all = elements_.values(quantity).download();
        std::vector<double> kept;
        const size_t every = all.size() / StatisticsSample::kMost + 1;
        for (size_t i = 0; i < all.size(); i += every) {
            const bool excluded = info.element == ElementKind::kVertex && flags[i] & excluded_by(quantity);
            if (!excluded && !std::isnan(all[i])) kept.push_back(all[i]);
        }
        std::sort(kept.begin(), kept.end());
        found.values[static_cast<uint32_t>(quantity)] = std::move(kept);
    }
    return found;
}

void SceneStatistics::report_elements(Context& context, const Exploration* selection,
                                      const StatisticsSample* beside_sample) {
    const ElementMeasures& measures = elements_;
    const bool planar = !measures.mesh().in_space();
    const double density = planar && window_.area() > 0 ? count_ / window_.area() : 0;
    const uint64_t illegal = planar ? measures.illegal_edges() : 0;
    const View<const uint8_t> flags = measures.flags().view();

    Properties all;
    all.add("points", Value(count_), "the statistics are taken of these");
    if (planar) {
        const std::string from = "what cells are clipped to, from ", to = " to ";
        all.add("window width", Value(window_.width(), "world units"),
                window_.periodic ? "the periodic box"
                                 : from + text_of(Value(window_.low.x)) + to + text_of(Value(window_.high.x)));
        all.add("window height", Value(window_.height(), "world units"),
                window_.periodic ? "the periodic box"
                                 : from + text_of(Value(window_.low.y)) + to + text_of(Value(window_.high.y)));
        all.add("density", Value(density, "per world unit²"));
        all.add("mean spacing", Value(density > 0 ? 1 / std::sqrt(density) : 0, "world units"),
                "1 / √density: what distances are compared with");
    }
    if (illegal > 0)
        all.add("illegal edges", Value(illegal),
                "the triangulation is not Delaunay, so what is clipped around its vertices is not their Voronoi cells; "
                "areas and perimeters of cells are left out");
    Buffer<uint8_t> selected_vertices("selected vertices inside");
    if (selection) {
        selected_vertices.resize(context, measures.flags().size());
        launch(context, "statistics.selected", static_cast<uint32_t>(measures.flags().size()),
               JoinFlags{flags, selection->marks(ElementKind::kVertex).view(), selected_vertices.view()});
        all.add("selected", Value(selection->selected()),
                selection->choice().kind() == ElementKind::kVertex ? "vertices"
                : selection->choice().kind() == ElementKind::kEdge ? "edges"
                                                                   : "triangles");
    }
    std::vector<Distribution> distributions;
    std::vector<Curve> laws;
    for (const Q quantity : kAll) {
        const ElementQuantityInfo& info = info_of(quantity);
        if (info.planar && !planar) continue;
        const bool of_cells = quantity == Q::kCellArea || quantity == Q::kCellPerimeter;
        if (of_cells && illegal > 0) continue;
        const View<const double> values = measures.values(quantity).view();
        const Excluding excluding =
            info.element == ElementKind::kVertex ? Excluding{flags, excluded_by(quantity)} : Excluding{};
        const SampleSummary summary = summarise(context, values, excluding);
        if (summary.count == 0) continue;
        const Range range = range_of(quantity, summary);
        const std::vector<uint64_t> counts = histogram(context, values, range.low, range.high, range.bins, excluding);
        Distribution found;
        found.name = info.name;
        found.sentence = info.sentence;
        found.unit = info.unit;
        found.low = range.low;
        found.high = range.high;
        found.now = as_counts(counts);
        uint64_t binned = 0;
        for (const uint64_t count : counts) binned += count;
        if (binned < summary.count)
            found.sentence +=
                " " + count_text(summary.count - binned, "greater one is", "greater ones are") + " not drawn.";
        std::string beside;
        if (selection) {
            const bool of_vertices = info.element == ElementKind::kVertex;
            const Excluding unselected{
                of_vertices ? selected_vertices.view() : selection->marks(info.element).view(),
                static_cast<uint8_t>(Exploration::kNotSelected | (of_vertices ? excluded_by(quantity) : 0))};
            const SampleSummary part = summarise(context, values, unselected);
            const double scale = double(part.count) / double(summary.count);
            found.before_name = "all, scaled";
            found.now_name = "selected";
            for (const uint64_t count : counts) found.before.push_back(double(count) * scale);
            found.now = as_counts(histogram(context, values, range.low, range.high, range.bins, unselected));
            beside = "; of the selection: " + (part.count ? text_of(Value(part.mean)) : std::string("none"));
        } else if (beside_sample) {
            const std::vector<double>& other = beside_sample->values[static_cast<uint32_t>(quantity)];
            const double scale = other.empty() ? 0 : double(summary.count) / double(other.size());
            found.before_name = beside_sample->name + ", scaled";
            found.now_name = "these";
            found.before.assign(range.bins, 0);
            const double per_unit = range.bins / (range.high - range.low);
            for (const double value : other)
                if (value >= range.low && value <= range.high)
                    found.before[std::min<size_t>(range.bins - 1, size_t((value - range.low) * per_unit))] += scale;
        } else if (planar && density > 0 && *source_of_expectation(quantity)) {
            found.before_name = source_of_expectation(quantity);
            found.now_name = "these";
            for (uint32_t k = 0; k < range.bins; ++k) {
                const double width = (range.high - range.low) / range.bins;
                found.before.push_back(double(summary.count) * expected_share(quantity, density, range.low + k * width,
                                                                              range.low + (k + 1) * width));
            }
        }
        const double expected = planar ? expected_mean(quantity, density) : NAN;
        if (!std::isnan(expected) && density > 0) beside += "; random points: " + text_of(Value(expected));
        all.add(std::string("mean ") + info.label, Value(summary.mean, info.unit),
                "standard deviation " + text_of(Value(summary.deviation)) + ", from " + text_of(Value(summary.least)) +
                    " to " + text_of(Value(summary.greatest)) + beside);
        if (quantity == Q::kDegree) {
            const uint64_t five = counts.size() > 5 ? counts[5] : 0, six = counts.size() > 6 ? counts[6] : 0,
                           seven = counts.size() > 7 ? counts[7] : 0;
            const auto share = [&](uint64_t part) {
                return text_of(Value(100.0 * double(part) / double(summary.count))) +
                       " % of the vertices that are not on the outline";
            };
            all.add("5-fold vertices", Value(five), share(five));
            all.add("7-fold vertices", Value(seven), share(seven));
            all.add("other defects", Value(summary.count - five - six - seven),
                    "vertices of neither 5, 6 nor 7 edges that are not on the outline");
        }
        if (quantity == Q::kBondOrder6) {
            const Point mean = mean_of(context, measures.bond_orders().view(), excluding);
            all.add("global |ψ₆|", Value(std::hypot(mean.x, mean.y)),
                    "|mean of ψ₆| over the vertices that are not on the outline: 1 where all neighbourhoods have one "
                    "orientation");
        }
        if (quantity == Q::kCellArea && summary.mean > 0) {
            const ByDegree by = sum_by_degree(context, measures.values(Q::kDegree).view(), values, excluding);
            Curve curve = curve_of("Lewis' law",
                                   "The mean area of the Voronoi cells of n sides, over that of all cells: "
                                   "a straight line in many cellular patterns (Lewis 1928).",
                                   "sides n", "mean area / mean of all");
            for (uint32_t n = 3; n < kMostDegree; ++n)
                if (by.counts[n] > 0) {
                    curve.x.push_back(n);
                    curve.y.push_back(by.sums[n] / double(by.counts[n]) / summary.mean);
                }
            if (curve.x.size() > 1) laws.push_back(std::move(curve));
        }
        if (quantity == Q::kNeighbourDegree) {
            const ByDegree by = sum_by_degree(context, measures.values(Q::kDegree).view(), values, excluding);
            Curve curve =
                curve_of("Aboav–Weaire law",
                         "n · m(n), where m(n) is the mean degree of the neighbours of "
                         "vertices of degree n: close to a straight line, so that many-sided cells have few-sided "
                         "neighbours (Aboav 1970, Weaire 1974).",
                         "degree n", "n · m(n)");
            for (uint32_t n = 3; n < kMostDegree; ++n)
                if (by.counts[n] > 0) {
                    curve.x.push_back(n);
                    curve.y.push_back(n * by.sums[n] / double(by.counts[n]));
                }
            if (curve.x.size() > 1) laws.push_back(std::move(curve));
        }
        distributions.push_back(std::move(found));
    }
    report_.add("Statistics", "", std::move(all));
    if (beside_sample) {
        const StatisticsSample own = sample("these");
        std::vector<Table::Row> rows;
        for (const Q quantity : kAll) {
            const std::vector<double>&a = own.values[static_cast<uint32_t>(quantity)],
                  &b = beside_sample->values[static_cast<uint32_t>(quantity)];
            if (a.empty() || b.empty()) continue;
            const auto mean = [](const std::vector<double>& values) {
                double sum = 0;
                for (const double value : values) sum += value;
                return sum / double(values.size());
            };
            const SampleDistance found = distance_between(a, b);
            rows.push_back({{info_of(quantity).label, mean(a), mean(b), found.distance, found.chance}});
        }
        report_.add(
            "Compared with " + beside_sample->name,
            "How far the distribution functions are apart at most (Kolmogorov and Smirnov), and how likely that "
            "were if both were samples of one distribution and independent.",
            Table::of({{"quantity", "what is compared"},
                       {"mean", "of these"},
                       {"beside", "its mean in the other"},
                       {"distance", "Kolmogorov–Smirnov distance, 0 to 1"},
                       {"chance",
                        "of one at least as great between independent samples of one distribution; neighbours are "
                        "not independent, so it is a lower bound"}},
                      std::move(rows)));
    }
    for (Distribution& distribution : distributions) report_.add(std::move(distribution));
    for (Curve& law : laws) report_.add(std::move(law));
}

void SceneStatistics::report_points(Context& context, View<const Point> points) {
    if (count_ < 2 || !(window_.area() > 0)) return;
    const double spacing = std::sqrt(window_.area() / count_);
    const double narrow = std::min(window_.width(), window_.height());
    PointGrid grid;
    grid.build(context, window_, points, std::min(2 * spacing, narrow / 8));

    const WindowCorrelation g = window_correlation(context, grid, std::min(kReach * spacing, narrow / 4));
    if (!g.values.empty()) {
        Curve curve = curve_of("pair correlation",
                               "g(r): how many points there are at a distance r of a point, compared "
                               "with as many anywhere; 1 for random points.",
                               "distance r (world units)", "g(r)");
        for (size_t k = 0; k < g.values.size(); ++k) {
            curve.x.push_back(g.middle(k));
            curve.y.push_back(g.values[k]);
        }
        curve.remark =
            "from " + count_text(g.centres, "point", "points") +
            (window_.periodic ? "" : " farther than the greatest distance from the border") +
            (g.every > 1 ? "; one of " + std::to_string(g.every) + " is taken, since they crowd together" : "");
        const Curve random = level(curve, 1);
        report_.add(std::move(curve));
        report_.add(random);
    }
    structure_ = structure_factor(context, window_, points);
    if (structure_.k.size() > 1) {
        Curve curve =
            curve_of(kStructureFactorCurve,
                     "S(k) = |Σ exp(-ik·r)|² / n, averaged over the directions of k: 1 for "
                     "random points, peaks where they are ordered, 0 toward k = 0 where they are hyperuniform.",
                     "wave number k (radians per world unit)", "S(k)");
        curve.x = structure_.k;
        curve.y = structure_.values;
        curve.remark = structure_.tiles > 1
                           ? "large k from " + std::to_string(structure_.tiles) + " parts of the window with " +
                                 std::to_string(structure_.points_per_tile) + " points each"
                           : "from all points of the window";
        const Curve random = level(curve, 1);
        report_.add(std::move(curve));
        report_.add(random);
    }
    const NumberVariance variance = number_variance(context, grid, std::min(kCircleReach * spacing, narrow / 4));
    if (!variance.radii.empty()) {
        Curve curve = curve_of("number variance",
                               "The variance of the number of points in circles of radius R, over its "
                               "mean: 1 for random points, falling as 1/R where they are hyperuniform.",
                               "radius R (world units)", "σ²(R) / mean");
        for (size_t k = 0; k < variance.radii.size(); ++k) {
            if (!(variance.means[k] > 0)) continue;
            curve.x.push_back(variance.radii[k]);
            curve.y.push_back(variance.variances[k] / variance.means[k]);
        }
        curve.remark = count_text(variance.circles, "circle", "circles") + " of each radius";
        if (curve.x.size() > 1) {
            const Curve random = level(curve, 1);
            report_.add(std::move(curve));
            report_.add(random);
        }
    }
    const double discrepancy = l2_star_discrepancy(context, window_, points);
    for (Section& section : report_.sections)
        if (auto* properties = std::get_if<Properties>(&section.content)) {
            properties->add(
                "L2 star discrepancy", Value(discrepancy),
                "how far, in the mean square over all boxes at the lower left corner, the share of points in a "
                "box is from its share of the area; random points: " +
                    text_of(Value(expected_discrepancy(count_))));
            break;
        }
}

Properties SceneStatistics::of_element(Element element, const Scene& scene) const {
    Properties properties;
    if (empty() || !names_elements_ || element.part != view_) return properties;
    if (!vertex_of_.empty()) {
        // Of cells: a pixel stands for the one it belongs to; links are no edges of the triangulation.
        const LatticeLayer cells = scene.view(view_).lattice();
        if (element.kind == ElementKind::kPixel && cells.colours && element.id < cells.colours->size())
            element = {ElementKind::kVertex, cells.colours->read(element.id), element.part};
        if (element.kind != ElementKind::kVertex || element.id >= vertex_of_.size()) return properties;
        element.id = vertex_of_[element.id];
    }
    const uint32_t count = elements_.count_of(element.kind);
    if (element.kind == ElementKind::kPixel || element.id >= count) return properties;
    for (const Q quantity : kAll) {
        const ElementQuantityInfo& info = info_of(quantity);
        if (info.element != element.kind || elements_.values(quantity).empty()) continue;
        const double value = elements_.values(quantity).read(element.id);
        if (std::isnan(value)) continue;
        properties.add(info.label, Value(value, info.unit));
    }
    if (element.kind == ElementKind::kVertex)
        for (const auto& [id, values] : of_input_)
            if (const double value = values.read(element.id); !std::isnan(value)) properties.add(id, Value(value));
    if (element.kind == ElementKind::kVertex && elements_.flags().read(element.id) & kCellCut)
        properties.add("cell", Value("cut by the window"), "its area is what is left of it");
    return properties;
}

std::vector<ArrayInfo> SceneStatistics::arrays() {
    std::vector<ArrayInfo> all;
    for (const Q quantity : kAll) {
        const ElementQuantityInfo& info = info_of(quantity);
        const char* shape = info.element == ElementKind::kVertex ? "(v)"
                            : info.element == ElementKind::kEdge ? "(e)"
                                                                 : "(t)";
        all.push_back({info.id,
                       std::string(info.name) + ", " + shape + (*info.unit ? std::string(", ") + info.unit : "") +
                           "; NaN where there is none. " + info.sentence,
                       {},
                       false});
    }
    all.push_back({kStructureFactor, "S(k), (255, 255): wave vectors from -127 to 127 steps, rows upward", {}, false});
    return all;
}

std::vector<std::string> SceneStatistics::attributes() const {
    std::vector<std::string> ids;
    for (const auto& [id, values] : of_input_) ids.push_back(id);
    return ids;
}

std::vector<double> SceneStatistics::by_site(std::vector<double> values) const {
    if (vertex_of_.empty()) return values;
    std::vector<double> sorted(vertex_of_.size(), NAN);
    for (size_t site = 0; site < vertex_of_.size(); ++site)
        if (vertex_of_[site] != kNone) sorted[site] = values[vertex_of_[site]];
    return sorted;
}

Array SceneStatistics::array(const std::string& name) const {
    if (name == kStructureFactor) {
        if (structure_.picture.empty())
            throw Error("structure-factor: there are fewer than two points in a window of the plane");
        constexpr size_t side = StructureFactor::kSide;
        return make_array(Array::Type::kFloat64, {side, side}, structure_.picture);
    }
    for (const auto& [id, values] : of_input_)
        if (id == name) {
            const std::vector<double> column = by_site(values.download());
            return make_array(Array::Type::kFloat64, {column.size()}, column);
        }
    const ElementQuantityInfo* info = find_quantity(name);
    if (!info) throw Error(name + ": there is no such quantity");
    if (empty() || elements_.values(info->quantity).empty())
        throw Error(name + ": there is no triangulation of the plane that has " + std::string(info->name));
    std::vector<double> values = elements_.values(info->quantity).download();
    if (info->element == ElementKind::kVertex) values = by_site(std::move(values));
    return make_array(Array::Type::kFloat64, {values.size()}, values);
}

}  // namespace flipscope
