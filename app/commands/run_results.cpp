#include "app/commands/run_results.h"

#include <algorithm>
#include <utility>

#include "app/base/signals.h"
#include "app/commands/run_pictures.h"
#include "app/run/element_query.h"
#include "app/run/exports.h"
#include "app/run/run.h"
#include "app/view/display.h"
#include "compute/error.h"
#include "compute/work.h"
#include "instruments/element_history.h"
#include "lab/unit_names.h"

namespace flipscope::app {

namespace {

class RunResults {
  public:
    RunResults(const RunOptions& options, Run& run, Context& context, RunOutcome& outcome)
        : options_(options), run_(run), context_(context), outcome_(outcome) {}

    /// Returns the statistics of the scene, if requested.
    std::unique_ptr<SceneStatistics> gather() {
        Lab& algorithm = run_.lab();
        RunReport& report = outcome_.report;
        measure_scene();  // first, so that its kernels are included
        const WorkStage stage("results");
        context_.collect_timings();
        report.kernels = context_.timings().rows();  // before hashes and checks add theirs
        std::erase_if(report.kernels, [](const LabelTiming& one) { return one.calls == 0; });  // not timed
        report.peak_bytes = context_.peak_bytes();
        report.lab = algorithm.info().id;
        report.title = algorithm.info().title;
        report.input = run_.input().text;
        report.unit = length_unit(algorithm.scene(), &run_.geometry());
        report.device = context_.on_cuda() ? "cuda" : "cpu";
        report.device_name = context_.device_name();
        report.threads = context_.threads();
        report.done = algorithm.done();
        report.surface = run_.geometry().in_space();
        // For a recording these are the last step's triangles.
        const bool recorded = run_.geometry().recording && algorithm.info().inputs.has(InputKind::kRecordings);
        report.has_triangles = !run_.geometry().triangles.empty() && !recorded;
        report.result = algorithm.result();
        report.state_hash = algorithm.state_hash();
        report.statistics = statistics_of(algorithm, shown_.get());
        if (shown_ && !shown_->empty()) report.summaries = shown_->table();
        if (const auto* detector = find_facet<Detector>(algorithm)) report.detections = detector->detections(0);
        const bool requested = options_.check || exports([](const std::string& file, const Lab& lab) {
                                   return run_table_of_file(file, lab) == "failures";
                               });
        const bool automatic = !requested && end_needs_check(algorithm);
        report.checked_automatically = automatic && !is_exact(algorithm);
        if (requested || automatic || outcome_.found_failure()) {
            const WorkStage check("check");
            report.check = check_of(algorithm);
        }
        if (report.check && report.has_triangles && algorithm.info().inputs.has(InputKind::kMeshes))
            report.checked = report.passes.empty() ? "the mesh as it was given" : "the mesh as the lab left it";
        inspect();
        trace();
        name_units(report.result.numbers, report.unit);
        name_units(report.statistics, report.unit);
        for (RunReport::Inspected& one : report.inspected) name_units(one.report, report.unit);
        throw_if_cancelled();
        return std::move(shown_);
    }

  private:
    bool exports(bool (*meant)(const std::string& file, const Lab& lab)) const {
        return std::ranges::any_of(options_.exports, [&](const std::string& file) { return meant(file, run_.lab()); });
    }

    std::optional<StudyArea> run_area() const { return run_.area() ? std::optional(*run_.area()) : std::nullopt; }

    /// The statistics of another input's points.
    std::shared_ptr<const StatisticsSample> sample_of(const std::string& source) {
        Scenario other;
        other.start_on(source);
        const Input input = load_input(other);
        if (input.geometry->points.size() < 3 || input.geometry->in_space())
            throw Error("--against " + source + ": three points of the plane or more are needed to compare with");
        Buffer<Point> places("points to compare with");
        places.upload(context_, input.geometry->points.data(), input.geometry->points.size());
        Scene scene;
        scene.layers.push_back(
            {"points", "Points", "", true, PointsLayer{&places, nullptr, static_cast<uint32_t>(places.size())}});
        SceneStatistics statistics;
        statistics.measure(context_, scene, {run_area(), false, {}, nullptr});
        return std::make_shared<const StatisticsSample>(statistics.sample(source));
    }

    /// Colour and selection, for statistics.
    ExplorationChoice choice_of(const Scene& scene) const {
        ExplorationChoice choice;
        choice.style = options_.explored.style;
        if (const auto& colour = options_.explored.colour)
            choice.colour = explored_of(colour->id(), &run_.geometry(), "--colour-by " + colour->id());
        if (options_.select) apply_selection(*options_.select, scene, &run_.geometry(), kSelect, choice);
        return choice;
    }

