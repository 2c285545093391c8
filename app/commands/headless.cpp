#include "app/commands/headless.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <deque>
#include <iterator>

#include "app/base/endings.h"
#include "app/base/signals.h"
#include "app/commands/run_outcome.h"
#include "app/commands/run_pictures.h"
#include "app/commands/run_results.h"
#include "app/run/element_query.h"
#include "app/run/exports.h"
#include "app/run/failures.h"
#include "app/run/progress.h"
#include "app/run/python_script.h"
#include "app/run/saved_run.h"
#include "app/run/stage.h"
#include "app/run/swept_flow.h"
#include "app/view/display.h"
#include "compute/error.h"
#include "compute/printable.h"
#include "compute/text.h"
#include "compute/work.h"
#include "instruments/breakpoint.h"
#include "instruments/selected_input.h"
#include "io/files.h"
#include "io/output_file.h"
#include "lab/manual_edits.h"

namespace flipscope::app {

namespace {

using Extent = RunOptions::Extent;

/// In the form of the command line.
std::string typed(const Adjustment& adjustment) {
    std::string text = "--adjust " + std::to_string(adjustment.round);
    for (size_t i = 0; i < adjustment.values.size(); ++i)
        text += (i == 0 ? ":" : ",") + adjustment.values[i].name + "=" + adjustment.values[i].value;
    return text;
}

RunCurves curves_of(const std::string& run, const RunReport& report, const LabInfo& info) {
    RunCurves curves{run, {}, {}};
    for (const Curve& own : report.statistics.all<Curve>()) curves.own.push_back({own});
    const auto add = [&](std::vector<PlottedCurve> more) {
        std::move(more.begin(), more.end(), std::back_inserter(curves.others));
    };
    for (const Distribution& one : report.statistics.all<Distribution>()) add(app::curves_of(one));
    add(report.all_passes ? app::curves_of(*report.all_passes, info) : app::curves_of(report.passes, info));
    return curves;
}

class HeadlessRun {
  public:
    HeadlessRun(const RunOptions& options, Scenario scenario)
        : options_(options), scenario_(std::move(scenario)), progress_(options.quiet) {
        outcome_.quiet = options.quiet;
    }

    /// Runs as far as requested, without writing.
    void make() {
        prepare();
        compute();
        measured_ = gather_results(options_, *run_, *context_, outcome_);
        progress_.wipe();
    }
    const RunReport& report() const { return outcome_.report; }
    const LabInfo& info() const { return run_->lab().info(); }

    int go() {
        make();
        write();
        progress_.wipe();
        const RunReport& report = outcome_.report;
        // A search for a failing check succeeds if it finds one.
        const bool passed = !report.check || report.check->passed || (outcome_.found_failure() && !options_.check);
        if (!passed && (options_.quiet || options_.json == "-"))
            tell(report.check->checked ? "the check" + (report.checked.empty() ? "" : " of " + report.checked) +
                                             " failed: " + report.check->sentence
                                       : "nothing was checked: " + report.check->sentence);
        for (const std::string& error : report.errors) {
            if (passed && &error == &report.errors.back()) throw Error(error);  // everything else has been written
            tell(error);
        }
        if (!passed) return kCheckFailed;
        const std::string& trouble = report.result.trouble;
        if (!trouble.empty() && options_.quiet) tell(trouble);
        return trouble.empty() ? kSuccess : kUnstable;
    }

    void say_interrupted() {
        std::string where = "before it began";
        progress_.wipe();
        if (begun_) {
            char text[80];
            std::snprintf(text, sizeof text, "in round %u, after %.1f s", progress_.round(), progress_.elapsed_s());
            where = text;
        }
        const std::string files = outcome_.files();
        tell("ended by Ctrl-C " + where + "; " + (files.empty() ? "nothing was written" : "written: " + files));
    }

