// Scenarios as JSON in memory, for files that contain several: lessons and journals. Errors have places as in scenario
// files.
#pragma once

#include <filesystem>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "app/run/scenario.h"
#include "lab/manual_edits.h"

namespace flipscope::app {

/// Throws Error: `lesson.json:3: expected JSON, found …`.
nlohmann::json read_json(const std::filesystem::path& path);

/// Reads values of a scenario or lesson; errors name their places: `lesson.json: /steps/2/at: expected …, found …`.
struct JsonReader {
    using Pointer = nlohmann::json::json_pointer;
    std::string file;

    std::string place(const Pointer& at) const;
    [[noreturn]] void fail(const Pointer& at, const std::string& expected, const nlohmann::json& found) const;
    std::string text(const Pointer& at, const nlohmann::json& value) const;
    uint64_t passes(const Pointer& at, const nlohmann::json& value) const;
    double number(const Pointer& at, const nlohmann::json& value, double least, double most) const;
};

/// The file's name relative to the folder; empty: the current one.
std::string name_from(const std::filesystem::path& folder, const std::filesystem::path& file);

/// Lab, input and parameters as JSON. `name_of`: maps file names.
nlohmann::json run_fields(const Scenario& scenario,
                          const std::function<std::string(const std::filesystem::path& file)>& name_of);

/// A scenario of these fields, as in read_scenario(). `file`: contains them, and its folder resolves relative names;
/// `pointer`: their place, "/steps/2"; empty: the whole file. Throws Error.
Scenario scenario_of_fields(const nlohmann::json& fields, const std::filesystem::path& file,
                            const std::string& pointer);

/// Manual edits: [{"add": [0.5, 0.25]}, {"at": "end", "move": 3, "to": [1, 2]}, {"at": 40, "remove": 5}]. `next`: the
/// place of an edit without "at", which otherwise follows the one before. Throws Error with the place of the field.
std::vector<PlacedEdit> edits_of_json(const JsonReader& reader, const JsonReader::Pointer& at,
                                      const nlohmann::json& value, uint64_t next);
/// edits_of_json() restores them.
nlohmann::ordered_json json_of_edits(const std::vector<PlacedEdit>& edits);

}  // namespace flipscope::app
