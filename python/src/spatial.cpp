// Spatial statistics for Python: study areas, curves with their envelopes, tests and intensities.
#include "flipscope/spatial.h"

#include <nanobind/stl/array.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>

#include "arrays.h"
#include "flipscope/error.h"
#include "flipscope/structure_factor.h"
#include "triangulated.h"

namespace flipscope::python {

namespace {

/// The polygons of the rings, or if there are none the box.
StudyArea area_of(const std::array<double, 4>& box, const std::vector<PointRows>& rings, bool periodic) {
    if (!rings.empty()) {
        std::vector<std::vector<Point>> copied;
        for (const PointRows& ring : rings) copied.emplace_back(points_in(ring).begin(), points_in(ring).end());
        return area_of_rings(std::move(copied));
    }
    StudyArea area = area_of_rectangle({box[0], box[1]}, {box[2], box[3]});
    area.periodic_x = area.periodic_y = periodic;
    return area;
}

EdgeCorrection correction_of(SpatialFunction function, const StudyArea& area, const std::string& name) {
    const std::vector<EdgeCorrection> known = corrections_of(function, area);
    if (name.empty()) return known.back();
    std::string names;
    for (const EdgeCorrection one : known) {
        if (name == name_of(one)) return one;
        names += (names.empty() ? "" : ", ") + std::string(name_of(one));
    }
    throw Error(std::string(name_of(function)) + " in this area has no correction \"" + name + "\"; there are " +
                names);
}

/// `kernel`: the bandwidth, whether g divides by the distance of pairs, and whether it has bins. `random`: simulations,
/// process and seed. `marks`, `ids`: of each frame, or none. The curve of one correction ("": the best), the mean of
/// all frames, and its envelope.
nb::dict curve_of(const StudyArea& area, const std::vector<PointRows>& points, const std::string& name,
                  const Column<double>& radii, const std::string& correction,
                  const std::tuple<double, bool, bool>& kernel, const std::vector<Column<double>>& marks,
                  const std::vector<Column<int64_t>>& ids, const std::array<double, 2>& pair,
                  const std::tuple<uint32_t, std::string, uint64_t>& random, const std::string& device, int threads) {
    const SpatialFunction function = spatial_function_of(name);
    const EdgeCorrection chosen = correction_of(function, area, correction);
    SpatialOptions options{.radii = {values_in(radii).begin(), values_in(radii).end()},
                           .corrections = {chosen},
                           .from = pair[0],
                           .to = pair[1]};
    std::vector<PointPattern> frames;
    for (size_t t = 0; t < points.size(); ++t) {
        frames.push_back({.points = points_in(points[t])});
        if (!marks.empty()) frames.back().marks = values_in(marks[t]);
        if (!ids.empty()) frames.back().ids = values_in(ids[t]);
    }
    std::tie(options.bandwidth, options.divide_by_distance, options.bins) = kernel;
    EnvelopeOptions simulated{.simulations = std::get<0>(random), .seed = std::get<2>(random)};
    const PointProcess process = point_process_of(std::get<1>(random));
    std::vector<SpatialCurve> curves;
    const std::vector<SpatialEnvelope> found = computed(device, threads, false, [&](Context& context) {
        SpatialStatistics statistics(context, area);
        const std::vector<SpatialMeasure> measures{{function, options}};
        curves = statistics.measure_mean(frames, measures);
        if (simulated.simulations == 0) return std::vector<SpatialEnvelope>();
        simulated.process = fit_process(statistics, frames, process);
        return envelopes(statistics, frames, measures, curves, simulated);
    });
    SpatialCurve& curve = curves.front();
    nb::dict made;
    const auto keep = [&](const char* key, std::vector<double> from) { made[key] = owned_values(std::move(from)); };
    made["function"] = name;
    made["correction"] = name_of(chosen);
    made["count"] = curve.count;
    made["bandwidth"] = curve.bandwidth;
    keep("radii", curve.radii);
    keep("values", curve.estimates.front().values);
    keep("expected", found.empty() ? curve.expected : found.front().centre);
    if (frames.size() > 1) keep("errors", curve.estimates.front().errors);
    if (found.empty()) return made;
    keep("low", found.front().low);
    keep("high", found.front().high);
    made["half_width"] = found.front().half_width;
    made["p_value"] = found.front().p_value;
    made["fitted"] = nb::make_tuple(simulated.process.parents, simulated.process.scale, simulated.process.per_parent);
    return made;
}

nb::tuple directions_of(const StudyArea& area, const PointRows& points, double least, double most, uint32_t bins,
                        const std::string& device, int threads) {
    std::array<std::vector<double>, 2> roses = computed(device, threads, false, [&](Context& context) {
        SpatialStatistics statistics(context, area);
        statistics.set_points(points_in(points));
        return std::array{statistics.directions(least, most, bins), statistics.nearest_directions(bins)};
    });
    return nb::make_tuple(owned_values(std::move(roses[0])), owned_values(std::move(roses[1])));
}

nb::tuple quadrats_of(const StudyArea& area, const PointRows& points, uint32_t columns, uint32_t rows) {
    const QuadratTest test = quadrat_test(area, points_in(points), columns, rows);
    return nb::make_tuple(test.statistic, test.p_value, test.freedom);
}

nb::tuple clark_evans_of(const StudyArea& area, const PointRows& points, const std::string& device, int threads) {
    const ClarkEvans test = computed(device, threads, false, [&](Context& context) {
        SpatialStatistics statistics(context, area);
        statistics.set_points(points_in(points));
        return clark_evans(statistics);
    });
    return nb::make_tuple(test.ratio, test.donnelly, test.cdf, test.z, test.p_value);
}

nb::tuple morans_i_of(const PointRows& points, const Column<double>& values, const std::string& device, int threads) {
    const MoranTest test = computed(device, threads, false, [&](Context& context) {
        return moran_test(context, points_in(points), values_in(values));
    });
    return nb::make_tuple(test.i, test.expected, test.variance, test.z, test.p_value, test.edges);
}

/// `rule`: that finds the bandwidth if it is 0.
nb::tuple intensity_of(const StudyArea& area, const PointRows& points, double bandwidth, int rule, bool diggle,
                       uint32_t side, const std::string& device, int threads) {
    IntensityMap map = computed(device, threads, false, [&](Context& context) {
        SpatialStatistics statistics(context, area);
        statistics.set_points(points_in(points));
        if (bandwidth == 0) bandwidth = bandwidth_of(statistics, points_in(points), BandwidthRule(rule));
        return intensity_map(area, points_in(points), bandwidth, diggle, side);
    });
    return nb::make_tuple(owned<double>({map.rows, map.columns}, std::move(map.values)), map.bandwidth);
}

nb::tuple structure_factor_of(const StudyArea& area, const PointRows& points, const std::string& device, int threads) {
    StructureFactor found = computed(
        device, threads, false, [&](Context& context) { return structure_factor(context, points_in(points), area); });
    const size_t side = found.picture.empty() ? 0 : StructureFactor::kSide;
    return nb::make_tuple(owned_values(std::move(found.k)), owned_values(std::move(found.values)),
                          owned<double>({side, side}, std::move(found.picture)),
                          nb::make_tuple(found.step_x, found.step_y));
}

}  // namespace

void bind_spatial(nb::module_& module) {
    nb::class_<StudyArea>(module, "StudyArea", "A rectangle, a periodic box, or polygons with holes, checked.")
        .def(nb::new_(&area_of))
        .def_prop_ro("area", &StudyArea::area)
        .def_ro("is_periodic", &StudyArea::periodic_x)
        .def_prop_ro("bounds", [](const StudyArea& self) {
            return nb::make_tuple(self.low.x, self.low.y, self.high.x, self.high.y);
        });
    module.def("spatial_curve", &curve_of);
    module.def("directions", &directions_of);
    module.def("quadrat_test", &quadrats_of);
    module.def("clark_evans", &clark_evans_of);
    module.def("morans_i", &morans_i_of);
    module.def("intensity", &intensity_of);
    module.def("structure_factor", &structure_factor_of);
}

}  // namespace flipscope::python