  private:
    void prepare() {
        if (!options_.resume.empty()) read_saved();
        {
            const WorkStage stage("reading the input");
            run_.emplace(std::move(scenario_), options_.device.block_size);
        }
        progress_.wipe();
        Lab& lab = run_->lab();
        const Geometry* const given = &run_->geometry();
        if (saved_) require_same_input(*saved_, options_.resume, *given, run_->input().text);
        if (options_.check) require_check(lab, "--check");
        const bool reads_scene = parse_breakpoints();
        check_adjustments();
        ExplorationChoice choice = options_.explored;
        if (choice.colour)
            choice.colour = explored_of(choice.colour->id(), given, "--colour-by " + choice.colour->id());
        if (const std::string& scatter = run_->scenario().data.scatter; !scatter.empty())
            scatter_named(scatter, given, "--scatter ");
        if (options_.select && options_.select->range) apply_selection(*options_.select, {}, given, kSelect, choice);
        check_exports();
        for (const std::string& name : options_.inspect) parse_element(name);  // report malformed names at once
        for (const std::string& name : options_.history) parse_element(name, kHistory);
        throw_if_cancelled();
        context_ = open_device(device_for(lab.info(), options_.device.device), options_.device);
        context_->set_cancel_flag(Interrupt::flag());
        for (const auto& note : run_->input().notes) outcome_.note(note);
        if (!context_->notice().empty()) outcome_.note(context_->notice());
        picture_device_.emplace(options_, *context_);
        stage_.emplace(*context_, *run_);
        choice.area = run_->area();
        stage_->choice = std::move(choice);
        pictures_.emplace(options_, *run_, *stage_, *picture_device_, outcome_);
        // A saved run may be drawn later.
        lab.set_records_states(options_.draws() || !options_.inspect.empty() || !options_.history.empty() ||
                               !options_.save.empty() || reads_scene || measures_scene(options_, *run_));
        if (!asks_check_ && options_.history.empty()) run_->timeline().set_keyframe_budget(0);  // never seeks backwards
    }

    /// Returns whether any of them reads the scene.
    bool parse_breakpoints() {
        const Lab& lab = run_->lab();
        bool reads_scene = false;
        for (const std::string& text : options_.until) {
            try {
                breakpoints_.push_back(Breakpoint::parse(text, lab.info()));
            } catch (const Error& error) {
                throw Error(std::string("--until ") + error.what());
            }
            reads_scene = reads_scene || breakpoints_.back().needs_scene();
            asks_check_ = asks_check_ || breakpoints_.back().is_check();
        }
        if (asks_check_) require_check(lab, "--until " + options_.until.front());
        if (asks_check_ && breakpoints_.size() > 1)
            throw Error("--until: a check is looked for over the whole run, so it stands alone");
        if (asks_check_ && !options_.adjust.empty())
            throw Error("--until: a check is looked for over the whole run, which --adjust cannot change meanwhile");
        if (!breakpoints_.empty()) outcome_.report.until = RunReport::Until{.breakpoints = options_.until};
        return reads_scene;
    }

    void read_saved() {
        const WorkStage stage("reading the saved run");
        saved_ = read_saved_run(options_.resume);
        scenario_ = scenario_of(*saved_, options_.resume, scenario_);
        const auto is_block_size = [](const Parameter& one) { return one.name == "block_size"; };
        if (options_.device.block_size) std::erase_if(scenario_.parameters, is_block_size);  // the device has its own
        outcome_.report.adjusted = saved_->adjusted;
        outcome_.report.resumed = {options_.resume, saved_->rounds, saved_->passes, saved_->state_hash};
        rounds_ = saved_->rounds;
    }

