// What to run: a lab, its input and its parameters. A scenario comes from a .json file, from the command line, or from
// both; the window and the headless runner start from one. Nothing here runs anything.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/run/inputs.h"
#include "app/view/camera.h"
#include "compute/error.h"
#include "geometry/point.h"
#include "instruments/input_attributes.h"
#include "lab/lab.h"
#include "lab/parameters.h"

namespace flipscope::app {

/// Parameters that change during a run.
struct Adjustment {
    uint64_t round = 0;  // at the end of it; 0: before the first
    std::vector<Parameter> values;
};

struct Scenario {
    std::string lab;                                       // id in the registry; empty: as the input asks
    std::string points;                                    // a generator: "uniform:100000"; or empty
    std::vector<Point> places_given;                       // points that stand in the scenario itself; empty: none
    std::filesystem::path input;                           // a file of points, or of anything; or empty
    std::filesystem::path triangles;                       // over the points, in place of those of a mesh; or empty
    std::vector<std::array<uint32_t, 3>> triangles_given;  // that stand in the scenario itself, over places_given
    std::filesystem::path field;   // beside them: an image, a folder of frames, an array; or empty
    std::filesystem::path tracks;  // points over time; or empty
    ReadOptions read;              // how these files are read
    std::optional<uint64_t> seed;  // of the generator, over the one in `points`; without one of the lab's parameter
    std::vector<Parameter> parameters;  // each once: see set()
    bool play = false;                  // the window starts playing at once
    double presenter_scale = 0;         // of text and lines; 0: from the monitor
    DisplayOptions display;             // of the picture, to begin with
    std::optional<Explored> colour_by;  // of its elements; none: as the lab has it
    std::optional<uint64_t> at;         // passes that the window runs at once; kAtEnd: to the end, which is verified
    std::string failure;      // the code of the failure that the window chooses when a check lists it; or empty
    std::string title, note;  // what it is, and what there is to see: told when it is opened; or empty

    static constexpr uint64_t kAtEnd = UINT64_MAX;

    /// By field, "demo.json: /input": where a scenario file gives it; of a parameter by "parameter " and its name. What
    /// the command line puts in its place has none.
    std::map<std::string, std::string> places = {};
    std::string place(const std::string& field) const {
        const auto found = places.find(field);
        return found == places.end() ? std::string() : found->second;
    }
    /// Sets a parameter in place of its value before. `place`: as in `places`, or empty.
    void set(const Parameter& parameter, const std::string& place = {});
    bool sets(const std::string& name) const;
    /// Whether any input is named.
    bool names_input() const;
    /// Starts on this file or generator in place of the whole input.
    void start_on(const std::string& input);
};

/// Whether a scenario or a lesson can have this name.
bool has_scenario_name(const std::filesystem::path& path);

/// Whether a file is read as a scenario or a lesson: by its name, and not where it is JSON of points.
bool is_scenario_file(const std::filesystem::path& path);

/// Reads a scenario such as
///   {"lab": "build", "points": "uniform:100000", "seed": 1, "parameters": {"predicate": "exact"}, "play": true,
///    "presenter_scale": 1.5, "hide": ["links", "marks"], "title": "A demo", "note": "Watch the flips.", "at": "end",
///    "failure": "illegal-edge"}
/// "read" says how files are read, as ReadOptions::set() takes it: {"columns": "x=Lon,y=Lat", "decimal": ","}.
/// with "points": [[0, 0.5], ["0x1.8p+1", 2]] where the points stand in the file itself, as numbers or hex floats, or
/// with "input": "points.xy" (relative to the scenario's folder) instead of "points" where the points or the mesh are
/// in a file; beside such points "triangles": [[0, 1, 2]] may stand, too. "show" and "hide" name what looks.h knows;
/// "colour_by" is a quantity or a column of the input; "mesh" is another name of "points", and without "lab" the input
/// decides which it is. "triangles" (also relative) names triangles over the points. "at" is a number of passes or
/// "end". "field" and "tracks" (also relative) may stand beside points, or alone. A lab that makes its own needs none
/// of them. Throws Error: `demo.json:3: expected …`, `demo.json: /seed: expected a whole number, found "one"`; unknown
/// keys too. What can only be found out later (a parameter's range, a file that cannot be read) is told with the same
/// place by the functions below.
Scenario read_scenario(const std::filesystem::path& path);

/// What elements are to be coloured by, of this name. Whether an input that stands in a file has such a column is found
/// out later; without one a name of nothing that is measured is refused. `where` begins the sentence of the Error.
Explored colour_named(const std::string& id, const Scenario& scenario, const std::string& where);

/// Its title and note in one line; empty: it has neither.
std::string description(const Scenario& scenario);

/// The scenario's lab with its parameters set; `defaults`: as they were before. Throws Error for a lab, a parameter or
/// a value that is not known.
std::unique_ptr<Lab> make_scenario_lab(const Scenario& scenario, std::vector<ParameterDescription>* defaults = nullptr);

/// What the lab likes to be started on: a generator; empty where it makes its own. Throws Error for a lab that is not
/// known.
std::string example_of(const std::string& lab);

/// What a scenario starts from, in memory and fit for the predicates.
struct Input {
    std::shared_ptr<const Geometry> geometry;
    std::string text;                // "uniform:100000@seed=7", or the file as it was named; all of them
    uint64_t seed = 1;               // of the generator
    std::vector<std::string> notes;  // what was left out, a sentence each
};

/// Generates or reads it. Throws Error for what cannot be read or made, and where nothing is named, unless the lab is
/// and makes its own.
Input load_input(const Scenario& scenario);

/// What `action` throws begins with the place of the scenario that asked for it, if there is one.
template <class Action>
auto placed(const std::string& place, const Action& action) {
    try {
        return action();
    } catch (const Error& error) {
        if (place.empty()) throw;
        throw Error(place + ": " + error.what());
    }
}

}  // namespace flipscope::app
