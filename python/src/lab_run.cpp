// Runs of labs for Python: step by step or to the end; reports and tables as dictionaries of arrays.
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <memory>
#include <optional>
#include <ranges>
#include <string>

#include "arrays.h"
#include "flipscope/error.h"
#include "geometry/frames.h"
#include "geometry/generators.h"
#include "instruments/element_tables.h"
#include "instruments/scene_statistics.h"
#include "io/points.h"
#include "lab/parameters.h"
#include "lab/registry.h"
#include "triangulated.h"

namespace flipscope::python {

namespace {

template <class Content>
nb::object object_of_content(const Content& content) {
    return nb::cast(content);
}
nb::object object_of_content(Value::Nothing) { return nb::none(); }
nb::object object_of_content(const Point& place) { return nb::make_tuple(place.x, place.y); }
nb::object object_of_content(const Point3& place) { return nb::make_tuple(place.x, place.y, place.z); }
nb::object object_of_content(const std::vector<Value::Pair>& pairs) { return pairs_of(pairs); }

nb::object object_of(const Value& value) {
    return std::visit([](const auto& content) { return object_of_content(content); }, value.content);
}

nb::dict dict_of(const Properties& properties) {
    nb::dict made;
    for (const Property& one : properties) made[one.name.c_str()] = object_of(one.value);
    return made;
}

/// An array if all values are numbers (int64, or float64 with NaN for missing ones) or places (n, 2); else a list.
nb::object column_of(const std::vector<Value>& values) {
    constexpr size_t kEmpty = 0, kBool = 1, kWhole = 2, kReal = 3, kPoint = 4;
    const auto all = [&](auto... indices) {
        return std::ranges::all_of(values,
                                   [&](const Value& value) { return ((value.content.index() == indices) || ...); });
    };
    const auto each = [&](const auto& of) {
        const auto made = values | std::views::transform(of);
        return std::vector(made.begin(), made.end());
    };
    if (all(kWhole)) return owned_values(each([](const Value& value) { return std::get<int64_t>(value.content); }));
    if (all(kEmpty, kBool, kWhole, kReal)) return owned_values(each(&Value::number));
    if (all(kEmpty, kPoint))
        return owned_points(each([](const Value& value) {
            const auto* const place = std::get_if<Point>(&value.content);
            return place ? *place : Point{NAN, NAN};
        }));
    nb::list made;
    for (const Value& value : values) made.append(object_of(value));
    return made;
}

nb::dict dict_of(const Table& table) {
    std::vector<std::vector<Value>> columns(table.columns.size());
    for (size_t i = 0; i < table.row_count; ++i) {
        Table::Row row = table.row(i);
        row.cells.resize(columns.size());
        for (size_t k = 0; k < columns.size(); ++k) columns[k].push_back(std::move(row.cells[k]));
    }
    nb::dict made;
    for (size_t k = 0; k < columns.size(); ++k) made[table.columns[k].name.c_str()] = column_of(columns[k]);
    return made;
}

nb::dict dict_of(const Distribution& one) {
    nb::dict made;
    made["unit"] = one.unit;
    made["low"] = one.low;
    made["high"] = one.high;
    made["before"] = owned_values(std::vector(one.before));
    made["now"] = owned_values(std::vector(one.now));
    return made;
}

nb::dict dict_of(const Curve& one) {
    nb::dict made;
    made["x name"] = one.x_name;
    made["y name"] = one.y_name;
    made["x"] = owned_values(std::vector(one.x));
    made["y"] = owned_values(std::vector(one.y));
    made["errors"] = owned_values(std::vector(one.errors));
    return made;
}

nb::dict dict_of(const Diagram& one) {  // a drawing of what the numbers say
    nb::dict made;
    made["title"] = one.title;
    return made;
}

/// Sections by their titles.
nb::dict dict_of(const Report& report) {
    nb::dict made;
    for (const Section& section : report.sections)
        made[section.title.c_str()] = std::visit([](const auto& content) { return dict_of(content); }, section.content);
    return made;
}

nb::dict dict_of(const StepResult& step, const LabInfo& info) {
    nb::dict counters, made;
    for (size_t k = 0; k < step.counters.size(); ++k)
        if (step.counters[k] != kNotCounted) counters[info.counters[k].name.c_str()] = step.counters[k];
    for (size_t k = 0; k < step.measures.size(); ++k)
        if (!std::isnan(step.measures[k])) counters[info.measures[k].name.c_str()] = step.measures[k];
    made["pass"] = info.passes[step.pass].name;
    made["round"] = step.round;
    made["iteration"] = step.iteration;
    made["counters"] = counters;
    made["message"] = step.message.text();
    return made;
}

/// `make(T())`, with the type of NumPy's elements.
template <class Make>
nb::object of_type(Array::Type type, const Make& make) {
    switch (type) {
        case Array::Type::kUint32:
            return make(int32_t());
        case Array::Type::kInt64:
            return make(int64_t());
        case Array::Type::kFloat32:
            return make(float());
        case Array::Type::kFloat64:
            break;
    }
    return make(double());
}

using AnyPoints = nb::ndarray<const double, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using Parameters = std::vector<std::pair<std::string, std::string>>;

/// `generator`: "uniform:1000", instead of points; `triangles`, `frames` and `ids`, which ascend: or empty.
Geometry geometry_of(const std::string& generator, const AnyPoints& points, const TriangleRows& triangles,
                     const std::vector<PointRows>& frames, const std::vector<Column<int64_t>>& ids) {
    Geometry geometry;
    if (!generator.empty()) geometry = generate(parse_generator(generator));
    if (points.shape(0) > 0) geometry.name = "points";
    for (size_t i = 0; i < points.shape(0); ++i) {
        const double* const row = points.data() + i * points.shape(1);
        geometry.points.push_back({row[0], row[1]});
        if (points.shape(1) == 3) geometry.heights.push_back(row[2]);
    }
    geometry.triangles.assign(triangles_in(triangles).begin(), triangles_in(triangles).end());
    if (!frames.empty()) {
        auto tracks = std::make_shared<Tracks>();
        tracks->name = geometry.name = "frames";
        tracks->starts.push_back(0);
        for (size_t f = 0; f < frames.size(); ++f) {
            std::ranges::copy(points_in(frames[f]), std::back_inserter(tracks->places));
            std::ranges::copy(values_in(ids[f]), std::back_inserter(tracks->ids));
            tracks->times.push_back(static_cast<double>(f));
            tracks->starts.push_back(tracks->places.size());
        }
        geometry.tracks = std::move(tracks);
    }
    return geometry;
}

class LabRun {
  public:
    /// The input as of geometry_of().
    LabRun(const std::string& lab, const std::string& generator, const AnyPoints& points, const TriangleRows& triangles,
           const std::vector<PointRows>& frames, const std::vector<Column<int64_t>>& ids, const Parameters& parameters,
           const std::string& device, int threads)
        : lab_(make_lab(lab)) {
        Geometry geometry = geometry_of(generator, points, triangles, frames, ids);
        const LabInfo& info = this->info();
        for (const auto& [name, value] : parameters) set_parameter(*lab_, name, value);
        if (geometry.has_nothing() && !info.inputs.has(InputKind::kNothing))
            geometry = generate(parse_generator(info.example));
        if (geometry.points.empty() && geometry.tracks && !info.inputs.has(InputKind::kTracks))
            throw Error("the " + info.title + " takes no points over time");
        if (geometry.in_space() && !info.inputs.has(InputKind::kSurfaces))
            throw Error("the " + info.title + " takes no surfaces");
        if (!geometry.points.empty()) geometry = check_points(std::move(geometry));
        context_ = make_context(info.on_cpu_only && device == "auto" ? "cpu" : device, threads);
        alone([&] { lab_->reset(*context_, std::make_shared<const Geometry>(std::move(geometry))); });
    }

