// A scenario: a lab, its input and its parameters, from a .json file, the command line, or both. The window and the
// headless runner start from one; nothing here runs anything.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/run/data_view.h"
#include "app/run/inputs.h"
#include "app/view/camera.h"
#include "compute/error.h"
#include "geometry/point.h"
#include "instruments/input_attributes.h"
#include "instruments/spatial_report.h"
#include "io/table.h"
#include "lab/lab.h"
#include "lab/manual_edits.h"
#include "lab/parameters.h"

namespace flipscope::app {

/// Parameters that change during a run.
struct Adjustment {
    uint64_t round = 0;  // at its end; 0: before the first
    std::vector<Parameter> values;
};

struct Scenario {
    std::string lab;                  // id in the registry; empty: chosen by the input
    std::string points;               // a generator: "uniform:100000"; or empty
    std::vector<Point> places_given;  // literal points; empty: none
    std::filesystem::path input;      // a file of points or another input; or empty
    std::filesystem::path triangles;  // a file of triangles over the points, replacing a mesh's own; or empty
    std::vector<std::array<uint32_t, 3>> triangles_given;  // literal triangles over places_given
    std::filesystem::path field;                           // additional image, folder of frames, or array; or empty
    std::filesystem::path tracks;                          // points over time; or empty
    ReadOptions read;                                      // for these files
    std::optional<uint64_t> seed;           // of the generator, overriding `points`; without a generator, the lab's
    std::vector<Parameter> parameters;      // each once: see set()
    std::vector<PlacedEdit> edits;          // manual ones, in the order of their places
    bool play = false;                      // the window starts playing at once
    double presenter_scale = 0;             // of text and lines; 0: from the monitor
    DisplayOptions display;                 // initial
    std::optional<Explored> colour_by;      // of elements; none: the lab's own
    DataView data;                          // how its numbers are shown
    std::optional<SpatialRequest> spatial;  // of the statistics
    void set_spatial(const std::string& option, const std::string& text) {
        if (!spatial) spatial.emplace();
        spatial->set(option, text);
    }
    std::optional<uint64_t> at;  // initial passes in the window; kAtEnd: to the end, which is checked
    std::string failure;         // code of the failure that the window chooses in a check; or empty
    std::string within;          // the study area, as for read_area(); empty: none
    std::string title, note;     // shown when opened; or empty

    static constexpr uint64_t kAtEnd = UINT64_MAX;

    /// Places of fields in a scenario file, "demo.json: /input"; of parameters by "parameter " and name. Fields set by
    /// the command line have none.
    std::map<std::string, std::string> places = {};
    std::string place(const std::string& field) const {
        const auto found = places.find(field);
        return found == places.end() ? std::string() : found->second;
    }
    /// Sets or replaces a parameter. `place`: as in `places`, or empty.
    void set(const Parameter& parameter, const std::string& place = {});
    bool sets(const std::string& name) const;
    /// Whether any input is named.
    bool names_input() const;
    /// Replaces the whole input by this file or generator.
    void start_on(const std::string& input);
};

/// The files of an input, by their keys in a scenario file.
inline constexpr std::pair<const char*, std::filesystem::path Scenario::*> kInputFiles[] = {
    {"input", &Scenario::input},
    {"triangles", &Scenario::triangles},
    {"field", &Scenario::field},
    {"tracks", &Scenario::tracks}};

/// What the command line, the window and the judge can be given.
enum class FileKind : uint8_t {
    kInput,     // of read_geometry(), and any other name
    kFolder,    // of frames or of a recording's steps
    kState,     // a saved run
    kScenario,  // also a .json that cannot be read: its reader reports the error
    kLesson,
};
/// By the name and, for JSON, by the names at the beginning of its outermost object.
FileKind file_kind(const std::filesystem::path& path);

/// Reads a scenario such as
///   {"lab": "build", "points": "uniform:100000", "seed": 1, "parameters": {"predicate": "exact"}, "play": true,
///    "presenter_scale": 1.5, "hide": ["links", "marks"], "title": "A demo", "note": "Watch the flips.", "at": "end",
///    "failure": "illegal-edge"}
/// The input: "points", alias "mesh", holds a generator or literal points [[0, 0.5], ["0x1.8p+1", 2]], as numbers or
/// hex floats, possibly with "triangles": [[0, 1, 2]]. Or "input" names a file of points or a mesh, and "triangles" a
/// file of triangles over the points. "field" and "tracks" name files beside points or alone. File names are relative
/// to the scenario's folder. Without "lab" the input chooses one; a lab with its own input needs none.
/// "read" holds options of ReadOptions::set(): {"columns": "x=Lon,y=Lat", "decimal": ","}; "show" and "hide" name
/// layers; "beta" and "alpha" are those of the layers beta-skeleton and
/// alpha-shape; "within" is a study area, as read_area() names it; "colour_by" is a quantity or a column of the input;
/// "at" is a number of passes or "end"; "edits" are those of scenario_json.h; "spatial" has the options of
/// SpatialRequest:
/// {"spatial": "K,L", "envelopes": "99"}; "colour_map", "colour_range" and the others of DataView::set() say how the
/// data is shown. Throws Error: `demo.json:3: expected …`,
/// `demo.json: /seed: expected a whole number, found "one"`; unknown keys too. The functions below report later errors,
/// such as a parameter's range or an unreadable file, with the same place.
Scenario read_scenario(const std::filesystem::path& path);

/// The scenario as a file in `folder`, which read_scenario() reads: the run, what of it is shown, and the data's look.
std::string scenario_file(const Scenario& scenario, const std::filesystem::path& folder);

/// The colouring quantity of this name. A column of an input file is verified later; without such a file, an unknown
/// name is refused. `where` begins the Error's sentence.
Explored colour_named(const std::string& id, const Scenario& scenario, const std::string& where);

/// Title and note in one line, or empty.
std::string description(const Scenario& scenario);

/// The scenario's lab with its parameters set; `defaults`: receives the default parameters. Throws Error for an unknown
/// lab, parameter or value.
std::unique_ptr<Lab> make_scenario_lab(const Scenario& scenario, std::vector<ParameterDescription>* defaults = nullptr);

/// The lab's default generator; empty if the lab makes its own input. Throws Error for an unknown lab.
std::string example_of(const std::string& lab);

/// The input of a scenario, in memory and fit for the predicates.
struct Input {
    std::shared_ptr<const Geometry> geometry;
    std::string text;                // "uniform:100000@seed=7", or the files as named
    uint64_t seed = 1;               // of the generator
    std::vector<std::string> notes;  // ignored parts, a sentence each
    /// Of Scenario::input, if it was read; without columns it is no table.
    std::optional<TableLayout> layout = {};
};

/// Generates or reads the input. Throws Error on failure, and if no input is named unless the lab makes its own.
Input load_input(const Scenario& scenario);

/// Runs `action`; its Errors begin with the place in the scenario, if not empty.
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
