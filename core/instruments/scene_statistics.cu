#include "instruments/scene_statistics.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>

#include "compute/error.h"
#include "compute/launch.h"
#include "compute/portable_math.h"
#include "compute/random.h"
#include "compute/text.h"
#include "delaunay/constructions/order.h"
#include "delaunay/constructions/strips.h"
#include "delaunay/torus/torus_triangulation.h"
#include "geometry/frames.h"
#include "instruments/drawn_soup.h"
#include "instruments/exploration.h"
#include "instruments/site_mesh.h"
#include "lab/parameters.h"
#include "lab/unit_names.h"
#include "statistics/random_expectation.h"
#include "statistics/summary.h"

namespace flipscope {

namespace {

using Q = ElementQuantity;

constexpr uint32_t kBins = 60;
constexpr double kReach = 6, kCircleReach = 10;  // of g(r) and σ²(R), mean spacings
constexpr size_t kMostSides = 1000;              // of a polygon with g(r), which takes seconds beyond
constexpr const char* kRandom = "random points";

/// The area of cells that the window cuts is incomplete, and vertices on the outline lack edges.
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
/// Bins for the bulk of the numbers: outliers beyond six deviations would compress all others into one bin.
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

TorusBox box_of(const PeriodicBox& box, const Window& window) {
    if (box.size.x == 0) return TorusBox::of_cylinder(box.size.y, window.high.x, OpenAxis::kX);
    if (box.size.y == 0) return TorusBox::of_cylinder(box.size.x, window.high.y, OpenAxis::kY);
    return TorusBox::of(box.size);
}

/// Whether dots are the points of the input, in their order.
bool lie_as_given(const Buffer<Point>& places, uint32_t count, const Geometry* input) {
    return input && count == input->points.size() && places.download(count) == input->points;
}

struct CountInside {
    AreaView area;
    View<const Point> points;
    FLIPSCOPE_HD void operator()(uint32_t i, BlockSums& sums) const { sums.value[0] += area.contains(points[i]); }
};

/// An independent part of the points has the same g(r) (Illian et al. 2008, thinning). Others become NaN.
struct ThinOut {
    View<const Point> points;
    double share;
    View<Point> chosen;
    FLIPSCOPE_HD void operator()(uint32_t i) const {
        chosen[i] = random_pair(1, i).first < share ? points[i] : Point{NAN, NAN};
    }
};

struct JoinFlags {
    View<const uint8_t> flags, marks;
    View<uint8_t> joined;
    FLIPSCOPE_HD void operator()(uint32_t v) const {
        joined[v] = static_cast<uint8_t>(flags[v] | (v < marks.count ? marks[v] : 0));
    }
};

struct TakeLogarithms {
    View<const double> values;
    View<double> logarithms;  // below all others for zero and less
    FLIPSCOPE_HD void operator()(uint32_t i) const {
        logarithms[i] = values[i] <= 0 ? -double(INFINITY) : portable::log(values[i]);
    }
};

void put_counts(const BinnedNumbers& from, Distribution& to) {
    to.now = as_counts(from.counts);
    to.below = double(from.below);
    to.above = double(from.above);
}

Curve curve_of(const char* name, const char* sentence, const char* x_name, const char* y_name) {
    Curve curve;
    curve.name = name;
    curve.sentence = sentence;
    curve.x_name = x_name;
    curve.y_name = y_name;
    return curve;
}

}  // namespace

struct SceneStatistics::Parts {
    Strips strips;
    TorusTriangulation torus;
    SiteMesh sites;
    TriangleMesh joined;  // from triangles that are only drawn
};

SceneStatistics::SceneStatistics() = default;
SceneStatistics::~SceneStatistics() = default;

void SceneStatistics::clear() {
    view_ = kNone;
    count_ = 0;
    names_elements_ = of_cells_ = of_soup_ = false;
    count_ = inside_ = 0;
    rows_.clear();
    row_count_ = 0;
    are_rows_numbered_ = false;
    structure_ = {};
    intensity_ = {};
    scatter_.reset();
    of_input_.clear();
    summaries_.clear();
    report_ = {};
}

void SceneStatistics::measure(Context& context, const Scene& scene, const Options& options) {
    clear();
    context_ = &context;
    choice_ = options.structures;
    logarithmic_bins_ = options.logarithmic_bins;
    for (uint32_t k = 0; k < scene.view_count(); ++k) {
        const SceneView& view = scene.view(k);
        const bool has_mesh = view.mesh && view.mesh->triangle_count > 0;
        const bool has_cells = !has_mesh && SiteMesh::cells_of(view);
        const Dots dots = has_mesh ? Dots{} : dots_of(view);
        if (!has_mesh && !dots.places) continue;
        of_cells_ = has_cells;
        of_soup_ = has_mesh && !view.has_incidence;
        if ((!has_mesh || of_soup_) && !parts_) parts_ = std::make_unique<Parts>();
        names_elements_ = (has_mesh && !of_soup_) || has_cells;
        const auto window_around = [&](View<const Point> all) {
            if (options.window) return window_of(*options.window);
            const Bounds bounds = bounds_of(context, all);
            return Window{bounds.low, bounds.high, false};
        };
        const TriangleMesh* mesh = view.mesh;
        MeasuredMesh whole;
        View<const Point> points;
        bool as_given = false;  // points are those of the input, in its order
        if (has_cells) {
            parts_->sites.build(context, view, options.window);
            whole = parts_->sites.measured();
            window_ = parts_->sites.window();
            points = parts_->sites.places();
            count_ = parts_->sites.site_count();
            rows_ = parts_->sites.host_sites();
            if (const View<const uint32_t> inputs = parts_->sites.inputs()) {
                const std::vector<uint32_t> of_sites =
                    std::get<LatticeLayer>(SiteMesh::cells_of(view)->shape).inputs->download();
                for (uint32_t& row : rows_)
                    if (row != kNone) row = of_sites[row];
            }
        } else {
            if (of_soup_) {
                count_ = mesh->vertex_count - 1;
                points = mesh->positions.view(count_);
                as_given = lie_as_given(mesh->positions, count_, options.input.get());
                join_soup(context, *mesh, parts_->joined);
                mesh = &parts_->joined;
                window_ = window_around(points);
                whole = measured(*mesh, mesh->infinite(), window_);
            } else if (has_mesh) {
                whole = measured_in(context, view, options.window);
                window_ = whole.window;
                count_ = whole.vertex_count;
                points = mesh->positions.view(count_);
            } else {
                count_ = dots.count;
                points = dots.places->view(count_);
                const std::optional<PeriodicBox>& box = dots.periodic;
                const bool periodic = box && (box->size.x > 0 || box->size.y > 0);
                window_ = periodic ? window_of(context, *box, points) : window_around(points);
                if (periodic) {
                    parts_->torus.build(context, box_of(*box, window_), dots.places->download(count_), false);
                    mesh = &parts_->torus.mesh();
                    whole = measured(*mesh, parts_->torus.count(), window_);
                } else {
                    parts_->strips.set_records_states(false);
                    parts_->strips.reset(context, points, {});
                    parts_->strips.finish({});
                    mesh = &parts_->strips.mesh();
                    whole = measured(*mesh, parts_->strips.distinct(), window_);
                }
            }
            whole.within_window = options.window && !window_.is_periodic();
            if (whole.within_window && options.window->is_polygon())
                whole.polygon = std::make_shared<const StudyArea>(*options.window);
            inputs_.resize(context, whole.vertex_count, false);
            if (whole.vertex_count > 0)
                context.copy(inputs_.view().data, mesh->inputs.view().data, whole.vertex_count * sizeof(uint32_t));
        }
        elements_.measure(context, whole);
        const std::optional<PeriodicBox> periodic = view.periodic();
        window_corner_ = periodic && window_.is_periodic() && !has_cells ? periodic->low : Point{};
        has_window_ = options.window && !window_.is_periodic() && !elements_.mesh().in_space();
        area_ = has_window_ ? *options.window
                            : StudyArea{window_.low, window_.high, window_.periodic_x, window_.periodic_y};
        if (has_window_) {
            AreaOnDevice area;
            area.upload(context, area_);
            const CountInside count{area.view(), points};
            inside_ = static_cast<uint32_t>(sums_of(context, "statistics.inside", count_, count).value[0]);
        } else {
            inside_ = count_;
        }
        const bool selects = options.selection && (has_mesh || has_cells) && options.selection->choice().selects() &&
                             !options.selection->marks(ElementKind::kVertex).empty();
        if (!has_mesh && !has_cells) as_given = lie_as_given(*dots.places, count_, options.input.get());
        const bool of_input = as_given || (has_mesh && !of_soup_) || (has_cells && parts_->sites.inputs());
        given_ = options.input;
        row_count_ = static_cast<uint32_t>(of_input && options.input ? options.input->points.size() : 0);
        attributes_.set_input(of_input ? options.input : nullptr);
        if (of_input) {
            for (const std::string& id : attribute_ids(options.input.get())) {
                Buffer<double> values("attribute");
                if (!has_cells)
                    attributes_.write(context, elements_.mesh(), periodic, id, values);
                else
                    attributes_.write_of_sites(context, parts_->sites, id, values);
                of_input_.emplace_back(id, std::move(values));
            }
        }
        report_elements(context, selects ? options.selection : nullptr, options.beside.get());
        report_attributes(context, selects ? options.selection : nullptr);
        if (selects) report_selection();
        if (options.of_points && !elements_.mesh().in_space()) report_points(context, points);
        if (options.spatial && !elements_.mesh().in_space())
            report_spatial_statistics(context, points, *options.spatial);
        unit_ = length_unit(scene, options.input.get());
        name_units(report_, unit_);
        for (Summary& one : summaries_) one.unit = in_unit(std::move(one.unit), unit_);
        view_ = k;
        if (options.scatter) join_numbers(*options.scatter, options.selection);
        return;
    }
}

std::optional<Explored> SceneStatistics::quantity_of(const Distribution& distribution) const {
    for (const ElementQuantityInfo& info : element_quantities())
        if (distribution.name == info.name) return info.quantity;
    for (const auto& [id, values] : of_input_)
        if (distribution.name == id) return Explored(id);
    return std::nullopt;
}

/// Each vertex gets its point's row, the first of several; vertices that are not in the input get rows after these, in
/// the order of the vertices.
const std::vector<uint32_t>& SceneStatistics::rows() const {
    if (are_rows_numbered_) return rows_;
    are_rows_numbered_ = true;
    if (!of_cells_) rows_ = inputs_.download();
    if (row_count_ == 0)
        row_count_ = static_cast<uint32_t>(rows_.size()) - static_cast<uint32_t>(std::ranges::count(rows_, kNone));
    std::vector<bool> taken(row_count_);
    for (uint32_t& row : rows_) {
        if (row == kNone) continue;
        if (row < taken.size() && !taken[row])
            taken[row] = true;
        else
            row = row_count_++;
    }
    return rows_;
}

namespace {

std::string spread_text(const SampleSummary& of, double median) {
    return "median " + text_of(Value(median)) + ", standard deviation " + text_of(Value(of.deviation)) + ", from " +
           text_of(Value(of.least)) + " to " + text_of(Value(of.greatest));
}

/// The mean of the selection.
Property mean_of_selection(const std::string& name, const SampleSummary& part, double median, const std::string& unit) {
    if (part.count == 0) return {"selected: " + name, "none", "nothing that is selected has one"};
    return {"selected: " + name, Value(part.mean, unit),
            "of " + with_commas(part.count) + " that are selected, " + spread_text(part, median)};
}

/// Bins of one width, or of one factor for numbers above zero.
void fill_bins(Context& context, View<const double> values, const Excluding& excluding, uint32_t bins,
               Distribution& to) {
    if (!to.in_decades) return put_counts(histogram(context, values, to.low, to.high, bins, excluding), to);
    Buffer<double> logarithms("logarithms");
    logarithms.resize(context, values.count, false);
    launch(context, "statistics.logarithms", static_cast<uint32_t>(values.count),
           TakeLogarithms{values, logarithms.view()});
    put_counts(histogram(context, logarithms.view(), portable::log(to.low), portable::log(to.high), bins, excluding),
               to);
}

}  // namespace

/// The selection's bins become those of now, and all bins the ones before.
void SceneStatistics::compare_with_selection(Context& context, View<const double> values, const Excluding& unselected,
                                             uint32_t bins, Summary& whole, Distribution& found) {
    whole.part = summarise(context, values, unselected);
    whole.part_median = median_of(context, values, unselected);
    found.before_name = "all, scaled";
    found.now_name = "selected";
    found.before = found.now;
    for (double& count : found.before) count *= double(whole.part.count) / double(whole.sample.count);
    fill_bins(context, values, unselected, bins, found);
}

/// After the measured quantities; also as one property each. For a text: how many elements have each value, and their
/// means.
void SceneStatistics::report_attributes(Context& context, const Exploration* selection) {
    Properties means;
    std::vector<Distribution> distributions;
    std::vector<Section> categories;
    for (size_t k = 0; k < of_input_.size(); ++k) {
        const auto& [id, buffer] = of_input_[k];
        const Attribute& attribute = *attributes_.find(id);
        if (!attribute.categories.empty()) {
            report_categories(id, attribute, buffer, categories);
            continue;
        }
        const View<const double> values = buffer.view();
        const Excluding outside{elements_.flags().view(), kOutside};
        const SampleSummary summary = summarise(context, values, outside);
        if (summary.count == 0) continue;
        const double low = std::max(summary.least, summary.mean - 6 * summary.deviation),
                     most = std::min(summary.greatest, summary.mean + 6 * summary.deviation);
        const double high = most > low ? most : low + 1;
        Distribution found{id, Explored(id).sentence(), attribute.unit, low, high, {}, {}};
        found.in_decades = logarithmic_bins_ && summary.least > 0 && summary.least < summary.greatest;
        if (found.in_decades) found.low = summary.least, found.high = summary.greatest * (1 + 1e-12);
        fill_bins(context, values, outside, kBins, found);
        Summary whole{"mean " + id, id,          {}, attribute.unit, summary, median_of(context, values, outside),
                      found.below,  found.above, NAN};
        if (selection) {
            const Excluding unselected{selection->marks(ElementKind::kVertex).view(), Exploration::kNotSelected};
            compare_with_selection(context, values, unselected, kBins, whole, found);
        }
        means.add(whole.property, Value(summary.mean, attribute.unit),
                  "of " + count_text(summary.count, "vertex", "vertices") + ", " + spread_text(summary, whole.median));
        if (selection)
            means.list.push_back(mean_of_selection(whole.property, whole.part, whole.part_median, attribute.unit));
        summaries_.push_back(std::move(whole));
        distributions.push_back(std::move(found));
    }
    if (!means.empty()) report_.add("Attributes of the input", "", std::move(means));
    for (Distribution& distribution : distributions) report_.add(std::move(distribution));
    for (Section& section : categories) report_.sections.push_back(std::move(section));
}

void SceneStatistics::report_categories(const std::string& id, const Attribute& attribute, const Buffer<double>& buffer,
                                        std::vector<Section>& sections) {
    constexpr size_t kMostRows = 50;
    constexpr Q kCompared[] = {Q::kDegree, Q::kNearest, Q::kCellArea, Q::kBondOrder6};
    const std::vector<double> of_vertex = buffer.download();
    const std::vector<uint8_t> flags = elements_.flags().download();
    const size_t count = attribute.categories.size();
    const auto category_of = [&](size_t v) {
        const double at = of_vertex[v];
        return flags[v] & (kOutside | kNotMeasured) || !(at >= 0 && at < double(count)) ? count
                                                                                        : static_cast<size_t>(at);
    };
    std::vector<uint64_t> how_many(count + 1);
    for (size_t v = 0; v < of_vertex.size(); ++v) ++how_many[category_of(v)];
    std::vector<size_t> most;
    for (size_t c = 0; c < count; ++c)
        if (how_many[c] > 0) most.push_back(c);
    std::stable_sort(most.begin(), most.end(), [&](size_t a, size_t b) { return how_many[a] > how_many[b]; });
    if (most.empty() || how_many[most.front()] == 1) return;  // unique names need no counts
    const size_t left_out = most.size() > kMostRows ? most.size() - kMostRows : 0;
    most.resize(most.size() - left_out);

    Table table;
    table.columns = {{id, "the text of the input's column"}, {"count", "vertices"}};
    std::vector<Table::Row> rows;
    for (const size_t c : most) rows.push_back({{attribute.categories[c], how_many[c]}});
    const auto add_means = [&](const std::string& label, const std::string& sentence, const std::string& unit,
                               const std::vector<double>& values, uint8_t excluded) {
        std::vector<std::vector<double>> of(count + 1);
        for (size_t v = 0; v < values.size(); ++v)
            if (!std::isnan(values[v]) && !(flags[v] & excluded)) of[category_of(v)].push_back(values[v]);
        table.columns.push_back({"mean " + label, sentence, {}, 0, unit});
        for (size_t k = 0; k < most.size(); ++k) {
            const std::vector<double>& own = of[most[k]];
            rows[k].cells.emplace_back();
            if (own.empty()) continue;
            const auto [least, greatest] = std::minmax_element(own.begin(), own.end());
            SampleSummary one{own.size(), 0, 0, *least, *greatest};
            for (const double value : own) one.mean += value;
            one.mean /= double(one.count);
            for (const double value : own) one.deviation += (value - one.mean) * (value - one.mean);
            one.deviation = std::sqrt(one.deviation / double(one.count));
            rows[k].cells.back() = Value(one.mean, unit);
            summaries_.push_back(
                {{}, label, id + " = " + attribute.categories[most[k]], unit, one, median_of(own), 0, 0, NAN});
        }
    };
    for (const Q quantity : kCompared) {
        const ElementQuantityInfo& info = info_of(quantity);
        const bool left_out_here = quantity == Q::kCellArea && elements_.illegal_edges() > 0;
        if (elements_.values(quantity).empty() || left_out_here) continue;
        add_means(info.label, info.sentence, info.unit, elements_.values(quantity).download(), excluded_by(quantity));
    }
    for (const auto& [other, numbers] : of_input_)
        if (const Attribute& column = *attributes_.find(other); column.categories.empty())
            add_means(other, Explored(other).sentence(), column.unit, numbers.download(), kOutside);
    std::string sentence = "How many vertices have each text, and the means of their numbers.";
    if (left_out > 0)
        sentence +=
            " The " + std::to_string(kMostRows) + " most frequent of " + std::to_string(most.size() + left_out) + ".";
    Table made = Table::of(std::move(table.columns), std::move(rows));
    sections.push_back({"by " + id, std::move(sentence), std::move(made)});
}

Table SceneStatistics::table() const {
    constexpr size_t kColumns = 17;
    std::vector<Table::Row> rows;
    const auto row_of = [](const Summary& one) {
        const SampleSummary& s = one.sample;
        const auto some = [](double number) { return number > 0 ? Value(number) : Value(); };
        return Table::Row{
            {one.quantity, one.category.empty() ? Value() : Value(one.category),
             one.unit.empty() ? Value() : Value(one.unit), Value(), s.count, s.mean, s.deviation, s.least, s.greatest,
             some(one.below), some(one.above), std::isnan(one.expected) ? Value() : Value(one.expected), one.median,
             one.part.count ? Value(one.part.count) : Value(), one.part.count ? Value(one.part.mean) : Value(),
             one.part.count ? Value(one.part_median) : Value(), one.part.count ? Value(one.part.deviation) : Value()}};
    };
    for (const Property& property : report_.properties()) {
        const auto found = std::find_if(summaries_.begin(), summaries_.end(),
                                        [&](const Summary& one) { return one.property == property.name; });
        if (found != summaries_.end()) {
            rows.push_back(row_of(*found));
            continue;
        }
        const std::string& unit = property.value.unit;
        Table::Row row{{property.name, Value(), unit.empty() ? Value() : Value(unit), property.value}};
        row.cells.resize(kColumns);
        rows.push_back(std::move(row));
    }
    for (const Summary& one : summaries_)
        if (one.property.empty()) rows.push_back(row_of(one));
    return Table::of({{"quantity", "what is measured"},
                      {"category", "of the vertices that have this text in a column of the input; empty: of all"},
                      {"unit", ""},
                      {"value", "of what is one number"},
                      {"count", "of elements"},
                      {"mean", ""},
                      {"standard deviation", "divided by their count", "standard_deviation"},
                      {"min", ""},
                      {"max", ""},
                      {"below", "how many lie below the histogram"},
                      {"above", "how many lie above it"},
                      {"random points", "the mean that theory expects of these", "random_points"},
                      {"median", "of an even number the mean of the two in the middle"},
                      {"selected", "how many elements of the selection have the quantity"},
                      {"selected mean", "of these", "selected_mean"},
                      {"selected median", "of these", "selected_median"},
                      {"selected deviation", "their standard deviation", "selected_deviation"}},
                     std::move(rows));
}

StatisticsSample SceneStatistics::sample(std::string name) const {
    StatisticsSample found;
    found.name = std::move(name);
    found.points = inside_;
    if (count_ == 0) return found;
    const std::vector<uint8_t> flags = elements_.flags().download();
    for (const ElementQuantityInfo& info : element_quantities()) {
        const Q quantity = info.quantity;
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
    const double density = planar && area_.area() > 0 ? inside_ / area_.area() : 0;
    const uint64_t illegal = planar ? measures.illegal_edges() : 0;
    const View<const uint8_t> flags = measures.flags().view();

    Properties all;
    all.add("points", Value(inside_),
            has_window_ ? std::string(area_.is_polygon() ? "in the study area, of " : "in the window, of ") +
                              with_commas(count_) + ": the statistics are taken of these"
                        : "the statistics are taken of these");
    if (planar) {
        const std::string from = "what cells are clipped to, from ", to = " to ";
        all.add("window width", Value(window_.width(), "world units"),
                window_.periodic_x ? "the periodic box"
                                   : from + text_of(Value(window_corner_.x + window_.low.x)) + to +
                                         text_of(Value(window_corner_.x + window_.high.x)));
        all.add("window height", Value(window_.height(), "world units"),
                window_.periodic_y ? "the periodic box"
                                   : from + text_of(Value(window_corner_.y + window_.low.y)) + to +
                                         text_of(Value(window_corner_.y + window_.high.y)));
        if (area_.is_polygon()) {
            size_t corners = 0;
            for (const auto& ring : area_.rings) corners += ring.size();
            all.add("study area", Value(area_.area(), "world units²"),
                    count_text(area_.rings.size(), "ring", "rings") + " of " + count_text(corners, "side", "sides") +
                        ", of length " + text_of(Value(area_.perimeter(), "world units")) +
                        ": what cells are clipped to; the window is its bounds");
        }
        if (density > 0) {
            all.add("density", Value(density, "per world unit²"));
            all.add("mean spacing", Value(1 / std::sqrt(density), "world units"),
                    "1 / √density: what distances are compared with");
        }
    }
    if (illegal > 0)
        all.add("illegal edges", Value(illegal),
                "the triangulation is not Delaunay, so the polygons around its vertices are not Voronoi cells; areas "
                "and perimeters of cells are left out");
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
    std::vector<Q> quantities;
    std::vector<NumberSample> samples;
    for (const ElementQuantityInfo& info : element_quantities()) {
        const Q quantity = info.quantity;
        const bool of_cells = quantity == Q::kCellArea || quantity == Q::kCellPerimeter;
        if ((info.planar && !planar) || (of_cells && illegal > 0)) continue;
        const bool of_vertices = info.element == ElementKind::kVertex;
        quantities.push_back(quantity);
        samples.push_back(
            {measures.values(quantity).view(), of_vertices ? Excluding{flags, excluded_by(quantity)} : Excluding{}});
    }
    const std::vector<SampleSummary> sample_summaries = summarise(context, samples);
    const std::vector<double> medians = medians_of(context, samples, sample_summaries);
    std::vector<BinnedNumberSample> to_bin;
    for (size_t k = 0; k < samples.size(); ++k) {
        const Range range = range_of(quantities[k], sample_summaries[k]);
        to_bin.push_back({samples[k], range.low, range.high, range.bins});
    }
    const std::vector<BinnedNumbers> all_binned = histograms(context, to_bin);
    for (size_t k = 0; k < samples.size(); ++k) {
        const Q quantity = quantities[k];
        const ElementQuantityInfo& info = info_of(quantity);
        const auto& [values, excluding, lowest, highest] = samples[k];
        const SampleSummary& summary = sample_summaries[k];
        if (summary.count == 0) continue;
        const BinnedNumberSample& range = to_bin[k];
        const BinnedNumbers& binned = all_binned[k];
        const std::vector<uint64_t>& counts = binned.counts;
        Distribution found{info.name, info.sentence, info.unit, range.low, range.high, {}, {}};
        put_counts(binned, found);
        if (logarithmic_bins_ && summary.least > 0 && info.length_power > 0 && summary.least < summary.greatest) {
            found.in_decades = true;
            found.low = summary.least, found.high = summary.greatest * (1 + 1e-12);
            fill_bins(context, values, excluding, range.bins, found);
        }
        std::string beside;
        Summary whole{std::string("mean ") + info.label,
                      info.label,
                      {},
                      info.unit,
                      summary,
                      medians[k],
                      found.below,
                      found.above,
                      NAN};
        if (selection) {
            const bool of_vertices = info.element == ElementKind::kVertex;
            const Excluding unselected{
                of_vertices ? selected_vertices.view() : selection->marks(info.element).view(),
                static_cast<uint8_t>(Exploration::kNotSelected | (of_vertices ? excluded_by(quantity) : 0))};
            compare_with_selection(context, values, unselected, range.bins, whole, found);
        } else if (beside_sample) {
            const std::vector<double>& other = beside_sample->values[static_cast<uint32_t>(quantity)];
            const double scale = other.empty() ? 0 : double(summary.count) / double(other.size());
            found.before_name = beside_sample->name + ", scaled";
            found.now_name = "these";
            found.before.assign(range.bins, 0);
            const auto place = [&](double value) {
                return found.in_decades ? std::log(value / found.low) / std::log(found.high / found.low)
                                        : (value - found.low) / (found.high - found.low);
            };
            for (const double value : other)
                if (value >= found.low && value <= found.high)
                    found.before[std::min<size_t>(range.bins - 1, size_t(place(value) * range.bins))] += scale;
        } else if (planar && density > 0 && *source_of_expectation(quantity)) {
            found.before_name = source_of_expectation(quantity);
            found.now_name = "these";
            for (uint32_t k = 0; k < range.bins; ++k)
                found.before.push_back(double(summary.count) *
                                       expected_share(quantity, density, found.edge(k), found.edge(k + 1)));
        }
        const double expected = planar ? expected_mean(quantity, density) : NAN;
        if (!std::isnan(expected) && density > 0) {
            beside += "; random points: " + text_of(Value(expected));
            whole.expected = expected;
        }
        all.add(whole.property, Value(summary.mean, info.unit), spread_text(summary, whole.median) + beside);
        if (selection) all.list.push_back(mean_of_selection(whole.property, whole.part, whole.part_median, info.unit));
        summaries_.push_back(std::move(whole));
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
            const NumberSample parts[] = {{measures.bond_orders(0).view(), excluding},
                                          {measures.bond_orders(1).view(), excluding}};
            const std::vector<SampleSummary> means = summarise(context, parts);
            all.add("global |ψ₆|", Value(std::hypot(means[0].mean, means[1].mean)),
                    "|mean of ψ₆| over the vertices that are not on the outline: 1 where all neighbourhoods have one "
                    "orientation");
        }
        const auto add_law = [&](Curve curve, const std::function<double(uint32_t, double, double)>& y) {
            const ByDegree by = sum_by_degree(context, measures.values(Q::kDegree).view(), values, excluding);
            for (uint32_t n = 3; n < kMostDegree; ++n)
                if (by.counts[n] > 0) {
                    curve.x.push_back(n);
                    curve.y.push_back(y(n, by.sums[n], double(by.counts[n])));
                }
            if (curve.x.size() > 1) laws.push_back(std::move(curve));
        };
        if (quantity == Q::kCellArea && summary.mean > 0)
            add_law(curve_of("Lewis' law",
                             "The mean area of the Voronoi cells of n sides, over that of all cells: a straight line "
                             "in many cellular patterns (Lewis 1928).",
                             "sides n", "mean area / mean of all"),
                    [&](uint32_t, double sum, double count) { return sum / count / summary.mean; });
        if (quantity == Q::kNeighbourDegree)
            add_law(curve_of(
                        "Aboav–Weaire law",
                        "n · m(n), where m(n) is the mean degree of the neighbours of vertices of degree n: close to a "
                        "straight line, so that many-sided cells have few-sided neighbours (Aboav 1970, Weaire 1974).",
                        "degree n", "n · m(n)"),
                    [](uint32_t n, double sum, double count) { return n * sum / count; });
        distributions.push_back(std::move(found));
    }
    report_.add("Statistics", "", std::move(all));
    if (beside_sample) {
        const StatisticsSample own = sample("these");
        std::vector<Table::Row> rows;
        for (const ElementQuantityInfo& info : element_quantities()) {
            const std::vector<double>&a = own.values[static_cast<uint32_t>(info.quantity)],
                  &b = beside_sample->values[static_cast<uint32_t>(info.quantity)];
            if (a.empty() || b.empty()) continue;
            const auto mean = [](const std::vector<double>& values) {
                double sum = 0;
                for (const double value : values) sum += value;
                return sum / double(values.size());
            };
            const SampleDistance found = distance_between(a, b);
            rows.push_back({{info.label, mean(a), mean(b), found.distance, found.p_value}});
        }
        report_.add(
            "Compared with " + beside_sample->name,
            "The greatest distance between the two distribution functions (Kolmogorov and Smirnov), and its p-value.",
            Table::of({{"quantity", "what is compared"},
                       {"mean", "of these"},
                       {"beside", "its mean in the other"},
                       {"distance", "Kolmogorov–Smirnov distance, 0 to 1"},
                       {"p-value",
                        "of independent samples of one distribution; neighbouring elements are dependent, so it is a "
                        "lower bound"}},
                      std::move(rows)));
    }
    for (Distribution& distribution : distributions) report_.add(std::move(distribution));
    for (Curve& law : laws) report_.add(std::move(law));
}

void SceneStatistics::report_points(Context& context, View<const Point> points) {
    if (inside_ < 2 || !(window_.area() > 0)) return;
    // Those of report_elements().
    const auto numbers = [&]() -> Properties& { return std::get<Properties>(report_.sections.front().content); };
    size_t sides = 0;
    for (const auto& ring : area_.rings) sides += ring.size();
    const bool measures_pairs = sides <= kMostSides;
    const double spacing = std::sqrt(area_.area() / inside_);
    const double narrow = std::min(window_.width(), window_.height());
    SpatialStatistics spatial(context, area_);
    spatial.set_points(points);

    // With the line of random points, which is 1 everywhere.
    const auto add_with_random = [&](Curve curve) {
        Curve random = curve;
        random.label = kRandom;
        random.remark.clear();
        random.x = {curve.x.front(), curve.x.back()};
        random.y = {1, 1};
        report_.add(std::move(curve));
        report_.add(std::move(random));
    };
    SpatialOptions options;
    options.corrections = {EdgeCorrection::kTranslation};
    options.bins = true;
    const double reach = std::min(kReach * spacing, narrow / 4);
    for (int k = 0; k <= 80; ++k) options.radii.push_back(k * (reach / 80));
    const double share = measures_pairs ? share_with_few_pairs(context, spatial.grid(), reach) : 1;
    const NumberVariance variance =
        number_variance(context, area_, spatial.grid(), std::min(kCircleReach * spacing, narrow / 4));
    if (share < 1) {
        Buffer<Point> chosen("points at random");
        chosen.resize(context, points.count, false);
        launch(context, "statistics.choose", static_cast<uint32_t>(points.count),
               ThinOut{points, share, chosen.view()});
        spatial.set_points(View<const Point>(chosen.view()));
    }
    if (measures_pairs) {
        const SpatialCurve g = spatial.measure(SpatialFunction::kPairCorrelation, options);
        Curve pairs = curve_of("pair correlation",
                               "g(r): how many points there are at a distance r of a point, compared with as many "
                               "anywhere; 1 for random points.",
                               "distance r (world units)", "g(r)");
        pairs.x = g.radii;
        pairs.y = g.estimates.back().values;
        pairs.remark =
            (window_.is_torus() ? "from " : "corrected for the border by translation, from ") +
            count_text(spatial.count(), "point", "points") +
            (share < 1 ? " at random of " + std::to_string(inside_) + ", since they lie close to each other" : "");
        add_with_random(std::move(pairs));
    } else {
        numbers().add("pair correlation", Value("not in this polygon"), "it has many sides; --spatial g measures it");
    }

    structure_ = structure_factor(context, area_, points, share < 1 ? nullptr : &spatial.grid());
    if (structure_.k.size() > 1) {
        Curve curve = curve_of(kStructureFactorCurve,
                               "S(k) = |Σ exp(-ik·r)|² / n, averaged over the directions of k: 1 for random points, "
                               "peaks where they are ordered, 0 toward k = 0 where they are hyperuniform.",
                               "wave number k (radians per world unit)", "S(k)");
        curve.x = structure_.k;
        curve.y = structure_.values;
        curve.remark = structure_.tiles > 1
                           ? "large k from " + std::to_string(structure_.tiles) + " parts of the window with " +
                                 std::to_string(structure_.points_per_tile) + " points each"
                           : "from all points of the study area";
        add_with_random(std::move(curve));
    }
    if (!variance.radii.empty()) {
        Curve curve = curve_of("number variance",
                               "The variance of the number of points in circles of radius R, over its mean: 1 for "
                               "random points, falling as 1/R where they are hyperuniform.",
                               "radius R (world units)", "σ²(R) / mean");
        for (size_t k = 0; k < variance.radii.size(); ++k) {
            if (!(variance.means[k] > 0)) continue;
            curve.x.push_back(variance.radii[k]);
            curve.y.push_back(variance.variances[k] / variance.means[k]);
        }
        curve.remark = count_text(variance.circles, "circle", "circles") + " of each radius";
        if (curve.x.size() > 1) add_with_random(std::move(curve));
    }
    if (area_.is_polygon()) return;
    const double discrepancy = l2_star_discrepancy(context, window_, points);
    numbers().add(
        "L2 star discrepancy", Value(discrepancy),
        "how far, in the mean square over all boxes at the lower left corner, the share of points in a box is "
        "from its share of the area; random points: " +
            text_of(Value(expected_discrepancy(inside_))));
}

void SceneStatistics::report_spatial_statistics(Context& context, View<const Point> points,
                                                const SpatialRequest& request) {
    // Of the frames, in the area of the input, not of a lattice that it was put on; or of the points that are shown.
    std::vector<std::string> categories;
    std::vector<double> marks;
    std::vector<std::vector<Point>> places;
    std::vector<PointPattern> frames;
    StudyArea area = area_;
    if (request.frames == 0) {
        if (!request.mark.empty()) {
            const auto column =
                std::ranges::find(of_input_, request.mark, &std::pair<std::string, Buffer<double>>::first);
            if (column == of_input_.end()) explored_of(request.mark, attributes_.input().get(), "mark " + request.mark);
            if (column == of_input_.end()) throw Error("mark " + request.mark + ": expected a column of the input");
            marks = column->second.download(points.count);
            categories = attributes_.find(request.mark)->categories;
        }
        places.push_back(download(context, points));
        frames.push_back({places.front(), marks});
    } else {
        if (!given_ || !given_->tracks) throw Error("frames: the input has no points over time");
        const Tracks& tracks = *given_->tracks;
        if (!request.mark.empty()) {
            const std::vector<std::string> names = attribute_ids(tracks.attributes);
            const auto column = static_cast<size_t>(std::ranges::find(names, request.mark) - names.begin());
            if (column == names.size())
                throw Error("mark " + request.mark + ": expected a column of the points over time; " +
                            (names.empty() ? "they have none" : "there are " + join_words(names, " and ")));
            marks = tracks.attributes[column].values;
            categories = tracks.attributes[column].categories;
        }
        const bool is_periodic = tracks.box.x > 0 && tracks.box.y > 0 && !has_window_;
        const auto wrapped = [](double v, double side) { return v - std::floor(v / side) * side; };
        for (size_t t = 0; t < tracks.frame_count(); t += request.frames) {
            const size_t start = tracks.starts[t], count = tracks.starts[t + 1] - start;
            places.emplace_back(tracks.places.begin() + std::ptrdiff_t(start),
                                tracks.places.begin() + std::ptrdiff_t(start + count));
            for (Point& p : places.back())
                if (is_periodic)
                    p = {wrapped(p.x - tracks.box_low.x, tracks.box.x), wrapped(p.y - tracks.box_low.y, tracks.box.y)};
            frames.push_back({places.back(), {}, std::span(tracks.ids).subspan(start, count)});
            if (!marks.empty()) frames.back().marks = std::span(marks).subspan(start, count);
        }
        const Bounds bounds = bounds_of(tracks.places);
        if (!is_periodic && !has_window_ && !(bounds.low.x < bounds.high.x && bounds.low.y < bounds.high.y))
            throw Error("frames: all points lie on a line along an axis; give a study area, such as --within 0,0,10,8");
        if (is_periodic)
            area = {{}, tracks.box, true, true};
        else if (!has_window_)
            area = area_of_rectangle(bounds.low, bounds.high);
    }
    Properties numbers;
    intensity_ = report_spatial(context, area, frames, categories, request, report_, numbers);
    report_.add("spatial statistics", "Tests of randomness, and the intensity.", std::move(numbers));
}

/// The numbers of the selection and of all.
void SceneStatistics::report_selection() {
    std::vector<Table::Row> rows;
    for (const Summary& one : summaries_) {
        if (one.property.empty()) continue;
        const auto add = [&](const char* of, const SampleSummary& sample, double median) {
            const bool any = sample.count > 0;
            rows.push_back(
                {{one.quantity, of, sample.count, any ? Value(sample.mean, one.unit) : Value(),
                  any ? Value(median, one.unit) : Value(), any ? Value(sample.deviation, one.unit) : Value()}});
        };
        add("selected", one.part, one.part_median);
        add("all", one.sample, one.median);
    }
    report_.add("Selected and all", "The numbers of the selection and of all elements.",
                Table::of({{"quantity", "what is measured"},
                           {"of", "the selection, or all elements"},
                           {"count", "of elements"},
                           {"mean", ""},
                           {"median", "of an even number the mean of the two in the middle"},
                           {"deviation", "the standard deviation, divided by the count"}},
                          std::move(rows)));
}

/// The numbers of the elements that have both.
void SceneStatistics::join_numbers(const std::pair<Explored, Explored>& of, const Exploration* explored) {
    const auto& [x, y] = of;
    const ElementKind kind = x.element();
    if (y.element() != kind) return;
    const std::vector<uint8_t> flags = elements_.flags().download();
    uint8_t excluded = kind == ElementKind::kVertex ? kOutside : 0;
    const auto values_of = [&](const Explored& one) -> std::vector<double> {
        if (!one.measured()) {
            for (const auto& [id, values] : of_input_)
                if (id == one.attribute && attributes_.find(id)->categories.empty()) return values.download();
            return {};
        }
        const bool of_cells = one.quantity == Q::kCellArea || one.quantity == Q::kCellPerimeter;
        if (of_cells && elements_.illegal_edges() > 0) return {};
        if (kind == ElementKind::kVertex) excluded |= excluded_by(one.quantity);
        return elements_.values(one.quantity).download();
    };
    const std::vector<double> xs = values_of(x), ys = values_of(y);
    if (xs.empty() || ys.empty()) return;
    const auto unit = [&](const Explored& one) {
        if (!one.measured()) return attributes_.find(one.attribute)->unit;
        return in_unit(info_of(one.quantity).unit, unit_);
    };
    Scatter found{x, y, unit(x), unit(y), {}, {}, {}, {}, {}, {}, {}};
    std::vector<uint8_t> marks;
    std::vector<float> colours;
    if (names_elements_ && explored && explored->choice().selects()) marks = explored->marks(kind).download();
    if (names_elements_ && explored && explored->colours(kind)) {
        colours = explored->colours(kind)->download();
        found.scale = explored->scale();
    }
    std::vector<uint32_t> sites;
    if (of_cells_) sites = parts_->sites.host_sites();
    for (size_t i = 0; i < xs.size(); ++i) {
        if (std::isnan(xs[i]) || std::isnan(ys[i])) continue;
        if (kind == ElementKind::kVertex && flags[i] & (excluded | kNotMeasured)) continue;
        found.x_values.push_back(xs[i]);
        found.y_values.push_back(ys[i]);
        if (names_elements_) found.ids.push_back(sites.empty() ? static_cast<uint32_t>(i) : sites[i]);
        if (!marks.empty()) found.selected.push_back(i < marks.size() && marks[i] == 0);
        if (!colours.empty()) found.colours.push_back(i < colours.size() ? colours[i] : NAN);
    }
    found.correlation = correlation_of(found.x_values, found.y_values);
    Properties properties;
    properties.add("pairs", Value(found.correlation.count), "elements that have both numbers");
    properties.add("Pearson's r", Value(found.correlation.pearson), "1 or -1 on a straight line");
    properties.add("Spearman's ρ", Value(found.correlation.spearman), "Pearson's r of the ranks");
    report_.add("Correlation", "Of " + x.label() + " and " + y.label(), std::move(properties));
    scatter_ = std::move(found);
}

Properties SceneStatistics::of_element(Element element, const Scene& scene) const {
    Properties properties;
    if (empty() || !names_elements_ || element.part != view_) return properties;
    if (of_cells_) {
        // A pixel represents its cell; links are not edges of the triangulation.
        const LatticeLayer cells = scene.view(view_).lattice();
        if (element.kind == ElementKind::kPixel && cells.colours && element.id < cells.colours->size())
            element = {ElementKind::kVertex, cells.colours->read(element.id), element.part};
        if (element.kind != ElementKind::kVertex) return properties;
        const std::vector<uint32_t> sites = parts_->sites.host_sites();
        element.id = static_cast<uint32_t>(std::find(sites.begin(), sites.end(), element.id) - sites.begin());
    }
    const uint32_t count = elements_.count_of(element.kind);
    if (element.kind == ElementKind::kPixel || element.id >= count) return properties;
    for (const ElementQuantityInfo& info : element_quantities()) {
        const Q quantity = info.quantity;
        if (info.element != element.kind || elements_.values(quantity).empty()) continue;
        const double value = elements_.values(quantity).read(element.id);
        if (std::isnan(value)) continue;
        properties.add(info.label, Value(value, info.unit));
    }
    if (element.kind == ElementKind::kVertex)
        for (const auto& [id, values] : of_input_)
            if (const double value = values.read(element.id); !std::isnan(value)) {
                const Attribute& column = *attributes_.find(id);
                const bool text = value >= 0 && value < double(column.categories.size());
                properties.add(id,
                               text ? Value(column.categories[static_cast<size_t>(value)]) : Value(value, column.unit));
            }
    if (element.kind == ElementKind::kVertex && elements_.flags().read(element.id) & kCellCut)
        properties.add("cell", Value("cut by the window"), "its area is that of the remaining part");
    name_units(properties, unit_);
    return properties;
}

std::vector<ArrayInfo> SceneStatistics::arrays() {
    std::vector<ArrayInfo> all;
    for (const ElementQuantityInfo& info : element_quantities()) {
        const Q quantity = info.quantity;
        if (quantity == Q::kBeta) continue;  // not measured with the others
        const char* shape = info.element == ElementKind::kVertex ? "(points) in the order of the input"
                            : info.element == ElementKind::kEdge ? "(edges) as of edges.npy"
                                                                 : "(triangles) as of triangles.npy";
        const bool of_cells = quantity == Q::kCellArea || quantity == Q::kCellPerimeter;
        all.push_back(
            {info.id, std::string(info.name) + ", " + shape + (*info.unit ? std::string(", ") + info.unit : "") +
                          (of_cells ? "; NaN where the window cuts the cell. " : "; NaN where there is none. ") +
                          info.sentence});
    }
    all.push_back({kRowArray, "(points) the row of the input that each is of, from 0"});
    all.push_back({kEdgeArray, "(edges, 2) the points that an edge joins, by their place in the arrays of points"});
    all.push_back({kIntensityArray, "(128, 128) points per world unit², by --spatial, rows upward; NaN outside"});
    all.push_back({kStructureFactorArray, "S(k), (255, 255): wave vectors from -127 to 127 steps, rows upward"});
    return all;
}

std::vector<double> SceneStatistics::by_row(ElementQuantity quantity) const {
    std::vector<double> values = elements_.values(quantity).download(), sorted(row_count(), NAN);
    const bool of_cells = quantity == Q::kCellArea || quantity == Q::kCellPerimeter;
    if (of_cells && elements_.illegal_edges() > 0) return sorted;  // not Voronoi cells
    const std::vector<uint8_t> flags = elements_.flags().download();
    for (size_t v = 0; v < values.size(); ++v)
        if (rows_[v] != kNone && !(of_cells && flags[v] & kCellCut)) sorted[rows_[v]] = values[v];
    return sorted;
}

const TriangleMesh& SceneStatistics::mesh(const Scene& scene) const {
    if (of_cells_) return parts_->sites.mesh();
    if (of_soup_) return parts_->joined;
    if (names_elements_) return *scene.view(view_).mesh;
    return window_.is_periodic() ? parts_->torus.mesh() : parts_->strips.mesh();
}

Point SceneStatistics::as_given(Point of_mesh) const { return of_cells_ ? parts_->sites.as_given(of_mesh) : of_mesh; }

Array SceneStatistics::structure_picture() const {
    if (structure_.picture.empty())
        throw Error("structure-factor: there are fewer than two points in a window of the plane");
    constexpr size_t side = StructureFactor::kSide;
    return make_array(Array::Type::kFloat64, {side, side}, structure_.picture);
}

Array SceneStatistics::intensity_picture() const {
    if (intensity_.values.empty())
        throw Error("intensity: it needs --spatial L, and two points or more in the study area");
    return make_array(Array::Type::kFloat64, {intensity_.rows, intensity_.columns}, intensity_.values);
}

}  // namespace flipscope
