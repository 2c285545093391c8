#include "app/commands/commands.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <filesystem>

#include "compute/error.h"
#include "compute/printable.h"
#include "compute/suggest.h"

namespace flipscope::app {

AddCommand add_show, add_run, add_read, add_predicate, add_check, add_shrink, add_torture, add_sheet, add_list,
    add_info;

namespace {

/// In the order of --help. Without a command the program opens the window: add_show().
constexpr struct {
    const char *name, *help;
    AddCommand* add;
} kCommands[] = {
    {"run", "Runs a lab without a window", add_run},
    {"read", "Prints what would be read of a file: columns and their roles, box, frames, first rows", add_read},
    {"predicate", "Evaluates a predicate for points of a file: in floats, in doubles and exactly", add_predicate},
    {"check", "Judges triangulations: are they triangulations, of all points, of the whole hull, Delaunay?", add_check},
    {"shrink", "The fewest and simplest points that still show a failure", add_shrink},
    {"torture", "Runs another program on every generator and on small adversarial sets, and judges its answers",
     add_torture},
    {"sheet", "Draws every lab on its example, with titles and legends, into one picture", add_sheet},
    {"list", "Lists labs, their passes, parameters and arrays, generators, file formats, defects and keys", add_list},
    {"info", "Devices, drivers, OpenGL and how memory is shared with it", add_info}};

/// An empty argument, for example from an unset shell variable, would count as absent and run something else; where no
/// argument is expected, CLI11 would wait forever.
void refuse_empty(int argc, char** argv) {
    for (int i = 1; i < argc; ++i) {
        const std::string word = argv[i];
        const bool assigns = word.starts_with("--") && word.find('=') == word.size() - 1;  // "--input="
        if (!word.empty() && !assigns) continue;
        const std::string before = assigns ? word.substr(0, word.size() - 1) : i > 1 ? argv[i - 1] : "";
        throw Error((before.starts_with("--") ? before + ": " : "") + "expected a name, found nothing: argument " +
                    std::to_string(i) + " is empty");
    }
}

constexpr const char* kExamples = R"(Examples:
  flipscope                                     open the window on a few points, before the first pass
  flipscope points.xy                           … on the points or the mesh of a file (or a scenario.json)
  flipscope --points ring:500                   … on generated points
  flipscope run build --points uniform:100000 --check
  flipscope run build --points grid:1e4 --set predicate=float-circumcentre --check --picture grid.png
  flipscope run build --input points.csv --export mesh.ply --json -
  flipscope run build --points uniform:1000 --steps 12 --picture step12.png
  flipscope run flip --mesh torus-knot:20000 --angles --picture knot.png
  flipscope run flip --input mesh.ply --check --export mended.ply
  flipscope run flip --input mesh.ply --steps 0 --check
  flipscope run voronoi --field logo.png --set count=2500 --set lloyd=50 --hide cells,links,marks,overlay \
      --light --picture stipple.png
  flipscope run events --set source=channel --export events.csv
  flipscope run events --tracks foam.csv --json -
  flipscope run events --rounds 20 --save run.state
  flipscope run --resume run.state --json -     … goes on with it to its end
  flipscope run events --set source=emulsion --sweep packing=0.5,0.7,0.9 --plot profiles.svg
  flipscope run lesson.json --export lesson.html  checks a lesson, and makes a page to hand out
  flipscope sheet --picture labs.png            every lab on its example, in one picture
  flipscope read trees.csv                      which columns are x and y, what is missing
  flipscope predicate incircle points.xy 0 1 2 3   the determinant in floats, doubles and exactly
  flipscope check mesh.ply --export failures.csv
  flipscope check points.xy out.tri --json -    judges what another program made of the points
  flipscope check points.xy                     … and what is degenerate about points
  flipscope shrink --points near-ring:10000 --set predicate=float-circumcentre --out small.json
  flipscope torture --command './mine {points} {triangles}' --report torture.html
  flipscope list generators
  flipscope list parameters particles
  flipscope info

Exit status: 0 done, 1 the check failed, 2 wrong use or unreadable input, 3 out of memory or a failed device,
130 ended by Ctrl-C.)";

/// An option before the command would silently have no effect.
void refuse_misplaced(const CLI::App& program, const std::string& command) {
    for (const CLI::Option* option : program.get_options())
        if (option->count() > 0)
            throw Error((option->get_positional() ? "\"" + option->results().front() + "\"" : option->get_name()) +
                        " stands before \"" + command + "\", where it has no effect; move it after the command");
}

/// `; did you mean --check?` for a mistyped option; otherwise empty.
std::string suggestion(const CLI::App& app, const std::vector<std::string>& arguments) {
    std::vector<std::string> known;
    for (const CLI::Option* option : app.get_options())
        for (const auto& name : option->get_lnames()) known.push_back("--" + name);
    for (const auto& argument : arguments) {
        const std::string name = argument.substr(0, argument.find('='));
        if (name.rfind("--", 0) != 0 || std::ranges::find(known, name) != known.end()) continue;
        const std::string meant = nearest_word(name, known);
        if (!meant.empty()) return "; did you mean " + meant + "?";
    }
    return {};
}

int explain(const CLI::App& program, const CLI::ParseError& error, const std::vector<std::string>& arguments) {
    if (error.get_exit_code() == 0) return program.exit(error);  // --help, --version
    const auto commands = program.get_subcommands();
    const CLI::App& app = commands.empty() ? program : *commands.front();
    std::string hint = dynamic_cast<const CLI::ExtrasError*>(&error) ? suggestion(app, arguments) : "";
    std::error_code ignored;
    for (const std::string& word : app.remaining())
        if (hint.empty() && app.get_name() == "run" && std::filesystem::exists(word, ignored))
            hint = "; a file is named as in: --input " + word;
    std::fprintf(stderr, "flipscope: %s\nTry 'flipscope %s--help'.\n", printable(error.what() + hint).c_str(),
                 commands.empty() ? "" : (app.get_name() + " ").c_str());
    return kWrongUse;
}

}  // namespace

ParsedCommand parse_options(int argc, char** argv) {
    refuse_empty(argc, argv);
    CLI::App program{"Flipscope, a laboratory for Delaunay triangulations on the GPU.", "flipscope"};
    program.set_version_flag("--version", "flipscope " FLIPSCOPE_VERSION);
    program.set_help_flag("-h,--help", "Prints this, or with a command what it takes");
    program.footer(kExamples);
    program.get_formatter()->column_width(30);
    const Prepare show = add_show(program);
    const Prepare* prepare = &show;
    for (const auto& [name, help, add] : kCommands) {
        CLI::App& app = *program.add_subcommand(name, help);
        app.callback([&prepare, own = add(app)] { prepare = &own; });
    }
    program.require_subcommand(0, 1);
    try {
        program.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        return {{}, explain(program, error, {argv + 1, argv + argc})};
    }
    const auto commands = program.get_subcommands();
    if (!commands.empty()) refuse_misplaced(program, commands.front()->get_name());
    return {(*prepare)()};
}

}  // namespace flipscope::app
