#include "app/commands/headless.h"

#include <algorithm>
#include <cctype>
#include <chrono>
#include <cstdio>
#include <deque>
#include <filesystem>
#include <iterator>

#include "app/base/endings.h"
#include "app/base/interrupt.h"
#include "app/figures/figure.h"
#include "app/figures/figure_job.h"
#include "app/figures/film.h"
#include "app/figures/highlights.h"
#include "app/figures/picture.h"
#include "app/run/exports.h"
#include "app/run/failures.h"
#include "app/run/inputs.h"
#include "app/run/overlay.h"
#include "app/run/progress.h"
#include "app/run/report.h"
#include "app/run/runs.h"
#include "app/run/saved_run.h"
#include "app/view/looks.h"
#include "compute/error.h"
#include "compute/printable.h"
#include "compute/work.h"
#include "instruments/breakpoint.h"
#include "instruments/failure_marks.h"
#include "instruments/input_scene.h"
#include "instruments/selected_input.h"
#include "instruments/timeline.h"
#include "io/output_file.h"
#include "lab/hand.h"
#include "lab/parameters.h"
#include "lab/registry.h"
#include "lab/unit_names.h"

namespace flipscope::app {

namespace {

using Extent = RunOptions::Extent;

constexpr const char* kHistory = "--history ";
constexpr const char* kSelect = "--select ";
constexpr double kAllOfIt = 1e9;  // seconds: a picture in one go

/// As it stands on the command line.
std::string typed(const Adjustment& adjustment) {
    std::string text = "--adjust " + std::to_string(adjustment.round);
    for (size_t i = 0; i < adjustment.values.size(); ++i)
        text += (i == 0 ? ":" : ",") + adjustment.values[i].name + "=" + adjustment.values[i].value;
    return text;
}

void write_stdout(const std::string& text) {
    std::fwrite(text.data(), 1, text.size(), stdout);
    require_printed();
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
    /// What could not be done of what was asked for, beside all else.
    const std::vector<std::string>& errors() const { return errors_; }
    const LabInfo& info() const { return timeline_->lab().info(); }

    int go() {
        make();
        write();
        progress_.wipe();
        // That it fails where a failing check was looked for is what was asked for.
        const bool found_by_check = asks_check_ && !report_.until->hit.empty() && !options_.check;
        const bool passed = !report_.check || report_.check->passed || found_by_check;
        if (!passed && (options_.quiet || options_.json == "-"))
            tell(report_.check->checked ? "the check" + (report_.checked.empty() ? "" : " of " + report_.checked) +
                                              " failed: " + report_.check->sentence
                                        : "nothing was checked: " + report_.check->sentence);
        for (size_t i = 0; i < errors_.size(); ++i) {
            if (passed && i + 1 == errors_.size()) throw Error(errors_[i]);  // all else is written
            tell(errors_[i]);
        }
        if (!passed) return kCheckFailed;
        const std::string& trouble = report_.result.trouble;
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
        const bool looks_at_scene = take_breakpoints(*algorithm);
        check_adjustments(*algorithm);
        const Geometry* const given = input_.geometry.get();
        explored_ = options_.explored;
        if (explored_.colour)
            explored_.colour = explored_of(explored_.colour->id(), given, "--colour-by " + explored_.colour->id());
        if (options_.select && options_.select->range) select_asked(*options_.select, {}, given, kSelect, explored_);
        exploration_.set_input(input_.geometry);
        columns_ = attribute_ids(given);
        for (const auto& file : options_.exports) {
            check_export(file, *algorithm, records_later_, columns_);
            if (const std::string table = own_table_meant(file, *algorithm); !table.empty())
                facet<TableExporter>(*algorithm).will_export(table);
            if (options_.inspect.empty() && means_inspected(file, *algorithm))
                throw Error("--export " + file + ": nothing is inspected; say what with --inspect, such as edge:12");
            if (!options_.select && means_selection(file, *algorithm))
                throw Error("--export " + file + ": nothing is selected; say what with --select, such as degree:7..20");
        }
        for (const std::string& asked : options_.inspect) parse_element(asked);  // what is wrong is said at once
        for (const std::string& asked : options_.history) parse_element(asked, kHistory);
        throw_if_cancelled();
        const DeviceRequest device = device_for(algorithm->info(), options_.device.device);
        context_ = open_device(device, options_.device.threads, options_.device.block_size);
        context_->set_cancel_flag(Interrupt::flag());
        if (!options_.quiet) {
            for (const auto& note : input_.notes) tell(note);
            if (!context_->notice().empty()) tell(context_->notice());
        }
        if (!context_->notice().empty()) input_.notes.push_back(context_->notice());
        if (options_.draws()) open_offscreen();
        // A saved run may be drawn later.
        algorithm->set_records_states(options_.draws() || !options_.inspect.empty() || !options_.history.empty() ||
                                      !options_.save.empty() || looks_at_scene || measures_scene(*algorithm));
        timeline_ = std::make_unique<Timeline>(std::move(algorithm));
        if (!asks_check_ && options_.history.empty()) timeline_->set_keyframe_budget(0);  // this run never goes back
    }

    /// Whether any of them looks at the scene.
    bool take_breakpoints(const Lab& lab) {
        bool looks_at_scene = false;
        for (const std::string& text : options_.until) {
            try {
                breakpoints_.push_back(Breakpoint::parse(text, lab.info()));
            } catch (const Error& error) {
                throw Error(std::string("--until ") + error.what());
            }
            looks_at_scene = looks_at_scene || breakpoints_.back().looks_at_scene();
            asks_check_ = asks_check_ || breakpoints_.back().is_check();
        }
        if (asks_check_) require_check(lab, "--until " + options_.until.front());
        if (asks_check_ && breakpoints_.size() > 1)
            throw Error("--until: a check is looked for over the whole run, so it stands alone");
        if (asks_check_ && !options_.adjust.empty())
            throw Error("--until: a check is looked for over the whole run, which --adjust cannot change meanwhile");
        if (!breakpoints_.empty()) report_.until = RunReport::Until{.asked = options_.until};
        return looks_at_scene;
    }

    void read_saved() {
        const WorkStage stage("reading the saved run");
        saved_ = read_saved_run(options_.resume);
        scenario_ = scenario_of(*saved_, options_.resume, scenario_);
        const auto is_block_size = [](const Parameter& one) { return one.name == "block_size"; };
        if (options_.device.block_size) std::erase_if(scenario_.parameters, is_block_size);  // the device's own
        report_.adjusted = saved_->adjusted;
        report_.resumed = {options_.resume, saved_->rounds, saved_->passes, saved_->state_hash};
        rounds_ = saved_->rounds;
    }

    /// What is wrong with them, or with a run to an end that there is not, is said before the run.
    void check_adjustments(Lab& lab) {
        const auto at_end = make_scenario_lab(scenario_);
        const auto* const recorder = find_facet<TrajectoryExporter>(*at_end);
        const auto take = [&](const Adjustment& one) {
            for (const auto& [name, value] : one.values) set_parameter(*at_end, name, value);
            records_later_ = records_later_ || (recorder && recorder->records_nothing().empty());
        };
        for (const Adjustment& one : report_.adjusted) take(one);
        for (Adjustment one : options_.adjust) {
            const std::string place = typed(one);
            one.values = checked_adjustment(lab, one.values, place);
            if (one.round < rounds_)
                throw Error(place + ": the resumed run has already made " + grouped(rounds_) + " rounds");
            take(one);
            due_.push_back(std::move(one));
        }
        const bool to_its_end = options_.extent == Extent::kFinish || options_.extent == Extent::kStepped;
        if (const std::string why = at_end->endless(); to_its_end && !why.empty())
            throw Error(why + "; say with --rounds how far it goes");
    }

    /// Parameters that something else determines; those that were set for nothing are said.
    void note_decided() {
        Lab& lab = timeline_->lab();
        const LatticeLayer lattice = lab.scene().lattice();
        const Circumstances now{*input_.geometry, value_lookup(report_.parameters), lattice.width, lattice.height};
        const std::unique_ptr<Lab> fresh = make_lab(lab.info().id);
        const std::vector<ParameterDescription> usual = list_parameters(*fresh);
        for (size_t i = 0; i < report_.parameters.size(); ++i) {
            const ParameterDescription& parameter = report_.parameters[i];
            const Decided found = decided_of(parameter, now);
            if (!found) continue;
            report_.decided.emplace_back(parameter.name, found);
            if (found.in_part || parameter.value == usual.at(i).value || parameter.value == found.value) continue;
            input_.notes.push_back(parameter.name + "=" + parameter.value + " has no effect. " + found.why);
            if (!options_.quiet) tell(input_.notes.back());
        }
    }

    /// Those for the end of the round where the run is.
    void adjust_if_due() {
        while (!due_.empty() && between_rounds_ && rounds_ == due_.front().round) {
            Edit change;
            change.kind = Edit::Kind::kAdjust;
            change.values = due_.front().values;
            try {
                timeline_->edit(change);
            } catch (const Error& error) {
                throw Error(typed(due_.front()) + ": " + error.what());
            }
            for (const StepMessage::Sentence& said : timeline_->history().back().message.sentences) {
                if (said.kind == "adjusted") continue;  // what was asked for
                input_.notes.push_back(said.text);
                if (!options_.quiet) tell(said.text);
            }
            report_.adjusted.push_back(std::move(due_.front()));
            due_.pop_front();
        }
    }

    /// The run that --beside asks for.
    void make_beside() {
        if (!options_.beside) return;
        const WorkStage stage("the picture beside");
        const bool passes = options_.extent == Extent::kSteps, rounds = options_.extent == Extent::kRounds;
        const auto count = [&](bool counts) { return counts ? std::optional(options_.count) : std::nullopt; };
        beside_.emplace(*context_, scenario_, options_.beside, count(passes), count(rounds), explored_.colour);
    }

    /// With what was kept at its left.
    Scene put_beside(Scene scene) {
        if (!beside_) return scene;
        const uint64_t at = timeline_->position();
        const LabInfo& info = timeline_->lab().info();
        const StepResult* const last = at > 0 ? &timeline_->result(at - 1) : nullptr;
        return beside_->with(std::move(scene),
                             input_text(info, input_) + ", " + state_text(info, at, last, timeline_->done()));
    }

    void compute() {
        make_beside();
        progress_.begin_run(timeline_->lab().info(), input_.geometry->points.size());
        begun_ = true;
        context_->timings().clear();
        context_->set_timed(!options_.quiet || !options_.json.empty());
        context_->reset_peak();
        const auto start = std::chrono::steady_clock::now();
        {
            const WorkStage stage("placing the input");
            timeline_->reset(*context_, input_.geometry);
        }
        report_.parameters = list_parameters(timeline_->lab());
        note_decided();
        if (saved_) {
            const WorkStage stage("restoring the saved state");
            resume(*saved_, options_.resume, timeline_->lab());
            saved_->state = {};
            timeline_->begin_here();
        }
        check_looks(options_.look, timeline_->lab().scene(),
                    [this](const std::string& name) { return scenario_.place("layer " + name); });
        if (options_.extent == Extent::kFinish)
            finish();
        else
            step();
        for (const Adjustment& one : due_)
            errors_.push_back(typed(one) + ": the run ended " + (between_rounds_ ? "after" : "within") + " round " +
                              grouped(rounds_) + ", before that");
        context_->synchronize();
        report_.elapsed_ms =
            std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
        progress_.wipe();
        throw_if_cancelled();
    }

    void finish() {
        adjust_if_due();
        if (timeline_->done()) return;
        Lab& lab = timeline_->lab();
        History rounds;
        rounds.clear(lab.info());
        const auto after_round = [&](const StepResult& round) {
            hear(round, rounds.size());
            rounds.add(round);
            keep_place(round);
            progress_.tell(round);
        };
        for (; !due_.empty() && !lab.done() && due_.front().round > rounds_; adjust_if_due())
            facet<Adjustable>(lab).finish_rounds(due_.front().round - rounds_, after_round);
        lab.finish(after_round);
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

    /// After a step: whether the run stops here.
    bool stops_here(const StepResult& last) {
        for (Breakpoint& one : breakpoints_) {
            if (one.is_check()) continue;
            std::string why = one.hit(timeline_->lab(), last);
            if (why.empty()) continue;
            report_.until->hit = one.text();
            report_.until->why = std::move(why);
            report_.until->step = timeline_->position();
            return true;
        }
        return false;
    }

    /// Over the steps that were made, to the first after which the check fails.
    void go_to_failure() {
        const WorkStage stage("looking for the step after which the check fails");
        const auto keep_going = [] {
            throw_if_cancelled();
            return true;
        };
        const auto found = find_first_failure(*timeline_, breakpoints_.front(), keep_going);
        if (!found) return;
        report_.until->hit = breakpoints_.front().text();
        report_.until->why = found->why;
        report_.until->step = found->position;
        report_.until->checks = found->checks;
        report_.until->bisected = found->bisected;
        if (found->position > 0) {
            const StepResult& last = timeline_->result(found->position - 1);
            between_rounds_ = last.ended >= Level::kRound;
            rounds_ = last.round;
        }
    }

    void step() {
        uint64_t left = options_.extent == Extent::kStepped ? UINT64_MAX : options_.count;
        for (Breakpoint& one : breakpoints_) one.begin(timeline_->lab());
        if (options_.films()) begin_film();
        for (adjust_if_due(); left > 0 && film_goes_on() && timeline_->step(); adjust_if_due()) {
            const StepResult& last = timeline_->history().back();
            add_to_film();
            hear(last, timeline_->position() - 1);
            keep_place(last);
            progress_.tell(last);
            throw_if_cancelled();
            const bool whole_round =
                last.ended >= Level::kRound && last.round > 0;  // what comes before round 1 is free
            if (options_.extent != Extent::kRounds || whole_round) --left;
            if (stops_here(last)) break;
        }
        if (asks_check_) go_to_failure();
        History passes = timeline_->history();
        if (asks_check_) passes.forget_future();  // which the search has looked at
        take_passes(report_, passes, std::move(said_), heard_);
    }

    /// Where a figure of shapes is all that is asked for, it is needed only once there is an image in it.
    void open_offscreen() {
        try {
            demand([&] {
                offscreen_ = std::make_unique<Offscreen>();
                offscreen_->share_with(*context_, options_.device.shared_memory);
            });
        } catch (const Error& error) {
            const bool shapes = std::none_of(options_.figures.begin(), options_.figures.end(), [](const auto& file) {
                return figure_format(file) == FigureSpec::Format::kPng;
            });
            if (!shapes || !options_.picture.empty() || options_.films()) throw;
            offscreen_.reset();
            why_no_images_ = error.what();
        }
    }

    FigureSpec figure_spec() const {
        FigureSpec spec = options_.figure;
        if (spec.title_text.empty()) spec.title_text = timeline_->lab().info().title + ", " + input_.text;
        spec.unit = length_unit(timeline_->lab().scene(), input_.geometry.get());
        if (spec.rectangle) {  // as axes have it
            const LatticeUnits units = units_of(timeline_->lab().scene(), spec.unit).given;
            const Point a = units.on_lattice(spec.rectangle->first), b = units.on_lattice(spec.rectangle->second);
            spec.rectangle = {{std::min(a.x, b.x), std::min(a.y, b.y)}, {std::max(a.x, b.x), std::max(a.y, b.y)}};
        }
        return spec;
    }

    DrawTile tiles_of(const Scene& scene, bool light) {
        return [this, &scene, light](const Camera& camera, const Tile& tile, int width, int height, double line_scale,
                                     const Look& look) {
            if (!offscreen_)
                throw Error("this figure has an image in it, of surfaces, pixels, or more elements than --vectors: " +
                            why_no_images_);
            return demand(
                [&] { return offscreen_->tile(scene, camera, tile, width, height, light, line_scale, look); });
        };
    }

    void begin_film() {
        if (!options_.video.empty())
            video_ = std::make_unique<Video>(options_.video, options_.figure.pixel_width(),
                                             options_.figure.pixel_height(), options_.frame_rate);
        add_to_film();
    }
    bool film_goes_on() const { return !options_.films() || timeline_->position() < options_.to; }

    /// Where this step is one of those that are shown.
    void add_to_film() {
        const uint64_t at = timeline_->position();
        if (!options_.films() || at < options_.from || at > options_.to || (at - options_.from) % options_.every != 0)
            return;
        const Scene scene = put_beside(drawn_scene());
        FigureSpec spec = figure_spec();
        spec.whole_legend = true;
        if (!spec.rectangle) spec.rectangle = film_rectangle_;
        FigurePlan plan = plan_figure(scene, spec);
        if (!spec.rectangle) {  // all pictures show what the first one does
            const double x = 0.5 * plan.views[0].width / plan.picture_pt.width * plan.picture.width;
            const double y = 0.5 * plan.views[0].height / plan.picture_pt.height * plan.picture.height;
            film_rectangle_ = {plan.camera.to_world({-x, -y}), plan.camera.to_world({x, y})};
        }
        if (video_) {
            FigureJob job([this](const unsigned char* row) { video_->put(row); }, plan, tiles_of(scene, spec.light));
            job.advance(kAllOfIt);
        }
        if (!options_.sequence.empty()) {
            FigureJob job(sequence_file(options_.sequence, film_length_), std::move(plan), tiles_of(scene, spec.light));
            job.advance(kAllOfIt);
        }
        ++film_length_;
    }

    void end_film() {
        if (!options_.films()) return;
        if (film_length_ == 0) {
            errors_.push_back("--from " + std::to_string(options_.from) + ": the run has only " +
                              std::to_string(timeline_->position()) + " steps, so there is nothing to show");
            video_.reset();
            return;
        }
        if (video_) {
            video_->finish();
            wrote(options_.video);
        }
        if (!options_.sequence.empty())
            wrote(sequence_file(options_.sequence, 0) + " to " + sequence_file(options_.sequence, film_length_ - 1));
    }

    void draw_figures() {
        if (options_.figures.empty()) return;
        Scene scene = drawn_scene();
        if (report_.check) {
            mark_failures(*context_, scene, *report_.check);
            put_failures_into_legend(scene, *report_.check);
        }
        const Marks marks = marks_of(scene);
        scene = put_beside(std::move(scene));
        for (const std::string& file : options_.figures) {
            const WorkStage stage("drawing a figure");
            FigureSpec spec = figure_spec();
            spec.format = figure_format(file);
            try {
                FigurePlan plan = plan_figure(scene, spec);
                plan.highlights = marks.highlights;
                plan.labels = marks.labels;
                FigureJob job(file, std::move(plan), tiles_of(scene, spec.light));
                while (!job.advance(0.5)) {
                }
                if (!job.plan().note.empty()) note(file + ": " + job.plan().note);
            } catch (const Error& error) {
                errors_.push_back(error.what());  // what else was asked for is written
                continue;
            }
            wrote(file);
        }
    }

    void draw_up_report() {
        Lab& algorithm = timeline_->lab();
        measure_scene();  // its kernels are told of, too
        const WorkStage stage("results");
        context_->collect_timings();
        report_.kernels = context_->timings().rows();  // before hashes and checks add theirs
        report_.peak_bytes = context_->peak_bytes();
        report_.lab = algorithm.info().id;
        report_.title = algorithm.info().title;
        report_.input = input_.text;
        report_.unit = length_unit(algorithm.scene(), input_.geometry.get());
        report_.notes.insert(report_.notes.begin(), input_.notes.begin(), input_.notes.end());
        report_.device = context_->on_cuda() ? "cuda" : "cpu";
        report_.device_name = context_->device_name();
        report_.threads = context_->threads();
        report_.stepped = options_.extent != Extent::kFinish;
        report_.done = algorithm.done();
        report_.surface = input_.geometry->in_space();
        // Of a recording it is the last step's triangles that stand there.
        const bool recorded = input_.geometry->recording && algorithm.info().takes.has(InputKind::kRecordings);
        report_.has_triangles = !input_.geometry->triangles.empty() && !recorded;
        report_.result = algorithm.result();
        report_.state_hash = algorithm.state_hash();
        report_.statistics = statistics_of(algorithm, shown_ ? &*shown_ : nullptr);
        if (shown_ && !shown_->empty()) report_.summaries = shown_->table();
        if (const auto* detector = find_facet<Detector>(algorithm)) report_.detections = detector->detections(0);
        const bool unasked = !options_.check && !wants_failures() && end_needs_check(algorithm);
        report_.checked_unasked = unasked && !is_exact(algorithm);
        const bool found_by_check = asks_check_ && !report_.until->hit.empty();
        if (options_.check || wants_failures() || unasked || found_by_check) {
            const WorkStage check("check");
            report_.check = check_of(algorithm);
        }
        if (report_.check && report_.has_triangles && algorithm.info().takes.has(InputKind::kMeshes))
            report_.checked = report_.passes.empty() ? "the mesh as it was given" : "the mesh as the lab left it";
        inspect();
        trace();
        name_units(report_.result.numbers, report_.unit);
        name_units(report_.statistics, report_.unit);
        for (RunReport::Inspected& one : report_.inspected) name_units(one.report, report_.unit);
        throw_if_cancelled();
    }

    /// In the report and on standard error.
    void note(std::string text) {
        if (!options_.quiet) tell(text);
        report_.notes.push_back(std::move(text));
    }

    /// The statistics of another input's points.
    std::shared_ptr<const StatisticsSample> sample_of(const std::string& asked) {
        Scenario other;
        if (std::error_code ignored; std::filesystem::exists(asked, ignored))
            other.input = asked;
        else
            other.points = asked;
        const Input input = load_input(other);
        if (input.geometry->points.size() < 3 || input.geometry->in_space())
            throw Error("--against " + asked + ": three points of the plane or more are needed to compare with");
        Buffer<Point> places("points to compare with");
        places.upload(*context_, input.geometry->points.data(), input.geometry->points.size());
        Scene scene;
        scene.layers.push_back(
            {"points", "Points", "", true, PointsLayer{&places, nullptr, static_cast<uint32_t>(places.size())}});
        SceneStatistics statistics;
        statistics.measure(*context_, scene, {options_.within, false, {}, nullptr});
        return std::make_shared<const StatisticsSample>(statistics.sample(asked));
    }

    /// Whether statistics of what the lab shows are asked for.
    bool measures_scene(const Lab& lab) const {
        return options_.statistics ||
               std::any_of(options_.exports.begin(), options_.exports.end(),
                           [&](const auto& file) { return means_statistics(file, lab, columns_); });
    }

    /// What is in the picture, where its statistics are asked for.
    void measure_scene() {
        const Lab& lab = timeline_->lab();
        if (!measures_scene(lab)) return;
        const WorkStage stage("statistics");
        shown_.emplace();
        SceneStatistics::Options how;
        how.window = options_.within;
        how.of_points = options_.statistics || std::any_of(options_.exports.begin(), options_.exports.end(),
                                                           [&](const auto& file) { return means_curves(file, lab); });
        how.input = input_.geometry;
        if (!options_.against.empty()) how.beside = sample_of(options_.against);
        std::string note;
        try {
            shown_->measure(*context_, lab.scene(), how);
        } catch (const Error& error) {
            shown_->clear();
            note = std::string("nothing is measured: ") + error.what();
        }
        if (note.empty() && shown_->empty() && options_.statistics)
            note = "there are no statistics: the " + lab.info().title + " shows no points in this state";
        if (options_.within && !shown_->empty() && !shown_->has_window())
            note = std::string("--within has no effect: ") +
                   (shown_->window().is_periodic() ? "the box is periodic, and statistics are of all of it"
                                                   : "statistics of a surface in space have no window");
        if (note.empty()) return;
        if (!options_.quiet) tell(note);
        input_.notes.push_back(std::move(note));
    }

    /// What has happened to elements as they are at the end. What has no history spoils nothing else.
    void trace() {
        if (options_.history.empty()) return;
        const WorkStage stage("going back for the history of elements");
        const Scene scene = timeline_->lab().scene();
        std::vector<Element> elements;
        for (const std::string& asked : options_.history) {
            RunReport::Traced one{asked, std::nullopt};
            try {
                const Element element = find_element(parse_element(asked, kHistory), timeline_->lab(), scene,
                                                     input_.geometry.get(), kHistory);
                if (!has_history(scene, element))
                    throw Error(kHistory + asked + ": only edges, triangles and vertices of a mesh have a history");
                elements.push_back(element);
                one.history.emplace();
            } catch (const Error& error) {
                one.why = error.what();
                if (errors_.empty() || errors_.back() != one.why) errors_.push_back(one.why);
            }
            report_.histories.push_back(std::move(one));
        }
        std::vector<ElementHistory> found = trace_elements(*timeline_, elements, UINT64_MAX, [] {
            throw_if_cancelled();
            return true;
        });
        auto next = found.begin();
        for (RunReport::Traced& one : report_.histories)
            if (one.history) one.history = std::move(*next++);
    }

    /// What cannot be inspected spoils nothing else: the sentence stands where the answer would.
    void inspect() {
        const Lab& lab = timeline_->lab();
        const Scene scene = options_.inspect.empty() ? Scene{} : lab.scene();
        for (const std::string& asked : options_.inspect) {
            RunReport::Inspected one{asked, {}, {}};
            Properties refusal;
            try {
                std::string merged;
                one.element =
                    find_element(parse_element(asked), lab, scene, input_.geometry.get(), "--inspect ", &merged);
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
                if (!inspection_failed_) errors_.push_back(error.what());
                inspection_failed_ = true;
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
            errors_.push_back(
                "--save " + options_.save + ": nothing was saved: the " + info.title +
                " can be saved between rounds, and this run ends within one" +
                (next < info.passes.size() ? ", before the pass \"" + info.passes[next].name + "\"" : "") +
                "; use --rounds " + std::to_string(std::max<uint64_t>(fresh, 1)) +
                ", which ends between rounds, instead of --steps " + std::to_string(options_.count));
            return;
        }
        SavedRun run;
        run.lab = info.id;
        for (const ParameterDescription& parameter : report_.parameters)
            run.parameters.push_back({parameter.name, parameter.value});
        put_input(run, scenario_, options_.save);
        run.adjusted = report_.adjusted;
        run.input_hash = contents_hash(*input_.geometry);
        run.rounds = rounds_;
        if (options_.extent != Extent::kFinish && (!saved_ || saved_->passes))
            run.passes = timeline_->position() + (saved_ ? *saved_->passes : 0);
        run.state_hash = report_.state_hash;
        run.state = lab.save_whole();
        write_saved_run(options_.save, run);
        report_.saved_to = options_.save;
        wrote(options_.save);
    }

    void write() {
        if (!options_.save.empty()) save();
        for (const auto& file : options_.exports) {
            const std::string what = "writing " + printable(file);
            const WorkStage stage(what.c_str());
            try {
                if (means_failures(file, timeline_->lab()))
                    write_whole_file(file, failures_csv(*report_.check));
                else if (means_inspected(file, timeline_->lab()))
                    write_whole_file(file, inspected_csv(report_));
                else if (means_selection(file, timeline_->lab())) {
                    if (!write_selection(file)) continue;
                } else
                    write_export(file, timeline_->lab(), shown_ ? &*shown_ : nullptr, AskedIn::kCommandLine,
                                 input_.geometry.get());
                wrote(file);
            } catch (const Error& error) {
                errors_.push_back(error.what());  // what else was asked for is written
            }
        }
        if (input_.geometry->y_down && !options_.exports.empty())
            note("y goes down in files of points, triangles and cells, as in " + input_.geometry->name);
        if (!options_.picture.empty()) {
            const WorkStage stage("drawing the picture");
            draw_picture();
            wrote(options_.picture);
        }
        draw_figures();
        end_film();
        progress_.wipe();
        if (!options_.plots.empty()) {
            const std::vector<Overlay> plots =
                lay_over({curves_of("", report_, timeline_->lab().info())}, options_.curves);
            for (const auto& file : options_.plots) {
                write_plot(file, plots);
                wrote(file);
            }
        }
        std::string json;
        if (!options_.json.empty()) {
            const WorkStage stage("writing the results as JSON");
            report_.errors = errors_;
            json = report_json(report_, timeline_->lab().info());
            if (options_.json != "-") {
                write_whole_file(options_.json, json);
                wrote(options_.json);
            }
        }
        progress_.wipe();
        if (options_.json == "-") {
            write_stdout(json);
            if (!options_.quiet)
                for (const auto& remark : report_remarks(report_)) tell(remark);
        } else if (!options_.quiet) {
            write_stdout(report_table(report_, timeline_->lab().info()) +
                         (written_.empty() ? "" : "  written          " + printable(written_) + "\n"));
        }
    }

    /// Once, though several pictures and files may ask for the same.
    void add_error(const std::string& error) {
        if (std::find(errors_.begin(), errors_.end(), error) == errors_.end()) errors_.push_back(error);
    }

    /// What the lab shows, coloured and with what is selected as it was asked.
    Scene drawn_scene() {
        Scene scene = input_scene_.with_input(*context_, timeline_->lab().scene(), input_.geometry);
        name_units(scene, length_unit(scene, input_.geometry.get()));
        if (!explored_.any() && !options_.select) return scene;
        if (options_.select && !options_.select->range) {
            try {
                select_asked(*options_.select, scene, input_.geometry.get(), kSelect, explored_);
            } catch (const Error& error) {
                add_error(error.what());
            }
        }
        exploration_.choose(explored_);
        exploration_.update(*context_, scene);
        exploration_.apply(scene);
        name_units(scene, length_unit(scene, input_.geometry.get()));
        const std::string by = scenario_.colour_by ? scenario_.place("colour_by") : "";
        const std::string lab = timeline_->lab().info().title;
        if (!exploration_.has_mesh())
            add_error((by.empty() ? "--colour-by, --select, --show disclinations" : by) + ": " +
                      offered_words(scene, input_.geometry.get(), lab));
        else if (explored_.colour && !offers(scene, *explored_.colour))
            add_error((by.empty() ? "--colour-by " : by + ": ") + explored_.colour->id() + ": " +
                      offered_words(scene, input_.geometry.get(), lab));
        else if (explored_.range && !offers(scene, explored_.range->quantity))
            add_error(kSelect + explored_.range->quantity.id() + ": " +
                      offered_words(scene, input_.geometry.get(), lab));
        const Layer* const field = scene.layer("field");
        if (explored_.colour && SiteMesh::cells_of(scene) && field && !field->empty() &&
            options_.look.shows("field", field->shown))
            note_once("--colour-by " + explored_.colour->id() +
                      " is not seen: the layer \"field\" is drawn in place of the cells; --hide field shows them");
        return scene;
    }

    /// False: there is no such selection, which is among the errors.
    bool write_selection(const std::string& file) {
        drawn_scene();
        if (!exploration_.has_mesh() || !exploration_.choice().selects()) return false;
        write_whole_file(file,
                         points_csv(selected_input(exploration_, timeline_->lab().scene(), input_.geometry.get())));
        return true;
    }

    /// What is drawn over a picture: what was inspected, and ids where they are asked for. Of a scene without what
    /// stands beside it, in parts of the one with that.
    struct Marks {
        std::vector<Highlight> highlights;
        std::vector<ElementLabel> labels;
    };
    Marks marks_of(const Scene& scene) {
        Marks marks;
        for (const auto& [asked, element, found] : report_.inspected) {
            marks.highlights.insert(marks.highlights.end(), found.highlights.begin(), found.highlights.end());
            if (element.id != kNone)
                marks.highlights.push_back(highlight_of(element, scene.view(element.part).corners_of(element), asked));
        }
        if (options_.look.shows(kIdsLook, false)) {
            std::vector<InView> whole;
            for (uint32_t part = 0; part < scene.view_count(); ++part)
                whole.push_back({part, {-INFINITY, -INFINITY}, {INFINITY, INFINITY}});
            marks.labels = labels_in_view(*context_, scene, input_.geometry->names, whole);
            if (marks.labels.empty())
                note_once("--show ids has no effect: ids are shown of meshes in the plane with at most " +
                          std::to_string(kMostLabels) + " points");
        }
        for (Highlight& highlight : marks.highlights) highlight.part += beside_ ? beside_->views() : 0;
        for (ElementLabel& label : marks.labels) label.element.part += beside_ ? beside_->views() : 0;
        return marks;
    }

    void note_once(const std::string& text) {
        if (std::find(report_.notes.begin(), report_.notes.end(), text) == report_.notes.end()) note(text);
    }

    void draw_picture() {
        const auto& [width, height] = options_.size;
        const double scale = scenario_.presenter_scale > 0 ? scenario_.presenter_scale : 1;
        const bool large = width >= kLeastWidthWithLegend && height >= kLeastHeightWithLegend;
        Scene scene = drawn_scene();
        if (report_.check) {
            mark_failures(*context_, scene, *report_.check);
            put_failures_into_legend(scene, *report_.check);
        }
        FigureLook how{options_.light, scale, options_.look, options_.view};
        how.unit = length_unit(scene, input_.geometry.get());
        Marks marks = marks_of(scene);
        how.highlights = std::move(marks.highlights);
        how.labels = std::move(marks.labels);
        scene = put_beside(std::move(scene));
        if (!options_.legend.value_or(large))
            return demand([&] { draw_without_legend(*offscreen_, scene, options_.picture, width, height, how); });
        const bool has_room =
            demand([&] { return draw_with_legend(*offscreen_, scene, options_.picture, width, height, how); });
        if (!has_room)
            note("a picture of " + std::to_string(width) + " × " + std::to_string(height) +
                 " pixels has no room for its legend; choose a larger --size");
    }

    /// The list of failures is asked for, and so is the check.
    bool wants_failures() const {
        return std::any_of(options_.exports.begin(), options_.exports.end(),
                           [&](const auto& file) { return means_failures(file, timeline_->lab()); });
    }

    void wrote(const std::string& file) {
        written_ += (written_.empty() ? "" : ", ") + file;
        report_.written.push_back(file);
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
    std::string why_no_images_;             // and why there is none
    std::unique_ptr<Video> video_;
    std::optional<std::pair<Point, Point>> film_rectangle_;
    uint64_t film_length_ = 0;  // pictures
    std::unique_ptr<Timeline> timeline_;
    std::optional<Beside> beside_;
    std::optional<SceneStatistics> shown_;  // of what the lab shows in the end
    ExplorationChoice explored_;
    std::vector<std::string> columns_;  // of the input: attribute_ids()
    Exploration exploration_;
    InputScene input_scene_;
    RunReport report_;
    std::vector<std::pair<uint64_t, StepMessage>> said_;
    uint64_t heard_ = 0;  // passes that had a message
    std::string written_;
    std::deque<Adjustment> due_;       // to be made still
    std::vector<std::string> errors_;  // what could not be done of what was asked for, beside all else
    std::vector<Breakpoint> breakpoints_;
    bool asks_check_ = false;  // one of them does, and stands alone
    bool inspection_failed_ = false;
    std::optional<SavedRun> saved_;
    bool between_rounds_ = true;
    bool records_later_ = false;  // some change during the run has points recorded over time
    uint64_t rounds_ = 0;         // that were made, those of the saved run included
};

/// One run after the other, each with another value of one parameter; what they have to show is written at the end.
class SweepOfRuns {
  public:
    explicit SweepOfRuns(const RunOptions& options) : options_(options), sweep_(*options.sweep) {}

    int go() {
        if (!options_.scenario.lab.empty()) {
            require_set_once();
            for (size_t i = 0; i < sweep_.values.size(); ++i) make_scenario_lab(scenario(i));  // what is wrong is said
        }
        for (size_t i = 0; i < sweep_.values.size(); ++i)
            if (!make(i)) return kInterrupted;
        write();
        for (const std::string& sentence : failed_) tell(sentence);
        for (const std::string& error : errors_) {
            if (failed_.empty() && &error == &errors_.back()) throw Error(error);  // all else is written
            tell(error);
        }
        return !failed_.empty() ? kCheckFailed : is_unstable_ ? kUnstable : kSuccess;
    }

  private:
    /// Throws Error where --set gives the parameter that is swept.
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
            if (i == 0) lay_over(curves_, options_.curves);  // a wrong name is said now
            keep_chosen(curves_.back(), options_.curves);
        }
        if (!options_.quiet && options_.json != "-") {
            write_stdout((i > 0 ? "\n" : "") + name(i) + "\n" + report_table(run.report(), info_));
        } else if (!options_.quiet) {
            for (const auto& remark : report_remarks(run.report())) tell(name(i) + ": " + remark);
        }
        // Of a run no more is kept than will be written: there may be many runs, each with long lists.
        if (!options_.json.empty()) runs_.push_back(run_json(run.report(), info_));
        if (const std::string& trouble = run.report().result.trouble; !trouble.empty()) {
            is_unstable_ = true;
            if (options_.quiet) tell(name(i) + ": " + trouble);
        }
        for (const std::string& error : run.errors()) errors_.push_back(name(i) + ": " + error);
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
    const RunOptions::Sweep& sweep_;
    LabInfo info_;
    std::vector<std::string> runs_;    // as JSON, where that is wanted
    std::vector<std::string> errors_;  // what could not be done of what was asked for
    std::vector<std::string> failed_;  // a sentence for each run whose check failed, or was not made
    bool is_unstable_ = false;         // a run could not go on to its end
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
