// Manual edits as JSON, for scenarios, lessons and journals:
//   [{"add": [0.5, 0.25]}, {"at": "end", "move": 3, "to": [1, 2]}, {"at": 40, "remove": 5}]
#pragma once

#include <nlohmann/json.hpp>
#include <vector>

#include "app/run/scenario_json.h"
#include "lab/manual_edits.h"

namespace flipscope::app {

/// `next`: the place of an edit without "at", which otherwise follows the one before. Throws Error with the place of
/// the field.
std::vector<PlacedEdit> edits_of_json(const JsonReader& reader, const JsonReader::Pointer& at,
                                      const nlohmann::json& value, uint64_t next);
/// edits_of_json() restores them.
nlohmann::ordered_json json_of_edits(const std::vector<PlacedEdit>& edits);

}  // namespace flipscope::app