    const LabInfo& info() const { return lab_->info(); }
    std::string device() const { return context_->device_name(); }
    bool done() const { return lab_->done(); }

    nb::object step(int64_t count) {
        require_no_view();
        std::optional<StepResult> last;
        alone([&] {
            for (int64_t k = 0; k < count && !lab_->done(); ++k) last = lab_->step();
        });
        return last ? nb::object(dict_of(*last, info())) : nb::object(nb::none());
    }
    nb::list finish() {
        if (const std::string endless = lab_->endless(); !endless.empty())
            throw Error(endless + "; call step() instead");
        require_no_view();
        std::vector<StepResult> rounds;
        alone([&] { lab_->finish([&](const StepResult& round) { rounds.push_back(round); }); });
        nb::list made;
        for (const StepResult& round : rounds) made.append(dict_of(round, info()));
        return made;
    }
    uint64_t hash() {
        uint64_t found = 0;
        alone([&] { found = lab_->state_hash(); });
        return found;
    }
    nb::dict result() {
        Result found;
        alone([&] { found = lab_->result(); });
        nb::dict made = dict_of(found.numbers);
        made["points"] = found.points;
        made["duplicates"] = found.duplicates;
        if (info().makes_triangles) {
            made["triangles"] = found.triangles;
            made["edges"] = found.edges;
            made["hull edges"] = found.hull_edges;
            made["triangulation hash"] = found.triangulation_hash;
        }
        if (!found.headline.empty()) made["headline"] = found.headline;
        if (!found.trouble.empty()) made["trouble"] = found.trouble;
        return made;
    }
    nb::object triangles() {
        TriangleSoup soup;
        alone([&] { soup = lab_->soup(); });
        return owned_rows(std::move(soup.triangles));
    }
    nb::object check() {
        const auto* checkable = find_facet<Checkable>(*lab_);
        if (!checkable) return nb::none();
        CheckReport report;
        alone([&] { report = checkable->check(); });
        return nb::make_tuple(report.passed, report.sentence);
    }
    /// Of the lab, and of the points, edges and triangles of its picture.
    nb::dict report(bool curves) {
        Report report;
        SceneStatistics shown;
        alone([&] {
            if (const auto* measurable = find_facet<Measurable>(*lab_)) report = measurable->statistics();
            shown.measure(*context_, lab_->scene(), {{}, curves, {}, nullptr});
        });
        nb::dict made = dict_of(report);
        for (const auto& [name, content] : dict_of(shown.report()))
            if (!made.contains(name)) made[name] = content;
        return made;
    }

