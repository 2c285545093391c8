#include "instruments/spatial_report.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <functional>
#include <map>
#include <ranges>

#include "compute/error.h"
#include "compute/printable.h"
#include "compute/text.h"
#include "flipscope/structure_factor.h"
#include "statistics/area_view.h"
#include "statistics/running_mean.h"

namespace flipscope {

namespace {

std::vector<std::string> parts_of(const std::string& text, char between) {
    std::vector<std::string> parts;
    for (const auto part : std::views::split(text, between)) parts.emplace_back(part.begin(), part.end());
    return parts;
}

double number_of(const std::string& text) {
    double number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(number))
        throw Error("expected a number, found " + excerpt(text));
    return number;
}

/// "0:0.25:0.005", or "0,0.1,0.5"
std::vector<double> radii_of(const std::string& text) {
    std::vector<double> radii;
    const std::vector<std::string> range = parts_of(text, ':');
    if (range.size() != 3) {
        for (const std::string& part : parts_of(text, ',')) radii.push_back(number_of(part));
        return radii;
    }
    const double from = number_of(range[0]), to = number_of(range[1]), step = number_of(range[2]);
    if (!(step > 0 && from >= 0 && to > from && (to - from) / step < 1024))
        throw Error("expected FROM:TO:STEP with at most 1,024 steps, found " + excerpt(text));
    for (int k = 0; from + k * step <= to + step * 1e-6; ++k) radii.push_back(from + k * step);
    return radii;
}

/// By function: its sentence, and the name of its axis.
constexpr const char* kTexts[][2] = {
    {"Ripley's K(r): the mean number of further points within r of a point, over the intensity.",
     "K(r) (world units²)"},
    {"L(r) = √(K(r)/π): r for random points, above for clusters, below for regular points.", "L(r) (world units)"},
    {"L(r) - r: 0 for random points, above for clusters, below for regular points.", "L(r) - r (world units)"},
    {"g(r): the density of pairs at distance r, relative to random points.", "g(r)"},
    {"G(r): the share of points whose nearest neighbour is within r.", "G(r)"},
    {"F(r): the share of the area within r of a point.", "F(r)"},
    {"J(r) = (1 - G)/(1 - F): 1 for random points, below for clusters, above for regular points.", "J(r)"},
    {"K from points of one category to points of another, πr² if they are independent.", "K(r) (world units²)"},
    {"g from points of one category to points of another, 1 if they are independent.", "g(r)"},
    {"p(r): the share of pairs at distance r from one category to the other.", "p(r)"},
    {"k(r): the mean product of the numbers of pairs at distance r, over the squared mean.", "k(r)"}};

/// The index of a category, or of the one at `otherwise`.
double category_of(const std::vector<std::string>& all, const std::string& name, size_t otherwise,
                   const std::string& column) {
    if (name.empty() && otherwise < all.size()) return double(otherwise);
    const auto found = std::ranges::find(all, name);
    if (found != all.end()) return double(found - all.begin());
    std::string known;
    for (size_t i = 0; i < std::min<size_t>(all.size(), 12); ++i) known += (i > 0 ? ", " : "") + printable(all[i]);
    throw Error("mark " + column + ": " +
                (all.empty() ? "it has numbers, and functions of categories need a column of text"
                             : "no category is called " + printable(name) + "; known are " + known));
}

constexpr std::string_view kBandwidthRules[] = {"scott", "diggle", "likelihood"};  // BandwidthRule

double bandwidth_for(const std::string& rule, SpatialStatistics& statistics, std::span<const Point> points) {
    const auto* const known = std::ranges::find(kBandwidthRules, rule);
    if (known == std::end(kBandwidthRules)) return number_of(rule);
    return bandwidth_of(statistics, points, BandwidthRule(known - kBandwidthRules));
}

}  // namespace

