#include "app/headless.h"

#include <algorithm>
#include <cctype>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <iterator>

#include "app/endings.h"
#include "app/exports.h"
#include "app/failures.h"
#include "app/figure.h"
#include "app/highlights.h"
#include "app/inputs.h"
#include "app/interrupt.h"
#include "app/looks.h"
#include "app/overlay.h"
#include "app/picture.h"
#include "app/progress.h"
#include "app/report.h"
#include "app/runs.h"
#include "app/saved_run.h"
#include "compute/error.h"
#include "compute/printable.h"
#include "compute/work.h"
#include "io/output_file.h"
#include "labs/failure_marks.h"
#include "labs/parameters.h"
#include "labs/registry.h"
#include "labs/timeline.h"

namespace flipscope::app {

namespace {

using Extent = RunOptions::Extent;

void write_stdout(const std::string& text) {
    std::fwrite(text.data(), 1, text.size(), stdout);
    require_printed();
}

RunCurves curves_of(const std::string& run, const RunReport& report, const LabInfo& info) {
    RunCurves curves{run, report.statistics.all<Curve>(), {}};
    const auto add = [&](std::vector<Curve> more) {
        std::move(more.begin(), more.end(), std::back_inserter(curves.others));
    };
    for (const Distribution& one : report.statistics.all<Distribution>()) add(app::curves_of(one));
    add(report.all_passes ? app::curves_of(*report.all_passes, info) : app::curves_of(report.passes, info));
    return curves;
}

void write_plot(const std::string& file, const std::vector<Overlay>& plots) {
    std::string extension = std::filesystem::path(file).extension().string();
    for (char& c : extension) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    write_whole_file(file, extension == ".csv" ? overlay_csv(plots) : overlay_svg(plots));
}

class Run {
  public:
    Run(const RunOptions& options, Scenario scenario)
        : options_(options), scenario_(std::move(scenario)), progress_(options.quiet) {}

    /// As far as asked, with nothing written.
    void make() {
        prepare();
        compute();
        draw_up_report();
        progress_.wipe();
    }
    RunReport& report() { return report_; }
    const LabInfo& info() const { return timeline_->lab().info(); }

    int go() {
        make();
        write();
        progress_.wipe();
        const bool passed = !report_.check || report_.check->passed;
        if (!passed && (options_.quiet || options_.json == "-"))
            tell(report_.check->checked ? "the check" + (report_.checked.empty() ? "" : " of " + report_.checked) +
                                              " failed: " + report_.check->sentence
                                        : "nothing was checked: " + report_.check->sentence);
        for (const std::string* error : {&save_error_, &inspect_error_}) {
            if (error->empty()) continue;
            if (passed && (error == &inspect_error_ || inspect_error_.empty()))
                throw Error(*error);  // all else is written
            tell(*error);
        }
        return passed ? kSuccess : kCheckFailed;
    }

    void say_interrupted() {
        std::string where = "before it began";
        progress_.wipe();
        if (begun_) {
            char text[80];
            std::snprintf(text, sizeof text, "in round %u, after %.1f s", progress_.round(), progress_.elapsed_s());
            where = text;
        }
        tell("ended by Ctrl-C " + where + "; " + (written_.empty() ? "nothing was written" : "written: " + written_));
    }

