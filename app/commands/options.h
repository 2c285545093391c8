// Options that several commands share, and what they mean. Each command's file declares its options with these
// functions; commands.cpp calls the commands.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <initializer_list>
#include <optional>
#include <string>
#include <vector>

#include "app/commands/commands.h"
#include "app/judging/failing.h"
#include "app/run/run.h"
#include "app/run/scenario.h"
#include "io/read_options.h"
#include "judge/point_kinds.h"
#include "statistics/window.h"

namespace flipscope::app {

/// A negative number would wrap around to a huge one.
CLI::Validator not_negative();

/// An option with a value, or with a list that each further use extends by one.
template <typename T>
CLI::Option* add(CLI::App& app, const char* names, const char* type, T& value, const char* help) {
    return app.add_option(names, value, help)->type_name(type)->allow_extra_args(false);
}

/// An option whose value is passed on at once.
template <typename T = std::string>
CLI::Option* add_parsed(CLI::App& app, const char* names, const char* type,
                        const std::function<void(const std::type_identity_t<T>&)>& parse, const std::string& help) {
    return app.add_option_function<T>(names, parse, help)->type_name(type);
}

/// A positional path.
CLI::Option* add_file(CLI::App& app, const char* names, const char* type, std::filesystem::path& file,
                      const char* help);
void add_threads(CLI::App& app, int& threads);
void add_read_options(CLI::App& app);
void understand_reading(const CLI::App& app, ReadOptions& read);

/// Throws Error for the first of these options that is given.
void refuse(const CLI::App& app, std::initializer_list<const char*> options, const std::string& why);

/// The kinds that points are or must be.
void add_kinds(CLI::App& app, const char* name, PointKinds& kinds, const char* help);
/// A program under test.
void add_program_options(CLI::App& app, ProgramRequest& program,
                         const std::string& requirement = "What its answers must be");

/// Values of options that override a scenario file. Shared by the window, `run` and `shrink`.
struct Typed {
    std::string points, input, triangles, field, tracks, within;
    std::vector<std::string> settings;
    std::optional<uint64_t> seed;
    std::vector<std::string> shown, hidden;  // layers
    bool angles = false;
    std::optional<double> presenter_scale, beta, alpha;
    std::vector<std::pair<std::string, std::string>> spatial;  // options of SpatialRequest
};

void add_input_options(CLI::App& app, Typed& typed);
/// Layers that a picture or the window shows at first.
void add_display_options(CLI::App& app, Typed& typed);
/// The command line overrides a scenario file.
void understand_scenario(const CLI::App& app, const Typed& typed, Scenario& scenario);

void add_device_options(CLI::App& app, DeviceOptions& device);
/// `--size`, in pixels.
void add_size(CLI::App& app, int& width, int& height, const char* help);
Window parse_window(const std::string& option, const std::string& text);

/// Resolves the path of an output file; empty: none is wanted. Checks early, not after a long run, that it is writable
/// and that its format is known. Without `extensions`: of any name, or "-" for stdout.
void settle_output(const std::string& option, std::string& file, const std::vector<std::string>& extensions = {});
void settle_outputs(const std::string& option, std::vector<std::string>& files,
                    const std::vector<std::string>& extensions);
/// Throws Error if an output would replace a file that the command reads.
void keep_inputs(const std::vector<std::filesystem::path>& inputs, const std::vector<std::string>& outputs);

}  // namespace flipscope::app