const std::vector<SpatialRequest::Option>& SpatialRequest::option_list() {
    static const std::vector<Option> all{
        {"spatial", "NAME,…",
         "Functions of distance of the points that the lab shows, for the summary, --json, --plot and curves.csv: K, "
         "L, L-r, g, G, F, J, cross-K, cross-g, mark-connection, mark-correlation (L); with tests and the intensity"},
        {"correction", "NAME,…",
         "Border corrections: none, border, translation, isotropic; of G, F and J none, border, kaplan-meier, hanisch "
         "(all)"},
        {"radii", "FROM:TO:STEP",
         "Their distances in world units, or a list of them (513, up to a quarter of the shorter side)"},
        {"kernel", "NAME",
         "Of g: a kernel, divided by the radius r or by the distance of the pair d, or bins between the radii: r, d, "
         "bins (r)"},
        {"directions", "FROM,TO",
         "Roses of the directions of pairs at these distances in world units, and of nearest neighbours"},
        {"envelopes", "N", "Envelopes of this many simulations, such as 99"},
        {"process", "NAME", "What is simulated: csr, or a fitted thomas, matern or hardcore (csr)"},
        {"frames", "EVERY", "Measures one in EVERY frames of points over time, and S(k): means with standard errors"},
        {"mark", "COLUMN[:FROM,TO]",
         "The column of cross-K, cross-g, mark-connection, mark-correlation and Moran's I, and two of its texts"},
        {"bandwidth", "RULE", "Of the intensity: scott, diggle, likelihood, or a length in world units (scott)"}};
    return all;
}

void SpatialRequest::set(const std::string& name, const std::string& text) {
    if (name == "spatial") {
        functions.clear();
        for (const std::string& part : parts_of(text, ',')) functions.push_back(spatial_function_of(part));
    } else if (name == "correction") {
        options.corrections.clear();
        for (const std::string& part : parts_of(text, ',')) options.corrections.push_back(edge_correction_of(part));
    } else if (name == "radii") {
        options.radii = radii_of(text);
    } else if (name == "kernel") {
        if (text != "r" && text != "d" && text != "bins") throw Error("expected r, d or bins, found " + excerpt(text));
        options.divide_by_distance = text == "d";
        options.bins = text == "bins";
    } else if (name == "directions") {
        const std::vector<std::string> two = parts_of(text, ',');
        if (two.size() == 2) directions = {number_of(two[0]), number_of(two[1])};
        if (two.size() != 2 || !(directions[0] >= 0 && directions[0] < directions[1]))
            throw Error("expected two distances that ascend, FROM,TO, found " + excerpt(text));
    } else if (name == "envelopes" || name == "frames") {
        const double count = number_of(text);
        if (!(count >= 1 && count <= 9999 && count == std::floor(count)))
            throw Error("expected a whole number from 1 to 9,999, found " + excerpt(text));
        (name == "frames" ? frames : envelope.simulations) = static_cast<uint32_t>(count);
    } else if (name == "process") {
        envelope.process.process = point_process_of(text);
    } else if (name == "mark") {
        const size_t colon = std::min(text.rfind(':'), text.size());
        mark = text.substr(0, colon);
        const std::vector<std::string> two = parts_of(text.substr(std::min(colon + 1, text.size())), ',');
        from = to = {};
        if (colon < text.size()) {
            if (two.size() != 2) throw Error("expected COLUMN:FROM,TO, found " + excerpt(text));
            from = two[0], to = two[1];
        }
    } else if (name == "bandwidth") {
        bandwidth = text;
        if (std::ranges::find(kBandwidthRules, text) == std::end(kBandwidthRules) && !(number_of(text) > 0))
            throw Error("expected scott, diggle, likelihood or a length, found " + excerpt(text));
    } else {
        throw Error("unknown spatial option " + printable(name));
    }
    texts[name] = text;
}