    std::vector<std::string> arrays() const { return names_of(arrays_of(*lab_)); }
    /// `self`: this run, which a view keeps alive.
    nb::object array(const nb::object& self, const std::string& name, bool copy) {
        require(arrays(), name, "array");
        Array made;
        std::optional<ArrayView> view;
        alone([&] {
            if (!copy) view = facet<Exporter>(*lab_).array_in_place(name);
            if (!view) made = facet<Exporter>(*lab_).array(name);
        });
        if (!view)
            return of_type(made.type, [&](auto of) { return owned<decltype(of)>(made.shape, std::move(made.values)); });
        const nb::capsule owner(new Lent{views_, self}, [](void* lent) noexcept { delete static_cast<Lent*>(lent); });
        return of_type(view->type, [&](auto of) { return read_only<decltype(of)>(view->shape, view->data, owner); });
    }
    std::vector<std::string> own_tables() const {
        const auto* const exporter = find_facet<TableExporter>(*lab_);
        return exporter ? names_of(exporter->tables()) : std::vector<std::string>();
    }
    std::vector<std::string> tables() const {
        std::vector<std::string> names = own_tables();
        for (const char* const name : kElementTableNames)
            if (std::ranges::find(names, name) == names.end()) names.emplace_back(name);
        return names;
    }
    /// `area`: of the measures; nullptr: the bounding box of the points.
    nb::dict table(const std::string& name, const StudyArea* area) {
        require(tables(), name, "table");
        const auto own = own_tables();
        const bool is_own = std::ranges::find(own, name) != own.end();
        Table found;
        SceneStatistics statistics;
        Scene scene;
        alone([&] {
            if (is_own) {
                found = facet<TableExporter>(*lab_).table(name);
                return;
            }
            scene = lab_->scene();
            SceneStatistics::Options options;
            options.of_points = false;
            if (area) options.window = *area;
            statistics.measure(*context_, scene, options);
            if (statistics.empty()) throw Error("the state of the " + info().title + " has nothing to measure");
            const auto which = std::ranges::find(kElementTableNames, name) - std::begin(kElementTableNames);
            found = ElementTables(statistics, scene).table(ElementTable(which));
        });
        return dict_of(found);
    }
    /// Of each event the time, round, place, kind, lost and created contacts, and sites.
    nb::list events(size_t first) {
        std::vector<Detection> found;
        if (const auto* detector = find_facet<Detector>(*lab_)) alone([&] { found = detector->detections(first); });
        nb::list made;
        for (const Detection& one : found)
            made.append(nb::make_tuple(one.time, one.round, object_of(one.given.value_or(one.place)), one.kind,
                                       pairs_of(one.lost_contacts), pairs_of(one.created_contacts), one.vertices));
        return made;
    }
    nb::dict parameters() {
        nb::dict made;
        for (const ParameterDescription& one : list_parameters(*lab_)) made[one.name.c_str()] = one.value;
        return made;
    }

