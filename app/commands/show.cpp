// `flipscope [FILE]`: opens the window.
#include <csignal>
#include <memory>

#include "app/base/folders.h"
#include "app/base/signals.h"
#include "app/commands/options.h"
#include "app/run/lesson.h"
#include "app/run/run.h"
#include "app/window/window.h"
#include "compute/error.h"
#include "compute/printable.h"
#include "compute/suggest.h"
#include "io/files.h"
#include "lab/registry.h"

namespace flipscope::app {

namespace {

struct ShowOptions {
    Typed typed;
    Scenario scenario;
    DeviceOptions device;
    bool light = false, dark = false, motion = false, no_motion = false, play = false;
    bool control_stdin = false;
    /// The visible part of the plane when the window opens without points.
    std::optional<Window> empty_window;
    std::string lab;
    std::string lesson;  // a file whose first step is the scenario; or empty
    std::string file;    // the opened file; or empty
    int width = 1280, height = 800;
    // Whether preferences apply where the command line is silent.
    bool no_preferences = false;  // neither read nor write preferences
    bool has_size = false;        // given on the command line
    bool names_nothing = false;   // neither a lab nor an input is given
};

/// A mistyped command looks like a file name; and a lab's name may equal that of a folder, such as build.
void refuse_command(const CLI::App& program, const std::string& word) {
    std::error_code ignored;
    const bool folder = std::filesystem::is_directory(word, ignored);
    if (word.find_first_of("./") != std::string::npos || (!folder && std::filesystem::exists(word, ignored))) return;
    for (const auto& entry : registry())
        if (word == entry.id)
            throw Error("\"" + word + "\" is a lab: flipscope --lab " + word + " opens it, flipscope run " + word +
                        " runs it without a window" + (folder ? "; the folder of this name is ./" + word : ""));
    if (folder) return;
    std::vector<std::string> commands;
    for (const CLI::App* one : program.get_subcommands([](const CLI::App*) { return true; }))
        commands.push_back(one->get_name());
    const std::string meant = nearest_word(word, commands);
    throw Error(excerpt(word) + " is neither a command (" + join_words(commands, ", ") + ") nor a file" +
                (meant.empty() ? "" : "; did you mean \"" + meant + "\"?"));
}

void understand_show(const CLI::App& app, ShowOptions& show) {
    const Typed& typed = show.typed;
    const bool beside = !typed.input.empty() || !typed.field.empty() || !typed.tracks.empty();
    const FileKind kind = file_kind(show.file);
    const bool given = !show.file.empty() || !typed.points.empty() || beside;
    if (show.empty_window) {
        if (given) throw Error("--window: it opens a canvas without points, but an input is given; leave one out");
        show.scenario.points = "uniform:0";
    } else if (!given && !show.lab.empty()) {
        show.scenario.points = example_of(show.lab);
    } else if (!given) {
        show.scenario.points = "uniform:60";  // few enough to read and to step through
    } else if (kind == FileKind::kLesson) {
        const Lesson lesson = read_lesson(io::user_path(show.file));
        show.lesson = io::user_path(show.file).string();
        show.scenario = lesson.steps.front().scenario;
    } else if (kind == FileKind::kScenario) {
        show.scenario = read_scenario(io::user_path(show.file));
    } else if (!show.file.empty()) {
        for (const auto& [option, named] : {std::pair{"--points ", typed.points}, {"--input ", typed.input}})
            if (!named.empty())
                throw Error("\"" + show.file + "\" and " + option + named + " both name the input; leave one out");
        refuse_command(app, show.file);
        show.scenario.input = io::user_path(show.file);
    }
    understand_scenario(app, typed, show.scenario);
    if (!show.lab.empty()) {
        show.scenario.lab = show.lab;
        show.scenario.places.erase("lab");
    }
    if (show.play) {
        show.scenario.play = true;
        show.scenario.at.reset();
    }
    show.has_size = app.count("--size") > 0;
    show.names_nothing = !given && !show.empty_window && show.lab.empty() && typed.settings.empty() && !typed.seed &&
                         typed.shown.empty() && typed.hidden.empty() && !typed.angles;
    if (show.file.empty())
        show.file = !typed.input.empty()    ? typed.input
                    : !typed.points.empty() ? ""
                    : !typed.field.empty()  ? typed.field
                                            : typed.tracks;
}

/// The scenario that explains itself to a newcomer; empty: another run is named, or the installation lacks it.
std::string first_scenario(const ShowOptions& options, const std::string& last_lab) {
    const bool is_new = options.names_nothing && last_lab.empty() && !options.no_preferences && !options.play;
    const std::vector<std::filesystem::path> lessons = shipped_lessons();
    if (!is_new || lessons.empty()) return "";
    const std::filesystem::path file = lessons.front().parent_path().parent_path() / "demo.json";
    std::error_code ignored;
    return std::filesystem::exists(file, ignored) ? file.string() : "";
}

/// In the lab that was open last, where the command line names none and nothing to open in one.
Run prepared(const ShowOptions& options, const std::string& last_lab, const std::string& first) {
    Scenario scenario = options.scenario;
    if (!first.empty()) {
        scenario = read_scenario(first);
        scenario.presenter_scale = options.scenario.presenter_scale;
    }
    if (options.names_nothing && !last_lab.empty() && last_lab != scenario.lab) {
        scenario.lab = last_lab;
        scenario.play = false;
        try {
            scenario.points = example_of(last_lab);
            return Run(scenario, options.device.block_size);
        } catch (const Error&) {
            scenario = options.scenario;  // a lab of another version, or one that needs a file
        }
    }
    return Run(scenario, options.device.block_size);
}

int show(const ShowOptions& options) {
    tidy_up_when_ended_by(SIGINT);
    std::optional<PreferencesFile> file;
    std::vector<std::string> warnings;
    Preferences remembered;
    if (!options.no_preferences) {
        file.emplace(config_folder());
        remembered = file->read(warnings);
    }
    const std::string first = first_scenario(options, remembered.lab);
    WindowOptions window{.run = prepared(options, remembered.lab, first)};  // or it fails before a window opens
    for (const auto& note : window.run.input().notes) tell(note);

    window.remembers = !options.no_preferences;
    window.remembered = remembered;
    window.preferences_file = std::move(file);
    window.warnings = std::move(warnings);
    window.device = options.device;
    window.light = options.light || options.dark ? options.light : remembered.light;
    window.motion = options.motion || (remembered.motion && !options.no_motion);
    const bool sized = options.has_size || remembered.width == 0 || remembered.height == 0;
    window.width = sized ? options.width : remembered.width;
    window.height = sized ? options.height : remembered.height;
    window.is_sized = options.has_size;
    window.lesson = options.lesson;
    if (options.empty_window) window.empty_window = Bounds{options.empty_window->low, options.empty_window->high};
    window.file = first.empty() ? options.file : first;
    window.control_stdin = options.control_stdin;
    return run_window(std::move(window));
}

}  // namespace

Prepare add_show(CLI::App& app) {
    const auto options = std::make_shared<ShowOptions>();
    ShowOptions& to = *options;
    add(app, "file", "FILE", to.file,
        "Points, a mesh, an image, tracks (see 'flipscope list formats'), a scenario or a lesson (.json)");
    add(app, "--lab", "LAB", to.lab, "A lab (see 'flipscope list labs'); without it, the one for such an input");
    add_input_options(app, to.typed);
    add_device_options(app, to.device);
    add_display_options(app, to.typed);
    add_size(app, to.width, to.height, "Size of the window, e.g. 1280x800");
    add_parsed(
        app, "--window", "LEFT,LOWER,RIGHT,UPPER",
        [&to](const std::string& text) { to.empty_window = parse_window("--window", text); },
        "Opens an empty canvas that shows this part of the plane, to draw points on");
    app.add_flag("--light", to.light, "Light theme");
    app.add_flag("--dark", to.dark, "Dark theme")->excludes(app.get_option("--light"));
    app.add_flag("--motion", to.motion, "Flips turn and new elements fade in when the run takes a step");
    app.add_flag("--no-motion", to.no_motion, "Steps are shown at once")->excludes(app.get_option("--motion"));
    app.add_flag("--no-preferences", to.no_preferences,
                 "Neither reads nor writes preferences and the list of recent files");
    app.add_flag("--play", to.play, "Starts playing at once");
    app.add_flag("--control-stdin", to.control_stdin, "Reads commands such as 'status' from stdin");
    return [options, &app] {
        understand_show(app, *options);
        return [options] { return show(*options); };
    };
}

}  // namespace flipscope::app