IntensityMap report_spatial(Context& context, const StudyArea& area, std::span<const PointPattern> frames,
                            const std::vector<std::string>& categories, const SpatialRequest& request, Report& report,
                            Properties& numbers) {
    SpatialStatistics statistics(context, area);
    std::vector<SpatialMeasure> measures;
    std::string pair;
    for (const SpatialFunction function : request.functions) {
        SpatialOptions& options = measures.emplace_back(function, request.options).options;
        const bool of_marks = function >= SpatialFunction::kCrossK,
                   of_numbers = function == SpatialFunction::kMarkCorrelation;
        if (of_marks) {
            if (request.mark.empty())
                throw Error(std::string(name_of(function)) + ": it needs a column of the input, as --mark");
            if (of_numbers && !categories.empty())
                throw Error("mark " + request.mark + ": it has texts, and mark-correlation needs numbers");
            if (!of_numbers) {
                options.from = category_of(categories, request.from, 0, request.mark);
                options.to = category_of(categories, request.to, 1, request.mark);
                pair = "from " + printable(categories[size_t(options.from)]) + " to " +
                       printable(categories[size_t(options.to)]);
            }
        }
    }
    if (!pair.empty()) numbers.add("categories", Value(pair));
    std::vector<SpatialCurve> curves = statistics.measure_mean(frames, measures);
    // By frame. The points of all, for the intensity, which adds up.
    std::vector<QuadratTest> quadrats;
    std::vector<ClarkEvans> nearest;
    std::vector<MoranTest> moran;
    std::array<std::vector<double>, 2> roses;
    std::vector<Point> all_points;
    std::map<double, RunningMean> waves;  // S(k) by wave number; dense frames have other ones
    RunningMean bandwidth;
    bool any_pairs = false;
    const auto [least, most] = request.directions;
    const AreaIndex index(area);
    const AreaView view = index.view();
    for (const PointPattern& frame : frames) {
        if (frames.size() > 1) statistics.set_points(frame.points);  // a single one is there
        any_pairs = any_pairs || statistics.count() > 1;
        const auto side = static_cast<uint32_t>(std::clamp(std::sqrt(statistics.count() / 8.0), 2.0, 32.0));
        quadrats.push_back(quadrat_test(area, frame.points, side, side));
        nearest.push_back(clark_evans(statistics));
        if (!request.mark.empty() && categories.empty()) {
            std::vector<double> inside(frame.marks.begin(), frame.marks.end());
            for (size_t i = 0; i < inside.size(); ++i)
                if (!view.contains(frame.points[i])) inside[i] = NAN;
            const auto has_mark = [](double mark) { return std::isfinite(mark); };
            if (frames.size() == 1 || std::ranges::count_if(inside, has_mark) >= 4)
                moran.push_back(moran_test(context, frame.points, inside));
        }
        for (size_t k = 0; k < 2 && most > 0; ++k) {
            const std::vector<double> one =
                k == 0 ? statistics.directions(least, most) : statistics.nearest_directions();
            roses[k].resize(one.size());
            std::ranges::transform(one, roses[k], roses[k].begin(), std::plus());
        }
        if (const double own = bandwidth_for(request.bandwidth, statistics, frame.points); own > 0) bandwidth.add(own);
        if (request.frames > 0) {
            const StructureFactor one = structure_factor(context, frame.points, area);
            for (size_t k = 0; k < one.k.size(); ++k) waves[one.k[k]].add(one.values[k]);
        }
        all_points.insert(all_points.end(), frame.points.begin(), frame.points.end());
    }
    const auto add = [&](const std::string& name, double value, const std::string& remark, const char* unit = "") {
        if (std::isfinite(value)) numbers.add(name, Value(value, unit), remark);
    };
    if (request.frames > 0)
        numbers.add("frames", Value(frames.size()),
                    "measured; p-values hold if they are independent, those of functions of marks always");
    std::vector<SpatialEnvelope> bands;
    EnvelopeOptions how = request.envelope;
    const std::string process = name_of(how.process.process);
    if (how.simulations > 0 && any_pairs) {
        const auto is_of_points = [](SpatialFunction function) { return function < SpatialFunction::kCrossK; };
        if (std::ranges::any_of(request.functions, is_of_points))
            how.process = fit_process(statistics, frames, how.process.process);
        bands = envelopes(statistics, frames, measures, curves, how);
        if (how.process.parents > 0) add(process + " parents", how.process.parents, "", "per world unit²");
        if (how.process.scale > 0)
            add(process + " scale", how.process.scale,
                how.process.parents > 0 ? "fitted by the least contrast of K"
                                        : "the least distance of two points times n/(n + 1)",
                "world units");
    }
    for (size_t c = 0; c < curves.size(); ++c) {
        const SpatialCurve& from = curves[c];
        const auto& [sentence, y_name] = kTexts[static_cast<size_t>(from.function)];
        Curve curve{name_of(from.function), sentence, {}, "distance r (world units)", y_name, 0, 0, from.radii, {}};
        // The last one is the best, and leads.
        for (const auto& estimate : std::views::reverse(from.estimates)) {
            curve.label = area.periodic_x && area.periodic_y ? "periodic" : name_of(estimate.correction);
            curve.y = estimate.values;
            curve.errors = estimate.errors;
            const bool leads = &estimate == &from.estimates.back() && !bands.empty();
            curve.band_low = leads ? bands[c].low : std::vector<double>{};
            curve.band_high = leads ? bands[c].high : std::vector<double>{};
            curve.remark = leads ? "bands of " + std::to_string(how.simulations) + " simulations (" +
                                       (from.function < SpatialFunction::kCrossK ? process : "shuffled marks") +
                                       "): the extremes at each distance and, global, the greatest deviation"
                                 : "";
            report.add(curve);
        }
        curve.remark.clear();
        curve.errors.clear();
        curve.band_low.clear();
        curve.band_high.clear();
        curve.label = from.function < SpatialFunction::kCrossK           ? "random points"
                      : from.function < SpatialFunction::kMarkConnection ? "independent categories"
                                                                         : "independent marks";
        curve.y = from.expected;
        curve.is_expectation = true;
        if (!bands.empty()) {
            const SpatialEnvelope& band = bands[c];
            curve.y = band.centre;
            if (band.is_of_mean) curve.label = "mean of simulations";
            for (const double centre : band.centre) {
                curve.band_low.push_back(centre - band.half_width);
                curve.band_high.push_back(centre + band.half_width);
            }
            add(curve.name + " p-value", band.p_value,
                "of the greatest deviation from the middle of the global envelope, among " +
                    std::to_string(how.simulations) + " simulations");
        }
        report.add(std::move(curve));
    }
    if (!waves.empty()) {
        Curve curve;
        curve.name = "structure factor", curve.y_name = "S(k)";
        curve.sentence = "S(k) = |Σ exp(-ik·r)|² / n, averaged over the directions of k and over frames.";
        curve.label = "mean of " + count_text(frames.size(), "frame", "frames");
        curve.x_name = "wave number k (radians per world unit)";
        for (const auto& [k, mean] : waves) {
            curve.x.push_back(k);
            curve.y.push_back(mean.mean());
            if (frames.size() > 1) curve.errors.push_back(mean.error());
        }
        report.add(std::move(curve));
    }
    if (most > 0) {
        Distribution rose{"directions of pairs",
                          "The directions of the lines of two points from " + format_short(least) + " to " +
                              format_short(most) + " apart, with translation weights; even for isotropic patterns.",
                          "°",
                          0,
                          180,
                          {},
                          roses[0]};
        rose.rose = true;
        rose.counted = "pairs";
        report.add(rose);
        rose.name = "directions of nearest neighbours";
        rose.sentence = "The directions from points to their nearest neighbours, without points nearer to the border.";
        rose.counted = "points";
        rose.now = roses[1];
        report.add(rose);
    }
    if (!(area.periodic_x || area.periodic_y)) {
        const QuadratTest test = combined(quadrats);
        add("quadrat χ²", test.statistic, count_text(test.freedom, "degree", "degrees") + " of freedom");
        add("quadrat p-value", test.p_value, "of random points; two-sided");
    }
    const ClarkEvans near = combined(nearest);
    add("Clark–Evans R", near.ratio, "below 1 for clusters, above for regular points");
    add("Clark–Evans R, Donnelly", near.donnelly, "corrected for the border");
    add("Clark–Evans R, cdf", near.cdf, "from the Kaplan–Meier estimate of G");
    // Without correction; the bias of the border adds up over frames.
    if (frames.size() == 1 || (area.periodic_x && area.periodic_y))
        add("Clark–Evans p-value", near.p_value, "of random points; two-sided, without correction");
    if (!moran.empty()) {
        const MoranTest test = combined(moran);
        add("Moran's I", test.i,
            "of " + request.mark + " on the Delaunay graph; expected: " + format_short(test.expected) + ", variance " +
                format_short(test.variance));
        add("Moran's z", test.z, "");
        add("Moran's p-value", test.p_value, "of shuffled numbers; two-sided");
    }
    add("intensity bandwidth", bandwidth.mean(), "by " + request.bandwidth, "world units");
    if (!std::isfinite(bandwidth.mean())) return {};
    IntensityMap map = intensity_map(area, all_points, bandwidth.mean());
    for (double& value : map.values) value /= double(frames.size());
    return map;
}

}  // namespace flipscope