  private:
    void prepare() {
        if (!options_.resume.empty()) read_saved();
        PreparedRun run = [&] {
            const WorkStage stage("reading the input");
            return prepare_run(scenario_, options_.device.block_size);
        }();
        progress_.wipe();
        scenario_ = std::move(run.scenario);
        input_ = std::move(run.input);
        if (saved_) require_same_input(*saved_, options_.resume, *input_.geometry, input_.text);
        std::unique_ptr<Lab> algorithm = std::move(run.lab);
        if (options_.check) require_check(*algorithm, "--check");
        for (const auto& file : options_.exports) {
            check_export(file, *algorithm);
            if (options_.inspect.empty() && means_inspected(file, *algorithm))
                throw Error("--export " + file + ": nothing is inspected; say what with --inspect, such as edge:12");
            if (std::string remark = export_remark(file, *algorithm); !remark.empty())
                input_.notes.push_back(std::move(remark));
        }
        for (const std::string& asked : options_.inspect) parse_element(asked);  // what is wrong is said at once
        throw_if_cancelled();
        const DeviceRequest device = device_for(algorithm->info(), options_.device.device);
        context_ = open_device(device, options_.device.threads, options_.device.block_size);
        context_->set_cancel_flag(Interrupt::flag());
        if (!options_.quiet) {
            for (const auto& note : input_.notes) tell(note);
            if (!context_->notice().empty()) tell(context_->notice());
        }
        if (!options_.picture.empty()) {
            demand([&] {
                offscreen_ = std::make_unique<Offscreen>();
                offscreen_->share_with(*context_, options_.device.shared_memory);
            });
        }
        // A saved run may be drawn later.
        algorithm->set_records_states(!options_.picture.empty() || !options_.inspect.empty() || !options_.save.empty());
        timeline_ = std::make_unique<Timeline>(std::move(algorithm));
        timeline_->set_keyframe_budget(0);  // this run never goes back
    }

    void read_saved() {
        const WorkStage stage("reading the saved run");
        saved_ = read_saved_run(options_.resume);
        scenario_ = scenario_of(*saved_, options_.resume, scenario_);
        const auto is_block_size = [](const Setting& setting) { return setting.name == "block_size"; };
        if (options_.device.block_size) std::erase_if(scenario_.parameters, is_block_size);  // the device's own
        report_.resumed = {options_.resume, saved_->rounds, saved_->passes, saved_->state_hash};
        rounds_ = saved_->rounds;
    }

    void compute() {
        progress_.begin_run(timeline_->lab().info(), input_.geometry->points.size());
        begun_ = true;
        context_->timings().clear();
        context_->reset_peak();
        const auto start = std::chrono::steady_clock::now();
        {
            const WorkStage stage("placing the input");
            timeline_->reset(*context_, input_.geometry);
        }
        if (saved_) {
            const WorkStage stage("restoring the saved state");
            resume(*saved_, options_.resume, timeline_->lab());
            saved_->state = {};
        }
        check_looks(options_.look, timeline_->lab().scene(),
                    [this](const std::string& name) { return scenario_.place("layer " + name); });
        if (options_.extent == Extent::kFinish)
            finish();
        else
            step();
        context_->synchronize();
        report_.elapsed_ms =
            std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
        progress_.wipe();
        throw_if_cancelled();
    }

    void finish() {
        if (timeline_->done()) return;
        History rounds;
        rounds.clear(timeline_->lab().info());
        timeline_->lab().finish([&](const StepResult& round) {
            hear(round, rounds.size());
            rounds.add(round);
            keep_place(round);
            progress_.tell(round);
        });
        take_passes(report_, rounds, std::move(said_), heard_);
    }

    void keep_place(const StepResult& last) {
        between_rounds_ = last.ended >= Level::kRound;
        rounds_ = std::max<uint64_t>(rounds_, last.round);
    }

    /// Messages of passes that a long run will not keep.
    void hear(const StepResult& pass, uint64_t index) {
        constexpr size_t kMostSaid = 1000;
        if (pass.message.empty()) return;
        ++heard_;
        if (said_.size() < kMostSaid) said_.emplace_back(index, pass.message);
    }

    void step() {
        uint64_t left = options_.extent == Extent::kStepped ? UINT64_MAX : options_.count;
        while (left > 0 && timeline_->step()) {
            const StepResult& last = timeline_->history().back();
            hear(last, timeline_->position() - 1);
            keep_place(last);
            progress_.tell(last);
            throw_if_cancelled();
            const bool whole_round =
                last.ended >= Level::kRound && last.round > 0;  // what comes before round 1 is free
            if (options_.extent != Extent::kRounds || whole_round) --left;
        }
        take_passes(report_, timeline_->history(), std::move(said_), heard_);
    }