    /// Reports errors in adjustments, or in a run to an end that does not exist, before the run.
    void check_adjustments() {
        std::unique_ptr<Lab> adjusted;  // the lab after the adjustments
        const auto change = [&](const Adjustment& one) {
            if (!adjusted) adjusted = make_scenario_lab(run_->scenario());
            for (const auto& [name, value] : one.values) set_parameter(*adjusted, name, value);
            const auto* const recorder = find_facet<TrajectoryExporter>(*adjusted);
            records_later_ = records_later_ || (recorder && recorder->records_nothing().empty());
        };
        for (const Adjustment& one : outcome_.report.adjusted) change(one);
        for (Adjustment one : options_.adjust) {
            const std::string place = typed(one);
            one.values = checked_adjustment(run_->lab(), one.values, place);
            if (one.round < rounds_)
                throw Error(place + ": the resumed run has already made " + with_commas(rounds_) + " rounds");
            change(one);
            due_.push_back(std::move(one));
        }
        const Lab& at_end = adjusted ? *adjusted : run_->lab();
        const bool to_its_end = options_.extent == Extent::kFinish || options_.extent == Extent::kStepped;
        if (const std::string why = at_end.endless(); to_its_end && !why.empty())
            throw Error(why + "; say with --rounds how far it goes");
    }

    void check_exports() {
        Lab& lab = run_->lab();
        const std::vector<std::string> columns = attribute_ids(&run_->geometry());
        for (const auto& file : options_.exports) {
            check_export(file, lab, records_later_, columns);
            if (const std::string table = lab_table_of_file(file, lab); !table.empty())
                facet<TableExporter>(lab).will_export(table);
            const std::string of_run = run_table_of_file(file, lab);
            if (options_.inspect.empty() && of_run == "inspected")
                throw Error("--export " + file + ": nothing is inspected; say what with --inspect, such as edge:12");
            if (!options_.select && of_run == "selection")
                throw Error("--export " + file + ": nothing is selected; say what with --select, such as degree:7..20");
        }
    }

    /// Notes parameters that something else determines, including useless settings.
    void note_decided() {
        RunReport& report = outcome_.report;
        const LatticeLayer lattice = run_->lab().scene().lattice();
        const ParameterContext now{run_->geometry(), value_lookup(report.parameters), lattice.width, lattice.height};
        for (size_t i = 0; i < report.parameters.size(); ++i) {
            const ParameterDescription& parameter = report.parameters[i];
            const Override found = override_of(parameter, now);
            if (!found) continue;
            report.overrides.emplace_back(parameter.name, found);
            const bool is_default = parameter.value == run_->default_parameters().at(i).value;
            if (found.in_part || is_default || parameter.value == found.value) continue;
            outcome_.note(parameter.name + "=" + parameter.value + " has no effect. " + found.why);
        }
    }

    /// Applies the adjustments due at the end of the current round.
    void adjust_if_due() {
        Timeline& timeline = run_->timeline();
        while (!due_.empty() && between_rounds_ && rounds_ == due_.front().round) {
            Edit change;
            change.kind = Edit::Kind::kAdjust;
            change.values = due_.front().values;
            placed(typed(due_.front()), [&] { timeline.edit(change); });
            for (const StepMessage::Sentence& said : timeline.history().back().message.sentences)
                if (said.kind != "adjusted") outcome_.note(said.text);  // beyond the requested change
            outcome_.report.adjusted.push_back(std::move(due_.front()));
            due_.pop_front();
        }
    }

    /// The run for --beside.
    void make_beside() {
        if (!options_.beside) return;
        const WorkStage stage("the picture beside");
        const auto count = [&](Extent extent) {
            return options_.extent == extent ? std::optional(options_.count) : std::nullopt;
        };
        stage_->show_beside(options_.beside, count(Extent::kSteps), count(Extent::kRounds));
    }

    void compute() {
        make_beside();
        progress_.begin_run(info(), run_->geometry().points.size());
        begun_ = true;
        context_->timings().clear();
        context_->set_timed(options_.times_kernels);
        context_->reset_peak();
        const auto start = std::chrono::steady_clock::now();
        {
            const WorkStage stage("placing the input");
            run_->start(*context_);
        }
        outcome_.report.parameters = list_parameters(run_->lab());
        note_decided();
        if (saved_) {
            const WorkStage stage("restoring the saved state");
            resume(*saved_, options_.resume, run_->lab());
            saved_->state = {};
            run_->timeline().begin_here();
        }
        check_display(options_.display, run_->lab().scene(),
                      [this](const std::string& name) { return run_->scenario().place("layer " + name); });
        by_rounds_ = options_.extent == Extent::kFinish || makes_whole_rounds();
        outcome_.report.stepped = !by_rounds_;
        if (by_rounds_)
            finish();
        else
            step();
        for (const Adjustment& one : due_)
            outcome_.add_error(typed(one) + ": the run ended " + (between_rounds_ ? "after" : "within") + " round " +
                               with_commas(rounds_) + ", before that");
        context_->synchronize();
        outcome_.report.elapsed_ms =
            std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
        progress_.wipe();
        throw_if_cancelled();
    }

