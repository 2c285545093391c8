// Reports as JSON: the one writer of what labs tell. Numbers stay numbers, with all their digits; what is not finite
// has no place in JSON and is null. Used by the headless run, by the window's status and by --inspect.
#pragma once

#include <nlohmann/json.hpp>
#include <vector>

#include "lab/report.h"

namespace flipscope::app {

using Json = nlohmann::ordered_json;  // keys in the order a reader expects them

Json json_of(const Value& value);  // null for no value
/// A list: name, value, and unit, error, why where there are.
Json json_of(const Properties& properties);
/// A list of objects, a key for each column; a cell without a value has none.
Json json_of(const Table& table);
Json json_of(const Distribution& distribution);
Json json_of(const Curve& curve);
Json json_of(const Diagram& diagram);
/// `sections` (title, sentence, and `properties`, `table`, `distribution`, `curve` or `diagram`) and `highlights`.
Json json_of(const Report& report);

/// Properties that are numbers as {name: number}, and {name: unit} of those that have one.
Json number_values(const Properties& numbers);
Json number_units(const Properties& numbers);

}  // namespace flipscope::app
