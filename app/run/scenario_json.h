// Scenarios as JSON in memory, for files that hold several of them: lessons. Places of errors are as in scenario files.
#pragma once

#include <filesystem>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>

#include "app/run/scenario.h"

namespace flipscope::app {

/// What a file is, by its name and the names of its outermost object: its beginning is read, once.
enum class JsonKind { kOther, kScenario, kLesson };
JsonKind json_kind(const std::filesystem::path& path);

/// Throws Error: `lesson.json:3: expected JSON, found …`.
nlohmann::json read_json(const std::filesystem::path& path);

/// Throws Error: `lesson.json: /steps/2/at: expected …, found …`.
[[noreturn]] void refuse_field(const std::filesystem::path& file, const std::string& pointer,
                               const std::string& expected, const nlohmann::json& found);

/// What is run, as JSON: lab, input and parameters. `name_of`: what a file is called there.
nlohmann::json run_fields(const Scenario& scenario,
                          const std::function<std::string(const std::filesystem::path& file)>& name_of);

/// A scenario of these fields, as read_scenario() reads them. `file`: that they are in, whose folder files they name
/// are relative to; `pointer`: where in it, "/steps/2"; empty: all of it. Throws Error.
Scenario scenario_of_fields(const nlohmann::json& fields, const std::filesystem::path& file,
                            const std::string& pointer);

}  // namespace flipscope::app