    void draw_up_report() {
        Lab& algorithm = timeline_->lab();
        const WorkStage stage("results");
        context_->collect_timings();
        report_.kernels = context_->timings().rows();  // before hashes and checks add theirs
        report_.peak_bytes = context_->peak_bytes();
        report_.lab = algorithm.info().id;
        report_.title = algorithm.info().title;
        report_.input = input_.text;
        report_.notes = input_.notes;
        report_.parameters = list_parameters(algorithm);
        report_.device = context_->on_cuda() ? "cuda" : "cpu";
        report_.device_name = context_->device_name();
        report_.threads = context_->threads();
        report_.stepped = options_.extent != Extent::kFinish;
        report_.done = algorithm.done();
        report_.surface = input_.geometry->in_space();
        report_.has_triangles = !input_.geometry->triangles.empty();
        report_.result = algorithm.result();
        report_.state_hash = algorithm.state_hash();
        report_.statistics = statistics_of(algorithm);
        if (const auto* detector = find_facet<Detector>(algorithm)) report_.detections = detector->detections(0);
        report_.checked_unasked = !options_.check && !wants_failures() && end_needs_check(algorithm);
        if (options_.check || wants_failures() || report_.checked_unasked) {
            const WorkStage check("check");
            report_.check = check_of(algorithm);
        }
        if (report_.check && report_.has_triangles && algorithm.info().takes.has(InputKind::kMeshes))
            report_.checked = report_.passes.empty() ? "the mesh as it was given" : "the mesh as the lab left it";
        inspect();
        throw_if_cancelled();
    }

    /// What cannot be inspected spoils nothing else: the sentence stands where the answer would.
    void inspect() {
        const Lab& lab = timeline_->lab();
        const Scene scene = options_.inspect.empty() ? Scene{} : lab.scene();
        for (const std::string& asked : options_.inspect) {
            RunReport::Inspected one{asked, {}, {}};
            Properties refusal;
            try {
                one.element = find_element(parse_element(asked), scene);
                if (const auto* inspectable = find_facet<Inspectable>(lab))
                    one.report = inspectable->inspect(one.element);
                if (one.report.empty()) refusal.add("Nothing", "there is nothing to tell of it at this point");
            } catch (const Error& error) {
                refusal.add("Nothing", std::string(error.what()));
                if (inspect_error_.empty()) inspect_error_ = error.what();
            }
            one.report.add(std::move(refusal));
            report_.inspected.push_back(std::move(one));
        }
    }

    /// Where the state cannot be saved, all else is written.
    void save() {
        const WorkStage stage("saving the state");
        const Lab& lab = timeline_->lab();
        const LabInfo& info = lab.info();
        if (!between_rounds_ && !lab.done()) {
            const uint64_t fresh = rounds_ - (saved_ ? saved_->rounds : 0);
            const uint32_t next = lab.next_pass();
            save_error_ = "--save " + options_.save + ": nothing was saved: the " + info.title +
                          " can be saved between rounds, and this run ends within one" +
                          (next < info.passes.size() ? ", before the pass \"" + info.passes[next].name + "\"" : "") +
                          "; use --rounds " + std::to_string(std::max<uint64_t>(fresh, 1)) +
                          ", which ends between rounds, instead of --steps " + std::to_string(options_.count);
            return;
        }
        SavedRun run;
        run.lab = info.id;
        for (const ParameterDescription& parameter : report_.parameters)
            run.parameters.push_back({parameter.name, parameter.value});
        put_input(run, scenario_, options_.save);
        run.input_hash = contents_hash(*input_.geometry);
        run.rounds = rounds_;
        if (options_.extent != Extent::kFinish && (!saved_ || saved_->passes))
            run.passes = timeline_->position() + (saved_ ? *saved_->passes : 0);
        run.state_hash = report_.state_hash;
        run.state = lab.save();
        write_saved_run(options_.save, run);
        report_.saved_to = options_.save;
        wrote(options_.save);
    }