    /// Statistics of the scene, if requested.
    void measure_scene() {
        const Lab& lab = run_.lab();
        if (!measures_scene(options_, run_)) return;
        const WorkStage stage("statistics");
        shown_ = std::make_unique<SceneStatistics>();
        SceneStatistics::Options how;
        how.window = run_area();
        how.of_points = options_.statistics || exports(means_curves);
        how.input = run_.input().geometry;
        how.structures = structures_of(options_.display);
        if (const auto& spatial = options_.scenario.spatial) how.spatial = std::make_shared<SpatialRequest>(*spatial);
        if (!options_.against.empty()) how.beside = sample_of(options_.against);
        how.logarithmic_bins = run_.scenario().data.log.x;
        Exploration explored;
        explored.set_input(run_.input().geometry);
        std::string note;
        try {
            if (const std::string& text = run_.scenario().data.scatter; !text.empty())
                how.scatter = scatter_named(text, &run_.geometry(), "--scatter ");
            explored.choose(choice_of(lab.scene()));
            explored.update(context_, lab.scene());
            how.selection = &explored;
            shown_->measure(context_, lab.scene(), how);
        } catch (const Error& error) {
            if (how.spatial) throw;
            shown_->clear();
            note = std::string("nothing is measured: ") + error.what();
        }
        if (note.empty() && shown_->empty() && options_.statistics)
            note = "there are no statistics: the " + lab.info().title + " shows no points in this state";
        if (run_.area() && !shown_->empty() && !shown_->has_window())
            note = std::string("--within has no effect: ") +
                   (shown_->window().is_periodic() ? "the box is periodic, and statistics are of all of it"
                                                   : "statistics of a surface in space have no window");
        if (!note.empty()) outcome_.note(note);
    }

    /// Traces the final elements. An element without a history does not abort the run.
    void trace() {
        if (options_.history.empty()) return;
        const WorkStage stage("going back for the history of elements");
        const Scene scene = run_.lab().scene();
        std::vector<Element> elements;
        for (const std::string& name : options_.history) {
            RunReport::Traced one{name, std::nullopt};
            try {
                const Element element =
                    find_element(parse_element(name, kHistory), run_.lab(), scene, &run_.geometry(), kHistory);
                if (!has_history(scene, element))
                    throw Error(kHistory + name + ": only edges, triangles and vertices of a mesh have a history");
                elements.push_back(element);
                one.history.emplace();
            } catch (const Error& error) {
                one.why = error.what();
                outcome_.add_error(one.why);
            }
            outcome_.report.histories.push_back(std::move(one));
        }
        std::vector<ElementHistory> found =
            trace_elements(run_.timeline(), elements, UINT64_MAX, Interrupt::keep_going);
        auto next = found.begin();
        for (RunReport::Traced& one : outcome_.report.histories)
            if (one.history) one.history = std::move(*next++);
    }

    /// A failed inspection does not abort the run: its message replaces the report.
    void inspect() {
        const Lab& lab = run_.lab();
        bool failed = false;  // report one failure only
        const Scene scene = options_.inspect.empty() ? Scene{} : lab.scene();
        for (const std::string& name : options_.inspect) {
            RunReport::Inspected one{name, {}, {}};
            Properties refusal;
            try {
                std::string merged;
                one.element = find_element(parse_element(name), lab, scene, &run_.geometry(), "--inspect ", &merged);
                if (const auto* inspectable = find_facet<Inspectable>(lab))
                    one.report = inspectable->inspect(one.element);
                if (!merged.empty()) {
                    Properties note;
                    note.add("Equal points", merged);
                    one.report.add(std::move(note));
                }
                if (one.report.empty()) refusal.add("Nothing", "it is not part of the picture at this point");
            } catch (const Error& error) {
                refusal.add("Nothing", std::string(error.what()));
                if (!std::exchange(failed, true)) outcome_.add_error(error.what());
            }
            one.report.add(std::move(refusal));
            outcome_.report.inspected.push_back(std::move(one));
        }
    }

    const RunOptions& options_;
    Run& run_;
    Context& context_;
    RunOutcome& outcome_;
    std::unique_ptr<SceneStatistics> shown_;
};

}  // namespace

bool measures_scene(const RunOptions& options, const Run& run) {
    const std::vector<std::string> columns = attribute_ids(&run.geometry());
    return options.statistics || !run.scenario().data.scatter.empty() ||
           std::ranges::any_of(options.exports,
                               [&](const std::string& file) { return means_statistics(file, run.lab(), columns); });
}

std::unique_ptr<SceneStatistics> gather_results(const RunOptions& options, Run& run, Context& context,
                                                RunOutcome& outcome) {
    return RunResults(options, run, context, outcome).gather();
}

}  // namespace flipscope::app