    /// Whether a number of rounds can be made whole: faster than pass by pass, if nothing observes their passes.
    bool makes_whole_rounds() const {
        const bool observes = !breakpoints_.empty() || options_.films() || !options_.page.empty() || options_.beside ||
                              !options_.history.empty();
        return options_.extent == Extent::kRounds && !observes && find_facet<Adjustable>(run_->lab());
    }

    void finish() {
        adjust_if_due();
        if (run_->timeline().done()) return;
        Lab& lab = run_->lab();
        History rounds;
        rounds.clear(lab.info());
        const auto after_round = [&](const StepResult& round) {
            keep_message(round, rounds.size());
            rounds.add(round);
            keep_place(round);
            progress_.report(round);
        };
        const bool to_end = options_.extent == Extent::kFinish;
        const uint64_t end = to_end ? UINT64_MAX : rounds_ + std::min(options_.count, UINT64_MAX - rounds_);
        for (; !due_.empty() && !lab.done() && due_.front().round > rounds_ && due_.front().round <= end;
             adjust_if_due())
            facet<Adjustable>(lab).finish_rounds(due_.front().round - rounds_, after_round);
        if (to_end)
            lab.finish(after_round);
        else
            facet<Adjustable>(lab).finish_rounds(end - rounds_, after_round);
        take_passes(outcome_.report, rounds, std::move(said_), message_count_);
    }

    void keep_place(const StepResult& last) {
        between_rounds_ = last.ended >= Level::kRound;
        rounds_ = std::max<uint64_t>(rounds_, last.round);
    }

    /// Keeps messages of passes that a long run will not record.
    void keep_message(const StepResult& pass, uint64_t index) {
        constexpr size_t kMostSaid = 1000;
        if (pass.message.empty()) return;
        ++message_count_;
        if (said_.size() < kMostSaid) said_.emplace_back(index, pass.message);
    }

    /// After a step: whether the run stops here.
    bool stops_here(const StepResult& last) {
        for (Breakpoint& one : breakpoints_) {
            if (one.is_check()) continue;
            std::string why = one.hit(run_->lab(), last);
            if (why.empty()) continue;
            outcome_.report.until->hit = one.text();
            outcome_.report.until->why = std::move(why);
            outcome_.report.until->step = run_->timeline().position();
            return true;
        }
        return false;
    }

    /// Searches the passes made for the first after which the check fails.
    void go_to_failure() {
        const WorkStage stage("looking for the step after which the check fails");
        const auto found = find_first_failure(run_->timeline(), breakpoints_.front(), Interrupt::keep_going);
        if (!found) return;
        outcome_.report.until->hit = breakpoints_.front().text();
        outcome_.report.until->why = found->why;
        outcome_.report.until->step = found->position;
        outcome_.report.until->checks = found->checks;
        outcome_.report.until->bisected = found->bisected;
        if (found->position > 0) {
            const StepResult& last = run_->timeline().result(found->position - 1);
            between_rounds_ = last.ended >= Level::kRound;
            rounds_ = last.round;
        }
    }

