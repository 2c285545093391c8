// The program: understands the command line, then opens the window, runs without one, or prints. Everything that can go
// wrong ends here as one sentence on stderr and an exit status.
#include <csignal>
#include <exception>
#include <memory>
#include <new>
#include <string>

#include "app/base/endings.h"
#include "app/base/folders.h"
#include "app/base/signals.h"
#include "app/commands/headless.h"
#include "app/commands/lesson_run.h"
#include "app/commands/listing.h"
#include "app/commands/options.h"
#include "app/commands/sheet.h"
#include "app/judging/check_file.h"
#include "app/judging/predicate_command.h"
#include "app/judging/shrink_command.h"
#include "app/judging/torture.h"
#include "app/run/run.h"
#include "app/window/window.h"

namespace flipscope::app {

namespace {

/// In the lab that was open last, where the command line names none and nothing to open in one.
Run prepared(const ShowOptions& options, const std::string& last_lab) {
    Scenario scenario = options.scenario;
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
    if (options.remembers) {
        file.emplace(config_folder());
        remembered = file->read(warnings);
    }
    WindowOptions window{.run = prepared(options, remembered.lab)};  // or it fails before a window opens
    for (const auto& note : window.run.input().notes) tell(note);

    window.remembers = options.remembers;
    window.remembered = remembered;
    window.preferences_file = std::move(file);
    window.warnings = std::move(warnings);
    window.device = options.device;
    window.light = options.has_theme ? options.light : remembered.light;
    const bool sized = options.has_size || remembered.width == 0 || remembered.height == 0;
    window.width = sized ? options.size.width : remembered.width;
    window.height = sized ? options.size.height : remembered.height;
    window.is_sized = options.has_size;
    window.lesson = options.lesson;
    if (options.empty_window) window.empty_window = Bounds{options.empty_window->low, options.empty_window->high};
    window.file = options.file;
    window.control_stdin = options.control_stdin;
    return run_window(std::move(window));
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
