// The program: understands the command line, then opens the window, runs without one, or prints. Everything that can go
// wrong ends here as one sentence on stderr and an exit status.
#include <csignal>
#include <exception>
#include <memory>
#include <new>
#include <string>

#include "app/base/endings.h"
#include "app/base/termination.h"
#include "app/base/user_folders.h"
#include "app/commands/headless.h"
#include "app/commands/lesson_run.h"
#include "app/commands/listing.h"
#include "app/commands/options.h"
#include "app/commands/sheet.h"
#include "app/judging/check_file.h"
#include "app/judging/predicate_command.h"
#include "app/judging/shrink_command.h"
#include "app/judging/torture.h"
#include "app/run/runs.h"
#include "app/window/window.h"

namespace flipscope::app {

namespace {

/// In the lab that was open last, where the command line names none and nothing to open in one.
PreparedRun prepared(const ShowOptions& options, const std::string& last_lab) {
    Scenario scenario = options.scenario;
    if (options.names_nothing && !last_lab.empty() && last_lab != scenario.lab) {
        scenario.lab = last_lab;
        scenario.play = false;
        try {
            scenario.points = example_of(last_lab);
            return prepare_run(scenario, options.device.block_size);
        } catch (const Error&) {
            scenario = options.scenario;  // a lab of another version, or one that needs a file
        }
    }
    return prepare_run(scenario, options.device.block_size);
}

int show(const ShowOptions& options) {
    tidy_up_when_ended_by(SIGINT);
    WindowOptions window;
    window.remembers = options.remembers;
    if (options.remembers) {
        window.preferences_file.emplace(config_folder());
        window.remembered = window.preferences_file->read(window.warnings);
    }
    const Preferences& remembered = window.remembered;
    const PreparedRun run = prepared(options, remembered.lab);  // or it fails before a window opens
    const auto& [scenario, input, lab] = run;
    for (const auto& note : input.notes) tell(note);

    window.lab = scenario.lab;
    window.input = input.geometry;
    window.origin = scenario;
    window.device = options.device.device;
    window.threads = options.device.threads;
    window.parameters = scenario.parameters;
    window.play = scenario.play;
    window.at = scenario.at;
    window.failure = scenario.failure;
    window.presenter_scale = scenario.presenter_scale;
    window.look = scenario.look;
    window.colour_by = scenario.colour_by;
    window.light = options.has_theme ? options.light : remembered.light;
    const bool sized = options.has_size || remembered.width == 0 || remembered.height == 0;
    window.width = sized ? options.size.width : remembered.width;
    window.height = sized ? options.size.height : remembered.height;
    window.is_sized = options.has_size;
    window.shared_memory = options.device.shared_memory;
    window.source_text = input.text;
    window.seed = input.seed;
    window.title = scenario.title;
    window.note = scenario.note;
    window.notes = input.notes;
    window.lesson = options.lesson;
    if (options.empty_window) {
        window.empty_window = PlaneBounds{options.empty_window->low, options.empty_window->high};
        auto canvas = std::make_shared<Geometry>();
        canvas->name = "empty canvas";
        window.input = std::move(canvas);
    }
    window.file = options.file;
    window.control_stdin = options.control_stdin;
    return run_window(window);
}

int run(const Options& options) {
    switch (options.command) {
        case Command::kShow:
            return show(options.show);
        case Command::kRun:
            return run_headless(options.run);
        case Command::kLesson:
            return run_lesson(options.lesson);
        case Command::kRead:
            return read_file(options.read);
        case Command::kPredicate:
            return evaluate_predicate(options.predicate);
        case Command::kSheet:
            return draw_sheet(options.sheet);
        case Command::kCheck:
            return check_file(options.check);
        case Command::kShrink:
            return run_shrink(options.shrink);
        case Command::kTorture:
            return run_torture(options.torture);
        case Command::kList:
            print_list(options.list, options.list_lab);
            return kSuccess;
        case Command::kInfo:
            print_info();
            return kSuccess;
        case Command::kNothing:
            return options.status;
    }
    return kWrongUse;
}

}  // namespace

}  // namespace flipscope::app

int main(int argc, char** argv) {
    using namespace flipscope::app;
    try {
        prepare_streams();
        tidy_up_when_ended();
        const int status = run(parse_options(argc, argv));
        require_printed();
        return status;
    } catch (const std::bad_alloc&) {
        end_out_of_memory();
    } catch (...) {
        const Ending ending = ending_of(std::current_exception());
        tell(ending.sentence);
        return ending.status;
    }
}