    void step() {
        uint64_t left = options_.extent == Extent::kStepped ? UINT64_MAX : options_.count;
        for (Breakpoint& one : breakpoints_) one.begin(run_->lab());
        pictures_->add_to_page();
        pictures_->begin_film();
        for (adjust_if_due(); left > 0 && pictures_->film_goes_on() && run_->timeline().step(); adjust_if_due()) {
            const StepResult& last = run_->timeline().history().back();
            pictures_->add_to_page();
            pictures_->add_to_film();
            keep_message(last, run_->timeline().position() - 1);
            keep_place(last);
            progress_.report(last);
            throw_if_cancelled();
            const bool whole_round =
                last.ended >= Level::kRound && last.round > 0;  // the part before round 1 does not count
            if (options_.extent != Extent::kRounds || whole_round) --left;
            if (stops_here(last)) break;
        }
        if (asks_check_) go_to_failure();
        History passes = run_->timeline().history();
        if (asks_check_) passes.forget_future();  // visited only by the search
        take_passes(outcome_.report, passes, std::move(said_), message_count_);
    }

    /// If the state cannot be saved, everything else is still written.
    void save() {
        const WorkStage stage("saving the state");
        const Lab& lab = run_->lab();
        const LabInfo& info = lab.info();
        if (!between_rounds_ && !lab.done()) {
            const uint64_t fresh = rounds_ - (saved_ ? saved_->rounds : 0);
            const uint32_t next = lab.next_pass();
            outcome_.add_error(
                "--save " + options_.save + ": nothing was saved: the " + info.title +
                " can be saved between rounds, and this run ends within one" +
                (next < info.passes.size() ? ", before the pass \"" + info.passes[next].name + "\"" : "") +
                "; use --rounds " + std::to_string(std::max<uint64_t>(fresh, 1)) +
                ", which ends between rounds, instead of --steps " + std::to_string(options_.count));
            return;
        }
        SavedRun saved;
        saved.scenario = run_->scenario();
        saved.scenario.parameters = values_of(outcome_.report.parameters);
        saved.adjusted = outcome_.report.adjusted;
        saved.input_hash = contents_hash(run_->geometry());
        saved.rounds = rounds_;
        if (!by_rounds_ && (!saved_ || saved_->passes))
            saved.passes = run_->timeline().position() + (saved_ ? *saved_->passes : 0);
        saved.state_hash = outcome_.report.state_hash;
        saved.state = lab.save_whole();
        write_saved_run(options_.save, saved);
        outcome_.report.saved_to = options_.save;
        outcome_.add_file(options_.save);
    }

    void write_export_of(const std::string& file) {
        const Lab& lab = run_->lab();
        const std::string what = "writing " + printable(file);
        const WorkStage stage(what.c_str());
        const Geometry* const input = &run_->geometry();
        const std::string of_run = run_table_of_file(file, lab);
        if (of_run == "failures") {
            write_whole_file(file, failures_csv(*outcome_.report.check));
        } else if (of_run == "inspected") {
            write_whole_file(file, inspected_csv(outcome_.report));
        } else if (of_run == "selection") {
            pictures_->scene();
            const Exploration& found = stage_->exploration();
            if (!found.has_mesh() || !found.choice().selects()) return;  // reported as an error elsewhere
            write_whole_file(file, points_csv(selected_input(found, lab.scene(), input)));
        } else {
            write_export(file, lab, measured_.get(), Caller::kCommandLine, input);
        }
        outcome_.add_file(file);
    }

    /// What pictures show, as a scenario or a Python script.
    std::string view_as(const std::string& file) {
        Scenario scenario = run_->scenario();
        scenario.at = run_->lab().done() ? Scenario::kAtEnd : run_->timeline().position();
        scenario.display = options_.display;
        scenario.colour_by = stage_->choice.colour;
        if (options_.select) scenario.data.select = options_.select->text;
        if (io::lower_extension(file) == ".json")
            return scenario_file(scenario, std::filesystem::path(file).parent_path());
        pictures_->scene();
        const Exploration& explored = stage_->exploration();
        const bool coloured = scenario.colour_by && explored.colours(scenario.colour_by->element());
        return python_script(scenario, run_->input(), coloured ? &explored.scale() : nullptr);
    }