    void write() {
        if (!options_.save.empty()) save();
        for (const auto& file : options_.exports) {
            const std::string what = "writing " + printable(file);
            const WorkStage stage(what.c_str());
            if (means_failures(file, timeline_->lab()))
                write_whole_file(file, failures_csv(*report_.check));
            else if (means_inspected(file, timeline_->lab()))
                write_whole_file(file, inspected_csv(report_));
            else
                write_export(file, timeline_->lab());
            wrote(file);
        }
        if (!options_.picture.empty()) {
            const WorkStage stage("drawing the picture");
            draw_picture();
            wrote(options_.picture);
        }
        std::string json;
        if (!options_.json.empty()) {
            const WorkStage stage("writing the results as JSON");
            json = report_json(report_, timeline_->lab().info());
            if (options_.json != "-") {
                write_whole_file(options_.json, json);
                wrote(options_.json);
            }
        }
        progress_.wipe();
        if (!options_.plots.empty()) {
            std::vector<std::string> notes;
            const std::vector<Overlay> plots =
                lay_over({curves_of("", report_, timeline_->lab().info())}, options_.curves, &notes);
            if (!options_.quiet)
                for (const auto& note : notes) tell(note);
            for (const auto& file : options_.plots) {
                write_plot(file, plots);
                wrote(file);
            }
        }
        if (options_.json == "-") {
            write_stdout(json);
            if (!options_.quiet)
                for (const auto& remark : report_remarks(report_)) tell(remark);
        } else if (!options_.quiet) {
            write_stdout(report_table(report_, timeline_->lab().info()) +
                         (written_.empty() ? "" : "  written          " + printable(written_) + "\n"));
        }
    }

    void draw_picture() {
        const auto& [width, height] = options_.size;
        const double scale = scenario_.presenter_scale > 0 ? scenario_.presenter_scale : 1;
        const bool large = width >= kLeastWidthWithLegend && height >= kLeastHeightWithLegend;
        Scene scene = timeline_->lab().scene();
        if (report_.check) {
            mark_failures(*context_, scene, *report_.check);
            put_failures_into_legend(scene, *report_.check);
        }
        FigureLook how{options_.light, scale, options_.look, options_.view};
        for (const auto& [asked, element, found] : report_.inspected) {
            how.highlights.insert(how.highlights.end(), found.highlights.begin(), found.highlights.end());
            if (element.id != kNone)
                how.highlights.push_back(highlight_of(element, scene.view(element.part).corners_of(element), asked));
        }
        if (!options_.legend.value_or(large))
            return demand([&] { draw_without_legend(*offscreen_, scene, options_.picture, width, height, how); });
        const bool has_room =
            demand([&] { return draw_with_legend(*offscreen_, scene, options_.picture, width, height, how); });
        if (!has_room && !options_.quiet)
            tell("a picture of " + std::to_string(width) + " × " + std::to_string(height) +
                 " pixels has no room for its legend; a larger --size has");
    }

    /// The list of failures is asked for, and so is the check.
    bool wants_failures() const {
        return std::any_of(options_.exports.begin(), options_.exports.end(),
                           [&](const auto& file) { return means_failures(file, timeline_->lab()); });
    }

    void wrote(const std::string& file) {
        written_ += (written_.empty() ? "" : ", ") + file;
        throw_if_cancelled();
    }

    const RunOptions& options_;
    Scenario scenario_;
    Interrupt interrupt_;
    Progress progress_;
    WorkScope work_{progress_.meter()};
    bool begun_ = false;  // there is something to tell of
    Input input_;
    std::unique_ptr<Context> context_;      // outlives what lives on it
    std::unique_ptr<Offscreen> offscreen_;  // only for a picture
    std::unique_ptr<Timeline> timeline_;
    RunReport report_;
    std::vector<std::pair<uint64_t, StepMessage>> said_;
    uint64_t heard_ = 0;  // passes that had a message
    std::string written_;
    std::string inspect_error_;  // of the first that could not be inspected
    std::optional<SavedRun> saved_;
    bool between_rounds_ = true;
    uint64_t rounds_ = 0;     // that were made, those of the saved run included
    std::string save_error_;  // why the state was not saved
};

/// One run after the other, each with another value of one parameter; what they have to show is written at the end.
class SweepOfRuns {
  public:
    explicit SweepOfRuns(const RunOptions& options) : options_(options), sweep_(*options.sweep) {}

    int go() {
        if (!options_.scenario.lab.empty()) {
            take_present_names();
            for (size_t i = 0; i < sweep_.values.size(); ++i) make_scenario_lab(scenario(i));  // what is wrong is said
        }
        for (size_t i = 0; i < sweep_.values.size(); ++i)
            if (!make(i)) return kInterrupted;
        write();
        for (const std::string& sentence : failed_) tell(sentence);
        return failed_.empty() ? kSuccess : kCheckFailed;
    }

