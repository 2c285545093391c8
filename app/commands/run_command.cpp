// The options of `flipscope run`, of a lab or of a lesson.
#include <algorithm>
#include <charconv>
#include <functional>
#include <map>
#include <memory>
#include <ranges>

#include "app/commands/headless.h"
#include "app/commands/options.h"
#include "app/figures/film.h"
#include "app/run/exports.h"
#include "app/view/display.h"
#include "compute/error.h"
#include "compute/printable.h"
#include "instruments/intensity_layer.h"
#include "io/files.h"
#include "io/state_file.h"

namespace flipscope::app {

namespace {

struct RunCommand {
    RunOptions run;
    Typed typed;
    std::string lab;  // or a scenario, or a lesson
};

ViewAxes parse_view(const std::string& text) {
    const std::vector<double> angles = numbers_in(text, ',');
    if (angles.size() != 2 || std::abs(angles[0]) > 360 || std::abs(angles[1]) > 90)
        throw Error("--view: expected AZIMUTH,ELEVATION in degrees, -360 to 360 and -90 to 90, found " + excerpt(text));
    return seen_from_degrees({angles[0], angles[1]});
}

/// "packing=0.3,0.5"
RunOptions::Sweep parse_sweep(const std::string& text) {
    const size_t sign = std::min(text.find('='), text.size());
    RunOptions::Sweep sweep{text.substr(0, sign), {}};
    for (const auto one : std::views::split(std::string_view(text).substr(std::min(sign + 1, text.size())), ','))
        sweep.values.emplace_back(one.begin(), one.end());
    if (sweep.parameter.empty() || sweep.values.empty() || std::ranges::count(sweep.values, "") > 0)
        throw Error("--sweep: expected name=value,value,…, found \"" + text + "\"");
    return sweep;
}

/// "1000:dt=0.001,diffusion=0"
Adjustment parse_adjustment(const std::string& text) {
    Adjustment made;
    const size_t colon = std::min(text.find(':'), text.size());
    const char* end = text.data() + colon;
    const auto [stop, error] = std::from_chars(text.data(), end, made.round);
    bool understood = error == std::errc() && stop == end;
    for (const auto part : std::views::split(std::string_view(text).substr(std::min(colon + 1, text.size())), ',')) {
        const std::string one(part.begin(), part.end());
        const size_t sign = std::min(one.find('='), one.size());
        understood = understood && sign > 0 && sign < one.size();
        if (understood) made.values.push_back({one.substr(0, sign), one.substr(sign + 1)});
    }
    if (!understood || made.values.empty())
        throw Error("--adjust: expected ROUND:NAME=VALUE,…, such as 1000:dt=0.001, found " + excerpt(text));
    return made;
}

/// Adjustments of one round become one change; sorted by round.
std::vector<Adjustment> parse_adjustments(const std::vector<std::string>& texts) {
    std::map<uint64_t, Adjustment> by_round;
    for (const std::string& text : texts) {
        const Adjustment one = parse_adjustment(text);
        Adjustment& made = by_round[one.round];
        made.round = one.round;
        made.values.insert(made.values.end(), one.values.begin(), one.values.end());
    }
    std::vector<Adjustment> sorted;
    for (auto& [round, one] : by_round) sorted.push_back(std::move(one));
    return sorted;
}

void check_frame_rate(double typed) {
    if (!(typed > 0 && typed <= 1000)) throw Error("--frame-rate: expected more than 0, at most 1000");
}

/// A pattern such as "film/%05d.png", with exactly one place for a picture's number, and a video.
void settle_film(std::string& sequence, std::string& video) {
    settle_output("--sequence", sequence, {".png"});
    if (!sequence.empty()) parse_sequence(sequence);
    settle_output("--video", video, {".mp4", ".mkv", ".webm"});
}

/// A file in place of a lab.
void refuse_file_as_lab(const std::string& word, FileKind kind) {
    std::error_code ignored;
    if (kind == FileKind::kState)
        throw Error("\"" + word + "\" is the name of a saved run, which --resume continues: flipscope run --resume " +
                    word);
    if (std::filesystem::is_regular_file(io::user_path(word), ignored))
        throw Error("\"" + word + "\" is a file, and a lab comes first, as in: flipscope run flip --input " + word);
}

void understand_sweep(const CLI::App& app, const RunOptions& run) {
    if (run.plots.empty()) refuse(app, {"--curve"}, ": says what --plot draws, and no --plot is given");
    if (run.sweep)
        refuse(app, {"--picture", "--figure", "--sequence", "--video", "--export", "--save", "--inspect", "--history"},
               ": is of one run, and --sweep makes several; leave one of them out");
}

/// A saved run has its own input and parameters. Files may still be given, since the input may have moved.
void refuse_beside_resume(const CLI::App& app, const RunCommand& command, FileKind kind) {
    const RunOptions& run = command.run;
    const Typed& typed = command.typed;
    const auto refuse = [&](const std::string& what, const std::string& why) {
        throw Error("--resume " + run.resume + ": " + why + "; leave " + what +
                    " out, or start a new run without --resume");
    };
    if (kind == FileKind::kScenario) refuse(command.lab, "a scenario says what to start, and the run has begun");
    if (!typed.points.empty()) refuse("--points " + typed.points, "the run has its input");
    if (typed.seed) refuse("--seed " + std::to_string(*typed.seed), "the run goes on with the random numbers it has");
    const std::string keeps = "the run goes on with the parameters that it was saved with";
    if (!typed.settings.empty()) refuse("--set " + typed.settings.front(), keeps);
    if (run.sweep) refuse("--sweep " + app.get_option("--sweep")->results().front(), keeps);
}

/// Figures inherit the options that they share with pictures.
void understand_figure(const CLI::App& app, RunOptions& run) {
    FigureSpec& figure = run.figure;
    if (app.count("--figure-size") == 0) {
        figure.width = run.width;
        figure.height = run.height;
    }
    figure.light = run.light;
    figure.display = run.display;
    figure.view = run.view;
    if (run.legend && !*run.legend) figure.legend = figure.colour_bars = false;
    check_figure(figure);
    if (run.figures.empty() && !run.films() && run.plots.empty())
        refuse(app, {"--figure-size", "--dpi", "--font-size"},
               ": applies to figures and plots only; give --figure, --plot, --sequence or --video");
    if (run.figures.empty() && !run.films())
        refuse(app, {"--parts", "--figure-title", "--transparent", "--line-width", "--vectors", "--rectangle"},
               ": applies to figures only; give --figure, --sequence or --video");
    if (!run.films())
        return refuse(app, {"--from", "--to", "--every", "--frame-rate"},
                      ": says what --sequence and --video show, and neither is given");
    if (run.every == 0) throw Error("--every 0: expected 1 or more");
    if (run.to < run.from)
        throw Error("--from " + std::to_string(run.from) + " --to " + std::to_string(run.to) + ": that is no step");
    check_frame_rate(run.frame_rate);
    if (run.extent == RunOptions::Extent::kFinish) run.extent = RunOptions::Extent::kStepped;
}

/// One of the exports can be a page, which needs every step.
void settle_exports(RunOptions& run, const std::vector<std::string>& extensions) {
    settle_outputs("--export", run.exports, extensions);
    const auto pages = std::ranges::partition(run.exports, std::not_fn(means_page));
    if (pages.empty()) return;
    if (pages.size() > 1) throw Error("--export: the steps are written as one page; leave the others out");
    run.page = pages.front();
    run.exports.erase(pages.begin(), pages.end());
    if (run.extent == RunOptions::Extent::kFinish) run.extent = RunOptions::Extent::kStepped;
}

/// Exports that describe the picture.
void settle_views(RunOptions& run) {
    const auto views = std::ranges::partition(run.exports, std::not_fn(means_view));
    run.views.assign(views.begin(), views.end());
    run.exports.erase(views.begin(), views.end());
    settle_outputs("--export", run.views, {".json", ".py"});
    if (run.sweep && !run.views.empty()) throw Error("--export " + run.views[0] + " and --sweep exclude each other");
}

/// The options of the data, which replace those of a scenario.
void understand_data(const CLI::App& app, RunOptions& run) {
    DataView& data = run.scenario.data;
    for (const DataOption& one : kDataOptions) {
        const std::string option = std::string("--") + one.name;
        for (const std::string& text : app.get_option(option)->results())
            placed(option, [&] { data.set(one.name, text); });
    }
    if (run.curves.empty() && !data.curve.empty() && !run.plots.empty()) run.curves = {data.curve};
    if (run.plots.empty()) refuse(app, {"--scatter"}, ": says what --plot draws, and no --plot is given");
    PlotPage& page = run.page_of_plots;
    page.log = data.log;
    if (run.figure.font_pt > 0) page.font_pt = run.figure.font_pt;
    if (run.figure.dpi > 0) page.dpi = run.figure.dpi;
    if (app.count("--figure-size") == 0) return;
    page.width_pt = run.figure.width_pt();
    page.height_pt = run.figure.height_pt();
}

/// `kind`: of what is named as the lab.
void understand_run(const CLI::App& app, RunCommand& command, FileKind kind) {
    auto& [run, typed, lab] = command;
    if (!run.resume.empty()) {
        run.resume = io::user_path(run.resume).string();
        refuse_beside_resume(app, command, kind);
    } else if (lab.empty()) {
        throw Error("lab is required, as in: flipscope run build; 'flipscope run --help' has the rest");
    }
    if (kind == FileKind::kScenario) {
        run.scenario = read_scenario(io::user_path(lab));
    } else {
        refuse_file_as_lab(lab, kind);
        run.scenario.lab = lab;
    }
    understand_scenario(app, typed, run.scenario);
    Scenario& scenario = run.scenario;
    if (run.resume.empty() && !scenario.names_input()) scenario.points = example_of(scenario.lab);
    if (run.explored.colour) scenario.colour_by.reset();
    const bool exported = std::ranges::any_of(run.exports, can_mean_selection);
    settle_views(run);
    understand_data(app, run);
    settle_exports(run, export_extensions());
    const bool described = !run.views.empty() || !scenario.data.scatter.empty();
    if (run.explored.any() && !run.draws() && !described)
        throw Error("--colour-by has no effect: it needs --picture, --figure or --scatter");
    if (run.select && !run.draws() && !exported && !run.statistics && !described)
        throw Error("--select has no effect: it needs --picture, --figure, --statistics or --export selection.csv");
    if (scenario.colour_by) run.explored.colour = scenario.colour_by;
    if (!(scenario.data.style == ColourStyle{}) && !run.explored.colour && scenario.places.empty())
        throw Error("--colour-map, -range, -scale and -steps are of a colouring; say which with --colour-by");
    if (!scenario.data.select.empty() && !run.select)
        run.select =
            placed(scenario.place("select"), [&] { return parse_selection(scenario.data.select, "select: "); });
    run.explored.style = scenario.data.style;
    run.explored.size_by = scenario.data.size_by;
    run.statistics = run.statistics || !run.against.empty() || app.count("--within") > 0 || scenario.spatial;
    if (run.beside) {
        const std::string what = "--beside " + run.beside.text;
        if (!run.draws()) throw Error(what + ": it is of pictures, and no --picture or --figure is given");
        if (!run.resume.empty()) throw Error(what + " and --resume exclude each other: the run has begun elsewhere");
        if (!run.adjust.empty()) throw Error(what + " and --adjust exclude each other: the run beside is not changed");
        if (!run.until.empty() && !run.beside.position)
            throw Error(what + " and --until exclude each other: how far the run beside goes is not known");
    }
    run.display = scenario.display;
    run.explored.marks_disclinations = run.display.shows(Exploration::kDisclinationsLayer, false);
    run.explored.structures = structures_of(run.display);
    run.explored.shows_data = run.display.shows(Exploration::kDataLayer, false);
    run.explored.shows_intensity = run.display.shows(IntensityLayer::kName, false);
    using Extent = RunOptions::Extent;
    const bool has_edits = !scenario.edits.empty();
    if (has_edits && !run.save.empty())
        throw Error("--save " + run.save + ": a run with manual edits cannot be saved; its scenario repeats it");
    if (run.extent == Extent::kFinish && (has_edits || !run.history.empty())) run.extent = Extent::kStepped;
    if (!run.until.empty()) {
        if (run.extent == Extent::kFinish) run.extent = Extent::kStepped;
        if (run.sweep) throw Error("--until and --sweep exclude each other");
    }
    understand_figure(app, run);
    understand_sweep(app, run);
    settle_output("--picture", run.picture, {".png"});
    settle_outputs("--figure", run.figures, {".png", ".svg", ".pdf"});
    settle_film(run.sequence, run.video);
    settle_output("--json", run.json);
    settle_outputs("--plot", run.plots, {".svg", ".pdf", ".png", ".csv"});
    settle_output("--save", run.save, {kStateExtension});
    std::vector<std::string> outputs{run.json, run.picture, run.page, run.video};
    for (const auto* const more : {&run.exports, &run.figures, &run.plots})
        outputs.insert(outputs.end(), more->begin(), more->end());
    keep_inputs({scenario.input, scenario.tracks, scenario.field, scenario.triangles,
                 scenario.within.substr(0, scenario.within.find('#'))},
                outputs);
}

/// `flipscope run lesson.json`: rejects options of `run` that concern a single run.
void understand_lesson(const CLI::App& app, RunOptions& run) {
    static constexpr const char* kKnown[] = {"--export",  "--json",  "--quiet",    "--device",
                                             "--threads", "--size",  "--light",    "--block-size",
                                             "--sharing", "--video", "--sequence", "--frame-rate"};
    std::vector<const CLI::App*> parts{&app};  // groups of mutually exclusive options
    for (const CLI::App* group : app.get_subcommands([](const CLI::App*) { return true; })) parts.push_back(group);
    for (const CLI::App* part : parts)
        for (const CLI::Option* option : part->get_options())
            if (option->count() > 0 && !option->get_positional() &&
                std::ranges::find(kKnown, option->get_name()) == std::end(kKnown))
                throw Error(option->get_name() + ": is of one run, and a lesson has several; leave it out");
    settle_exports(run, {".html"});
    settle_film(run.sequence, run.video);
    if (!run.films()) refuse(app, {"--frame-rate"}, ": says what --sequence and --video show, and neither is given");
    if (run.frame_rate != 0 || !run.video.empty()) check_frame_rate(run.frame_rate);
    if (app.count("--size") == 0) {
        run.width = run.films() ? 1280 : 1024;
        run.height = run.films() ? 720 : 640;
    }
    settle_output("--json", run.json);
}

}  // namespace

Prepare add_run(CLI::App& app) {
    const auto command = std::make_shared<RunCommand>();
    RunOptions& to = command->run;
    // One option: the lab can be given with or without --lab, as for the window.
    add(app, "lab,--lab", "LAB", command->lab,
        "A lab (see 'flipscope list labs'), a scenario or a lesson (.json); with --resume it may be left out");
    add_input_options(app, command->typed);
    add_device_options(app, to.device);
    auto* extent = app.add_option_group("extent", "How far");
    extent->add_flag("--finish")->description("To the end with as few round trips as it can (default)");
    extent->add_flag_callback(
        "--stepped", [&to] { to.extent = RunOptions::Extent::kStepped; },
        "To the end, pass by pass; a very long run lists its last 65,536 passes and sums up all");
    const auto add_extent = [&](const char* name, RunOptions::Extent kind, const char* help) {
        const auto set_extent = [&to, kind](uint64_t count) { to.extent = kind, to.count = count; };
        add_parsed<uint64_t>(*extent, name, "N", set_extent, help)->check(not_negative());
    };
    add_extent("--steps", RunOptions::Extent::kSteps, "This many passes; with --resume this many more");
    add_extent("--rounds", RunOptions::Extent::kRounds, "This many rounds; with --resume this many more");
    extent->require_option(0, 1);
    add(app, "--until", "WHEN", to.until,
        "Stops after the first step at which this holds, and says why: 'pass=NAME', a counter or a measure as in "
        "'illegal > 1000', 'changes edge:12', 'differences', 'check fails' or 'check finds CODE'; may be repeated. "
        "The step after which a check fails is found by bisection over the run; --steps and --rounds limit how far "
        "it goes");
    app.add_flag(
        "--check", to.check,
        "Checks the result: a triangulation with exact predicates, colours, graph and events of a lattice against "
        "a plain recomputation; exit status 1 if it fails. The end of a run whose predicates are not exact is "
        "always checked. A mesh is checked after the lab's passes; with --steps 0 as it was given");
    app.add_flag("--statistics", to.statistics,
                 "Measures the points and triangles that the lab shows in the end: degrees, angles, lengths, "
                 "areas, Voronoi cells, order, pair correlation, structure factor, number variance, discrepancy; "
                 "for the summary, --json and --plot");
    add_parsed(
        app, "--colour-by", "QUANTITY", [&to](const std::string& text) { to.explored.colour = Explored(text); },
        "Colours vertices (or their Voronoi cells), edges or triangles of pictures and figures by a quantity of "
        "--statistics or a column of the input; see 'flipscope list arrays'");
    for (const DataOption& one : kDataOptions)
        app.add_option(std::string("--") + one.name, one.help)->type_name(one.value);
    add_parsed(
        app, "--select", "QUANTITY:LOW..HIGH",
        [&to](const std::string& text) { to.select = parse_selection(text, "--select: "); },
        "Marks the elements whose quantity lies in a range, degree:7..20, those with a value, species=oak,beech, "
        "or by their ids: vertex:3,17,40..60, point:5, edge:12, triangle:0..9");
    add(app, "--against", "SPEC|FILE", to.against,
        "Another input, a generator or a file of points: the distributions of its triangulation are compared with "
        "those of --statistics, with Kolmogorov–Smirnov distances");
    for (const auto& [name, value, sentence] : SpatialRequest::option_list())
        add_parsed(
            app, ("--" + std::string(name)).c_str(), value,
            [command, name](const std::string& text) { command->typed.spatial.emplace_back(name, text); }, sentence);
    add(app, "--json", "FILE", to.json, "Writes the results as JSON; '-' for stdout");
    add(app, "--export", "FILE", to.exports,
        "Writes the triangulation, what the lab detects (events.csv, differences.csv), what fails its check "
        "(failures.csv), its numbers (results.csv), statistics (statistics.csv, histograms.csv, curves.csv), "
        "tables of points, edges, triangles or cells (points.csv, cells.geojson), what --inspect asks for "
        "(inspected.csv), what --select selects (selection.csv), an array (NAME.npy or NAME.csv), the points "
        "over time that the lab has recorded (.xyz) or all steps as a page for a browser (.html); see 'flipscope list "
        "formats' and 'flipscope list arrays'; may "
        "be repeated");
    add(app, "--inspect", "KIND:ID", to.inspect,
        "Explains an element as the window does when it is clicked: vertex:ID, edge:ID, triangle:ID, pixel:X,Y, "
        "point:INDEX or name:NAME as the input has them, or at:X,Y; in a race @1 at the end means the second view; "
        "may be repeated");
    add(app, "--history", "KIND:ID", to.history,
        "Lists the passes that made, flipped or changed an edge or triangle or inserted a point, up to where the "
        "run ends: KIND:ID as for --inspect. The run then goes pass by pass; may be repeated");
    add_parsed<std::vector<std::string>>(
        app, "--adjust", "ROUND:NAME=VALUE,…",
        [&to](const std::vector<std::string>& texts) { to.adjust = parse_adjustments(texts); },
        "Changes parameters during the run, at the end of a round (0: before the first), as the window does: "
        "1000:dt=0.001; of one round all at once. May be repeated; with --resume rounds count from the first one "
        "of the run. 'flipscope list parameters' says which can change")
        ->allow_extra_args(false);
    add(app, "--picture", "FILE.png", to.picture, "Draws a picture");
    add_parsed(
        app, "--beside", "PASSES|end|SPEC|FILE", [&to](const std::string& text) { to.beside = parse_beside(text); },
        "What pictures and figures show at the left of the run, seen the same way: an earlier or later moment of "
        "it (a number of passes, or \"end\"), or the lab on another input");
    add(app, "--figure", "FILE", to.figures,
        "Draws a figure for a page: a picture of any size (.png), or a vector drawing with layers (.svg, .pdf); "
        "may be repeated");
    add_parsed(
        app, "--figure-size", "WxH[mm]",
        [&to](const std::string& text) { set_figure_size(to.figure, text, "--figure-size"); },
        "Size of figures, in pixels or as 160x100mm (as --size says, or 1280x800)");
    app.add_option("--dpi", to.figure.dpi,
                   "Pixels per inch of figures: with millimetres how fine they are (300), with pixels how thick "
                   "lines and text are in them");
    add_parsed(
        app, "--parts", "PART,…", [&to](const std::string& text) { set_figure_parts(to.figure, text, "--parts"); },
        "What stands beside the picture of a figure: legend, colour-bar, scale-bar, title, axes, all or none "
        "(legend,colour-bar,scale-bar)");
    app.add_option("--figure-title", to.figure.title_text, "The title of figures; without it, that of the lab");
    app.add_flag("--transparent", to.figure.transparent, "Figures have no background");
    add(app, "--font-size", "POINTS", to.figure.font_pt,
        "Size of the letters in figures and plots, in points (figures: 5 to 9, by their width; plots: 10)");
    add(app, "--line-width", "POINTS", to.figure.line_pt,
        "Width of plain lines in figures, in points; other lines and dots scale with it (by default it depends on "
        "how close the points lie)");
    add(app, "--vectors", "N", to.figure.most_vectors,
        "Up to how many visible elements a vector figure has as shapes; with more they are an image within it "
        "(5000)");
    add_parsed(
        app, "--rectangle", "X,Y,X,Y",
        [&to](const std::string& text) { set_figure_rectangle(to.figure, text, "--rectangle"); },
        "What figures show: two opposite corners, in world units");
    add(app, "--sequence", "DIR/%05d.png", to.sequence,
        "Draws a figure after every step of the run, with --from, --to and --every after some of them, into "
        "numbered files");
    add(app, "--video", "FILE", to.video,
        "The same as a video, by ffmpeg (.mp4, .mkv, .webm). Of a lesson both show its steps as they are played, "
        "with the words");
    add(app, "--from", "STEP", to.from, "The first step that is shown (0: before the first pass)");
    add(app, "--to", "STEP", to.to, "The last one; the run ends there");
    add(app, "--every", "N", to.every, "Steps from one figure to the next (1)");
    add(app, "--frame-rate", "N", to.frame_rate,
        "Pictures per second of the video (25); of a lesson, 0: one of each step");
    add(app, "--save", "FILE.state", to.save,
        "Saves the state at the end of the run, to go on from there with --resume; it must end between rounds, as "
        "--rounds does");
    add(app, "--resume", "FILE.state", to.resume,
        "Goes on with a saved run: its lab, parameters, input and state; --steps and --rounds are then how many "
        "more. The result is the same as without a break, on any device");
    add_parsed(
        app, "--sweep", "NAME=VALUE,…", [&to](const std::string& text) { to.sweep = parse_sweep(text); },
        "Runs once for each of several values of a parameter, for --plot, --json and the summary");
    add(app, "--plot", "FILE", to.plots,
        "Draws the run's curves (.svg, .pdf, .png), those of a sweep over each other, or writes them as a table "
        "(.csv); may be repeated");
    add(app, "--curve", "NAME", to.curves,
        "Which curve: one of the lab's own (all of them, without this option), a distribution, or a counter or "
        "measure round by round; may be repeated");
    add_size(app, to.width, to.height, "Size of the picture (1280x800)");
    add_parsed(
        app, "--view", "AZIMUTH,ELEVATION", [&to](const std::string& text) { to.view = parse_view(text); },
        "From where the picture shows a surface or the paraboloid, in degrees, e.g. -60,25");
    add_display_options(app, command->typed);
    app.add_flag("--light", to.light, "Light theme for the picture");
    app.add_flag_function(
        "--legend,!--no-legend", [&to](int64_t given) { to.legend = given > 0; },
        "Draws the legend and colour bars beside or below the picture, or leaves them out (default: drawn from "
        "480x320 on)");
    app.add_flag(
        "--kernel-times", to.times_kernels,
        "Times every kernel on a GPU, which adds about 3 µs to each launch; kernels on CPU threads are always timed");
    app.add_flag("--quiet", to.quiet, "No summary and no progress");
    return [command, &app]() -> Execute {
        const FileKind kind = file_kind(command->lab);
        if (kind == FileKind::kLesson) {
            understand_lesson(app, command->run);
            return [command] { return run_lesson(io::user_path(command->lab).string(), command->run); };
        }
        understand_run(app, *command, kind);
        return [command] { return run_headless(command->run); };
    };
}

}  // namespace flipscope::app