    void write() {
        if (!options_.save.empty()) save();
        for (const auto& file : options_.exports) {
            try {
                write_export_of(file);
            } catch (const Error& error) {
                outcome_.add_error(error.what());  // the other outputs are still written
            }
        }
        if (run_->geometry().y_down && !options_.exports.empty())
            outcome_.note("y goes down in files of points, triangles and cells, as in " + run_->geometry().name);
        pictures_->draw();
        pictures_->end_film();
        progress_.wipe();
        const RunReport& report = outcome_.report;
        if (!options_.plots.empty()) {
            const Scatter* const scatter = measured_ ? measured_->scatter() : nullptr;
            std::vector<Overlay> plots;
            const std::string& wanted = run_->scenario().data.scatter;
            if (wanted.empty() || !options_.curves.empty())
                plots = lay_over({curves_of("", report, info())}, options_.curves);
            if (plots.empty() && !scatter)
                outcome_.add_error("--scatter " + wanted + ": this state has no such numbers");
            for (const auto& file : options_.plots) {
                if (plots.empty() && !scatter) break;
                write_plots(file, plots, scatter, options_.page_of_plots);
                outcome_.add_file(file);
            }
        }
        for (const std::string& file : options_.views) {
            write_whole_file(file, view_as(file));
            outcome_.add_file(file);
        }
        std::string json;
        if (!options_.json.empty()) {
            const WorkStage stage("writing the results as JSON");
            json = report_json(report, info());
            if (options_.json != "-") {
                write_whole_file(options_.json, json);
                outcome_.add_file(options_.json);
            }
        }
        progress_.wipe();
        const std::string files = outcome_.files();
        if (options_.json == "-") {
            write_or_print("-", json);
            if (!options_.quiet)
                for (const auto& remark : report_remarks(report)) tell(remark);
        } else if (!options_.quiet) {
            write_or_print("-", report_table(report, info()) +
                                    (files.empty() ? "" : "  written          " + printable(files) + "\n"));
        }
    }

    const RunOptions& options_;
    Scenario scenario_;  // until the run is created
    Interrupt interrupt_;
    Progress progress_;
    WorkScope work_{progress_.meter()};
    bool begun_ = false;  // there is something to report
    RunOutcome outcome_;
    std::unique_ptr<Context> context_;             // outlives its users
    std::optional<PictureDevice> picture_device_;  // likewise
    std::optional<Run> run_;
    std::optional<RunStage> stage_;
    std::optional<RunPictures> pictures_;
    std::unique_ptr<SceneStatistics> measured_;  // if requested
    std::vector<std::pair<uint64_t, StepMessage>> said_;
    uint64_t message_count_ = 0;  // number of passes with a message
    std::deque<Adjustment> due_;  // remaining
    std::vector<Breakpoint> breakpoints_;
    bool asks_check_ = false;  // the check is the only breakpoint
    std::optional<SavedRun> saved_;
    bool between_rounds_ = true;
    bool by_rounds_ = false;      // whole rounds are made, not single passes
    bool records_later_ = false;  // a later change makes the lab record points over time
    uint64_t rounds_ = 0;         // completed, including the saved run's
};

/// Runs for each value of one parameter, one after the other; writes their plots at the end.
class SweepOfRuns {
  public:
    explicit SweepOfRuns(const RunOptions& options) : options_(options), sweep_(*options.sweep) {}

    int go() {
        if (!options_.scenario.lab.empty()) {
            require_set_once();
            for (size_t i = 0; i < sweep_.values.size(); ++i) make_scenario_lab(scenario(i));  // reports errors early
        }
        for (size_t i = 0; i < sweep_.values.size(); ++i)
            if (!make(i)) return kInterrupted;
        write();
        for (const std::string& sentence : failed_) tell(sentence);
        for (const std::string& error : errors_) {
            if (failed_.empty() && &error == &errors_.back()) throw Error(error);  // everything else has been written
            tell(error);
        }
        return !failed_.empty() ? kCheckFailed : is_unstable_ ? kUnstable : kSuccess;
    }