  private:
    static std::vector<std::string> names_of(const std::vector<ArrayInfo>& infos) {
        const auto names = infos | std::views::transform(&ArrayInfo::name);
        return {names.begin(), names.end()};
    }
    /// Afterwards the state is unknown if `work` was interrupted.
    template <class Work>
    void alone(const Work& work) {
        if (interrupted_) throw Error("this run was interrupted, or runs in another thread; make a new one");
        interrupted_ = true;
        try {
            run(*context_, false, work);
        } catch (const Error&) {
            interrupted_ = false;
            throw;
        }
        interrupted_ = false;
    }
    void require(const std::vector<std::string>& known, const std::string& name, const std::string& what) const {
        if (std::ranges::find(known, name) != known.end()) return;
        throw Error("the " + info().title + " has no " + what + " \"" + name + "\"; " +
                    (known.empty() ? "it has none" : "there are " + join_words(known, " and ")));
    }

    void require_no_view() const {
        if (views_.use_count() > 1)
            throw Error("an array of this run, taken with copy=False, is in use; delete it before the next step");
    }

    /// What an array without a copy holds.
    struct Lent {
        std::shared_ptr<void> views;
        nb::object run;
    };

    std::unique_ptr<Context> context_;  // outlives the lab
    std::unique_ptr<Lab> lab_;
    std::shared_ptr<void> views_ = std::make_shared<int>();  // shared by all arrays without a copy
    bool interrupted_ = false;
};

}  // namespace

void bind_lab_run(nb::module_& module) {
    nb::class_<LabRun>(module, "LabRun")
        .def(nb::init<const std::string&, const std::string&, const AnyPoints&, const TriangleRows&,
                      const std::vector<PointRows>&, const std::vector<Column<int64_t>>&, const Parameters&,
                      const std::string&, int>())
        .def_prop_ro("_title", [](const LabRun& self) { return self.info().title; })
        .def_prop_ro("device", &LabRun::device)
        .def_prop_ro("done", &LabRun::done)
        .def_prop_ro("hash", &LabRun::hash,
                     "64 bits of the state: equal for equal runs on every device and for any number of threads.")
        .def("step", &LabRun::step, nb::arg("count") = 1,
             "Makes ``count`` passes, or fewer up to the end. Returns the last one: ``pass``, its name; ``round`` and "
             "``iteration``; ``counters``, with measures; ``message``. None at the end.")
        .def("finish", &LabRun::finish,
             "Runs to the end with as few launches as possible, to the same state as step by step. Returns a list of "
             "dictionaries as of :meth:`step`, one for each round with the sums of its passes. Raises Error if the "
             "parameters set no end.")
        .def("result", &LabRun::result, "Counts and numbers of the present state.")
        .def_prop_ro("triangles", &LabRun::triangles,
                     "(t, 3) int32: indices of the input's points, counter-clockwise; empty for labs that make none.")
        .def("check", &LabRun::check,
             "Whether the state passes the lab's check, and the verdict in a sentence; None: the lab has no check.")
        .def("report", &LabRun::report, nb::arg("curves") = false,
             "Statistics of the state by title: properties by name; of a distribution ``low``, ``high``, ``unit`` and "
             "the counts ``now`` and ``before``; of a curve ``x``, ``y`` and ``errors``. ``curves``: also slow ones, "
             "such as g(r).")
        .def_prop_ro("array_names", &LabRun::arrays, "The arrays that the lab has: see :meth:`array`.")
        .def(
            "array",
            [](const nb::object& self, const std::string& name, bool copy) {
                return nb::cast<LabRun&>(self).array(self, name, copy);
            },
            nb::arg("name"), nb::arg("copy") = true,
            "An array of the lab (``flipscope list arrays``), such as the positions of particles. It is the caller's, "
            "and later steps do not change it. With ``copy=False`` it is a read-only view of the state if that has the "
            "array in host memory, as for most arrays of particles. A view keeps the run alive, and until it is "
            "deleted :meth:`step` and :meth:`finish` raise Error.")
        .def_prop_ro("table_names", &LabRun::tables,
                     "The lab's own tables, and those of points, edges, triangles, cells and structures.")
        .def("table", &LabRun::table, nb::arg("name"), nb::arg("area").none())
        .def("_events", &LabRun::events)
        .def_prop_ro("parameters", &LabRun::parameters, "All parameters of the lab, with their values as text.");
    module.def("labs", [] {
        nb::dict made;
        for (const RegistryEntry& entry : registry()) made[entry.id.c_str()] = entry.info().sentence;
        return made;
    });
}

}  // namespace flipscope::python
