// The program: understands the command line, then opens the window, runs without one, or prints. Everything that can go
// wrong ends here as one sentence on stderr and an exit status.
#include <cstdio>
#include <exception>
#include <new>
#include <stdexcept>

#include "app/headless.h"
#include "app/listing.h"
#include "app/options.h"
#include "app/window.h"
#include "compute/error.h"

namespace flipscope::app {

namespace {

int show(const ShowOptions& options) {
    Scenario scenario = options.scenario;
    if (!scenario.lab.empty()) make_lab(scenario);  // a wrong name is said before anything is read
    Input input = load_input(scenario);
    settle_lab(scenario, input);
    if (options.device.block_size) add_block_size(scenario, *options.device.block_size);
    make_lab(scenario);  // and wrong parameters before a window opens
    for (const auto& note : input.notes) std::fprintf(stderr, "flipscope: %s\n", note.c_str());

    WindowOptions window;
    window.lab = scenario.lab;
    window.input = input.geometry;
    window.device = options.device.device;
    window.threads = options.device.threads;
    window.parameters = scenario.parameters;
    window.play = scenario.play;
    window.presenter_scale = scenario.presenter_scale;
    window.look = scenario.look;
    window.light = options.light;
    window.width = options.size.width;
    window.height = options.size.height;
    window.shared_memory = options.device.shared_memory;
    window.source_text = input.text;
    window.seed = input.seed;
    window.control_stdin = options.control_stdin;
    try {
        return run_window(window);
    } catch (const std::runtime_error& error) {  // no display, no OpenGL 4.5: not ours to mend
        throw Error(error.what());
    }
}

int printed() {
    if (std::fflush(stdout) == 0 && !std::ferror(stdout)) return kSuccess;
    throw Error("standard output cannot be written: is the disk full?");
}

int run(const Options& options) {
    switch (options.command) {
        case Command::kShow:
            return show(options.show);
        case Command::kRun:
            return run_headless(options.run);
        case Command::kList:
            print_list(options.list);
            return printed();
        case Command::kInfo:
            print_info();
            return printed();
        case Command::kNothing:
            return options.status;
    }
    return kWrongUse;
}

int complain(const char* sentence, int status) {
    std::fprintf(stderr, "flipscope: %s\n", sentence);
    return status;
}

}  // namespace

}  // namespace flipscope::app

int main(int argc, char** argv) {
    using namespace flipscope::app;
    try {
        return run(parse_options(argc, argv));
    } catch (const flipscope::Error& error) {
        return complain(error.what(), kWrongUse);
    } catch (const std::bad_alloc&) {
        return complain("out of memory; try fewer points", kFailed);
    } catch (const std::exception& error) {
        return complain(error.what(), kFailed);
    }
}