  private:
    /// Throws Error if --set also gives the swept parameter.
    void require_set_once() const {
        for (const auto& [name, value] : options_.scenario.parameters)
            if (name == sweep_.parameter && options_.scenario.place("parameter " + name).empty())
                throw Error("--sweep " + sweep_.parameter + " and --set " + name + "=" + value +
                            " give the same parameter; leave one of them out");
    }

    std::string name(size_t i) const { return sweep_.parameter + "=" + sweep_.values[i]; }
    Scenario scenario(size_t i) const {
        Scenario scenario = options_.scenario;
        scenario.set({sweep_.parameter, sweep_.values[i]});
        return scenario;
    }

    /// False: ended by Ctrl-C.
    bool make(size_t i) {
        HeadlessRun run(options_, scenario(i));
        try {
            run.make();
        } catch (const Cancelled&) {
            run.say_interrupted();
            return false;
        } catch (const Error& error) {
            throw Error("--sweep, at " + name(i) + ": " + error.what());
        }
        info_ = run.info();
        if (sweep_.values.size() > 1) flow_.add(name(i), run.report().result.numbers);
        if (!options_.plots.empty()) {
            curves_.push_back(curves_of(name(i), run.report(), info_));
            if (i == 0) lay_over(all_curves(), options_.curves);  // reports a wrong name early
            keep_chosen(curves_.back(), options_.curves);
        }
        if (!options_.quiet && options_.json != "-") {
            write_or_print("-", (i > 0 ? "\n" : "") + name(i) + "\n" + report_table(run.report(), info_));
        } else if (!options_.quiet) {
            for (const auto& remark : report_remarks(run.report())) tell(name(i) + ": " + remark);
        }
        // Keep only what will be written: there may be many runs with long lists.
        if (!options_.json.empty()) runs_.push_back(report_json(run.report(), info_));
        if (const std::string& trouble = run.report().result.trouble; !trouble.empty()) {
            is_unstable_ = true;
            if (options_.quiet) tell(name(i) + ": " + trouble);
        }
        for (const std::string& error : run.report().errors) errors_.push_back(name(i) + ": " + error);
        if (const auto& check = run.report().check; check && !check->passed)
            failed_.push_back((check->checked ? "the check failed for " : "nothing was checked for ") + name(i) + ": " +
                              check->sentence);
        return true;
    }

    std::vector<RunCurves> all_curves() const {
        std::vector<RunCurves> curves = curves_;
        if (!flow_.empty()) curves.push_back(flow_.curves());
        return curves;
    }

    void write() {
        std::vector<std::string> written;
        if (!options_.plots.empty()) {
            const std::vector<Overlay> plots = lay_over(all_curves(), options_.curves);
            for (const auto& file : options_.plots) {
                write_plots(file, plots, nullptr, options_.page_of_plots);
                written.push_back(file);
            }
        }
        if (!options_.json.empty()) {
            const std::string json = sweep_json(sweep_.parameter, sweep_.values, runs_, info_, flow_);
            write_or_print(options_.json, json);
            if (options_.json == "-") return;
            written.push_back(options_.json);
        }
        if (!options_.quiet && !written.empty())
            write_or_print("-", "\n  written          " + join_words(written, ", ") + "\n");
    }

    const RunOptions& options_;
    const RunOptions::Sweep& sweep_;
    LabInfo info_;
    std::vector<std::string> runs_;    // JSON, if requested
    std::vector<std::string> errors_;  // requests that failed
    std::vector<std::string> failed_;  // a sentence for each run whose check failed or that was not made
    bool is_unstable_ = false;         // a run could not finish
    std::vector<RunCurves> curves_;    // for plots
    SweptFlow flow_;
};

}  // namespace

int run_headless(const RunOptions& options) {
    if (options.sweep) return SweepOfRuns(options).go();
    HeadlessRun run(options, options.scenario);
    try {
        return run.go();
    } catch (const Cancelled&) {
        run.say_interrupted();
        Interrupt::mark_reported();
        return kInterrupted;
    }
}

}  // namespace flipscope::app