  private:
    /// Of the parameter that is swept and its values.
    void take_present_names() {
        const auto lab = make_lab(options_.scenario.lab);
        const std::vector<ParameterDescription> known = list_parameters(*lab);
        std::string parameter = sweep_.parameter, remark;
        for (std::string& value : sweep_.values) {
            Assignment present = present_names(known, sweep_.parameter, value);
            parameter = std::move(present.name);
            value = std::move(present.value);
            if (remark.empty()) remark = std::move(present.remark);
        }
        sweep_.parameter = std::move(parameter);
        for (const Setting& setting : options_.scenario.parameters)
            if (setting.place.empty() && present_names(known, setting.name, setting.value).name == sweep_.parameter)
                throw Error("--sweep " + sweep_.parameter + " and --set " + setting.name + "=" + setting.value +
                            " give the same parameter; leave one of them out");
        if (!remark.empty() && !options_.quiet) tell("--sweep: " + remark);
    }

    std::string name(size_t i) const { return sweep_.parameter + "=" + sweep_.values[i]; }
    Scenario scenario(size_t i) const {
        Scenario scenario = options_.scenario;
        scenario.parameters.emplace_back(sweep_.parameter, sweep_.values[i]);
        return scenario;
    }

    /// False: ended by Ctrl-C.
    bool make(size_t i) {
        Run run(options_, scenario(i));
        try {
            run.make();
        } catch (const Cancelled&) {
            run.say_interrupted();
            return false;
        } catch (const Error& error) {
            throw Error("--sweep, at " + name(i) + ": " + error.what());
        }
        info_ = run.info();
        if (!options_.plots.empty()) {
            curves_.push_back(curves_of(name(i), run.report(), info_));
            if (i == 0) {  // a wrong name is said now
                std::vector<std::string> notes;
                lay_over(curves_, options_.curves, &notes);
                if (!options_.quiet)
                    for (const auto& note : notes) tell(note);
            }
            keep_chosen(curves_.back(), options_.curves);
        }
        if (!options_.quiet && options_.json != "-") {
            write_stdout((i > 0 ? "\n" : "") + name(i) + "\n" + report_table(run.report(), info_));
        } else if (!options_.quiet) {
            for (const auto& remark : report_remarks(run.report())) tell(name(i) + ": " + remark);
        }
        // Of a run no more is kept than will be written: there may be many runs, each with long lists.
        if (!options_.json.empty()) runs_.push_back(run_json(run.report(), info_));
        if (const auto& check = run.report().check; check && !check->passed)
            failed_.push_back((check->checked ? "the check failed for " : "nothing was checked for ") + name(i) + ": " +
                              check->sentence);
        return true;
    }

    void write() {
        std::string written;
        const auto wrote = [&](const std::string& file) { written += (written.empty() ? "" : ", ") + file; };
        if (!options_.plots.empty()) {
            const std::vector<Overlay> plots = lay_over(curves_, options_.curves);
            for (const auto& file : options_.plots) {
                write_plot(file, plots);
                wrote(file);
            }
        }
        if (!options_.json.empty()) {
            const std::string json = sweep_json(sweep_.parameter, sweep_.values, runs_, info_);
            if (options_.json == "-") return write_stdout(json);
            write_whole_file(options_.json, json);
            wrote(options_.json);
        }
        if (!options_.quiet && !written.empty()) write_stdout("\n  written          " + written + "\n");
    }

    const RunOptions& options_;
    RunOptions::Sweep sweep_;
    LabInfo info_;
    std::vector<std::string> runs_;    // as JSON, where that is wanted
    std::vector<std::string> failed_;  // a sentence for each run whose check failed, or was not made
    std::vector<RunCurves> curves_;    // where there are plots
};

}  // namespace

int run_headless(const RunOptions& options) {
    if (options.sweep) return SweepOfRuns(options).go();
    Run run(options, options.scenario);
    try {
        return run.go();
    } catch (const Cancelled&) {
        run.say_interrupted();
        Interrupt::set_said();
        return kInterrupted;
    }
}

}  // namespace flipscope::app
