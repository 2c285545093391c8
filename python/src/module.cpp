// The extension module flipscope._core: the library's functions for Python, with NumPy arrays for vectors. Only the
// package beside it calls this; the package checks arguments, uses SciPy's names and documents them.
#include <nanobind/stl/array.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include <string>

#include "arrays.h"
#include "device_arrays.h"
#include "flipscope/detect_events.h"
#include "flipscope/error.h"
#include "flipscope/judge.h"
#include "flipscope/make_delaunay.h"
#include "flipscope/structures.h"
#include "triangulated.h"

namespace flipscope::python {

// Of the sources of these names.
void bind_interpolation(nb::module_& module);
void bind_lab_run(nb::module_& module);
void bind_spatial(nb::module_& module);
void bind_torus(nb::module_& module);

namespace {

nb::tuple make_delaunay_of(const nb::ndarray<const double, nb::ndim<2>, nb::c_contig, nb::device::cpu>& points,
                           const TriangleRows& triangles, const std::string& device, int threads, double epsilon,
                           double dihedral) {
    MakeDelaunayOptions options;
    options.epsilon = epsilon;
    options.dihedral = dihedral;
    auto made = computed(device, threads, points.shape(0) < 4096, [&](Context& context) {
        return points.shape(1) == 3 ? make_delaunay(context, rows_in<Point3>(points), triangles_in(triangles), options)
                                    : make_delaunay(context, rows_in<Point>(points), triangles_in(triangles), options);
    });
    return nb::make_tuple(owned_rows(std::move(made.triangles)), owned_rows(std::move(made.neighbours)), made.flips,
                          made.iterations, made.creases, made.blocked, made.settled);
}

nb::tuple structures_of(const PointRows& points, double beta, const std::string& device, int threads) {
    auto found = computed(device, threads, points.shape(0) < 4096,
                          [&](Context& context) { return find_structures(context, points_in(points), beta); });
    return nb::make_tuple(owned_pairs(std::move(found.edges)), owned_indices(std::move(found.words)),
                          owned_values(std::move(found.alpha)), owned_values(std::move(found.beta)),
                          owned_rows(std::move(found.triangles)), owned_values(std::move(found.triangle_alpha)));
}

nb::dict judge_of(const PointRows& points, const TriangleRows& triangles, int threads) {
    const auto judgement = computed("cpu", threads, points.shape(0) < 4096, [&](Context& context) {
        return judge(context, points_in(points), triangles_in(triangles));
    });
    nb::list failures;
    for (const CheckFailure& failure : judgement.report.failures) {
        nb::list elements, vertices, places;
        for (const Element& element : failure.elements) {
            const char* const kind = element.kind == ElementKind::kVertex ? "point"
                                     : element.kind == ElementKind::kEdge ? "edge"
                                                                          : "triangle";
            elements.append(nb::make_tuple(kind, element.id));
        }
        for (const int64_t vertex : failure.vertices) vertices.append(vertex);
        for (const Point3& place : failure.places) places.append(nb::make_tuple(place.x, place.y));
        failures.append(nb::make_tuple(failure.code, failure.sentence, spoils(failure.code), elements, vertices, places,
                                       failure.value));
    }
    nb::dict made;
    made["failures"] = failures;
    made["failure_count"] = judgement.report.failure_count;
    made["sentence"] = judgement.report.sentence;
    made["passed"] = judgement.report.passed;
    made["triangulation"] = judgement.triangulation;
    made["complete"] = judgement.complete;
    made["delaunay"] = judgement.delaunay;
    made["missed"] = pairs_of(judgement.differences.missed);
    made["spurious"] = pairs_of(judgement.differences.spurious);
    made["ties"] = pairs_of(judgement.differences.ties);
    return made;
}

/// `frames`: (n, 2) points each; `ids`, `radii`: empty, or as many int64 and float64 arrays; `rules`: by_assignment,
/// memory, persistence, lost_beyond and created_within.
nb::dict detect_events_of(uint32_t width, uint32_t height, std::pair<bool, bool> periodic,
                          const std::vector<PointRows>& frames, const std::vector<Column<int64_t>>& ids,
                          const std::vector<Column<double>>& radii, const std::string& links, double cap,
                          const std::tuple<bool, int, int, double, double>& rules, const std::string& device,
                          int threads) {
    const Lattice lattice{.width = width, .height = height, .periodic = {periodic.first, periodic.second}};
    std::vector<EventFrame> given;
    for (size_t f = 0; f < frames.size(); ++f) {
        given.push_back({points_in(frames[f])});
        if (!ids.empty()) given.back().ids = values_in(ids[f]);
        if (!radii.empty()) given.back().radii = values_in(radii[f]);
    }
    DetectEventsOptions options;
    if (links != "lattice") options.links = links == "radical" ? EventLinks::kRadical : EventLinks::kDelaunay;
    options.cap = cap;
    std::tie(options.by_assignment, options.memory, options.persistence, options.lost_beyond, options.created_within) =
        rules;
    auto found = computed(device, threads, false,
                          [&](Context& context) { return detect_events(context, lattice, given, options); });
    nb::list events, comparisons, names;
    for (const PlasticEvent& event : found.events) {
        events.append(nb::make_tuple(event.frame, name_of(event.kind, event.verdict),
                                     nb::make_tuple(event.place.x, event.place.y), pairs_of(event.lost),
                                     pairs_of(event.created), event.sites));
    }
    for (const ComparisonCounts& counts : found.comparisons)
        comparisons.append(nb::make_tuple(counts.past, counts.now, counts.matched, counts.vanished, counts.appeared(),
                                          counts.active, counts.lost, counts.created));
    for (std::vector<int64_t>& of_frame : found.ids) names.append(owned_values(std::move(of_frame)));
    nb::dict made;
    made["events"] = events;
    made["comparisons"] = comparisons;
    made["ids"] = names;
    return made;
}

nb::tuple lloyd_of(const PointRows& points, const std::array<double, 4>& box, uint32_t iterations,
                   const std::string& device, int threads) {
    const auto given = points_in(points);
    std::vector<Point> moved(given.begin(), given.end());
    const StudyArea area = area_of_rectangle({box[0], box[1]}, {box[2], box[3]});
    const auto made =
        computed(device, threads, false, [&](Context& context) { return relax_in(context, moved, area, iterations); });
    std::vector<double> energies, moves;
    for (const LloydIteration& iteration : made) {
        energies.push_back(iteration.energy);
        moves.push_back(iteration.largest_move);
    }
    return nb::make_tuple(owned_points(std::move(moved)), owned_values(std::move(energies)),
                          owned_values(std::move(moves)));
}

nb::list devices() {
    nb::list made;
    for (const DeviceInfo& info : list_devices())
        made.append(
            nb::make_tuple(info.device == Device::kCuda ? "cuda" : "cpu", info.name, info.usable, info.explanation));
    return made;
}

/// A method that returns words of the object, (n) or (n, columns), as an array that keeps the object alive.
template <size_t columns = 1, class Words>
auto words(const Words& words_of) {
    return [words_of](const nb::object& self) {
        const std::span<const uint32_t> found = words_of(nb::cast<Triangulated&>(self));
        const Shape shape = columns == 1 ? Shape{found.size()} : Shape{found.size() / columns, columns};
        return read_only<int32_t>(shape, found.data(), self);
    };
}

/// The same for (t, 3) words where they were made: a DeviceArray on CUDA.
auto device_words(Buffer<uint32_t> DeviceTriangulation::*member) {
    return [member](const nb::object& self) {
        const auto& made = nb::cast<const Triangulated&>(self);
        const uint32_t* const data = (made.made().*member).view().data;
        const size_t rows = made.made().triangle_count;
        return made.context().on_cuda() ? nb::cast(DeviceArray{data, rows, self})
                                        : read_only<int32_t>({rows, 3}, data, self);
    };
}

}  // namespace

NB_MODULE(_core, module) {
    module.doc() = "The functions of Flipscope's library; called by the package flipscope alone.";
    module.attr("__version__") = FLIPSCOPE_VERSION;
    nb::set_leak_warnings(
        false);  // modules outlive the interpreter's last checks where a user keeps an array to the end
    nb::exception<Error>(module, "Error", PyExc_ValueError);
    bind_device_arrays(module);
    bind_spatial(module);
    bind_torus(module);
    bind_lab_run(module);

    nb::class_<Triangulated>(module, "Triangulated")
        .def_prop_ro("device", [](const Triangulated& self) { return self.context().device_name(); })
        .def_prop_ro("hash", &Triangulated::hash)
        .def("have_points_changed", &Triangulated::have_points_changed)
        .def("triangles", words<3>([](Triangulated& self) { return self.host().triangles; }))
        .def("neighbours", words<3>([](Triangulated& self) { return self.host().neighbours; }))
        .def("hull", words([](Triangulated& self) { return std::span(self.made().hull); }))
        .def("path", words([](Triangulated& self) { return std::span(self.made().path); }))
        .def("duplicate_of", words([](Triangulated& self) { return self.host().duplicate_of; }))
        .def("device_triangles", device_words(&DeviceTriangulation::triangles))
        .def("device_neighbours", device_words(&DeviceTriangulation::neighbours))
        .def("triangle_of", words([](Triangulated& self) { return std::span(self.rows().triangle_of); }))
        .def("row_starts", words([](Triangulated& self) { return std::span(self.rows().starts); }))
        .def("row_neighbours", words([](Triangulated& self) { return std::span(self.rows().neighbours); }))
        .def("locate", &Triangulated::locate, nb::arg("queries"))
        .def("voronoi", &Triangulated::voronoi)
        .def("cells", &Triangulated::cells);
    bind_interpolation(module);
    module.def("triangulate", &Triangulated::of_array, nb::arg("points").noconvert(), nb::arg("device"),
               nb::arg("threads"), nb::keep_alive<0, 1>());
    module.def("triangulate_cuda", &Triangulated::of_cuda);
    module.def("make_delaunay", &make_delaunay_of);
    module.def("structures", &structures_of);
    module.def("judge", &judge_of);
    module.def("detect_events", &detect_events_of);
    module.def("lloyd", &lloyd_of);
    module.def("devices", &devices);
}

}  // namespace flipscope::python
