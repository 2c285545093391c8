// Reports as JSON, for headless runs, the window's status and --inspect. Numbers keep all digits; those that are not
// finite are written as null.
#pragma once

#include <nlohmann/json.hpp>

#include "lab/report.h"

namespace flipscope::app {

using Json = nlohmann::ordered_json;  // keeps the order of keys

Json json_of(const Value& value);      // null: no value
Json json_of(const Element& element);  // kind, id and part
/// A list: name and value, and unit, error and why if present.
Json json_of(const Properties& properties);
/// A list of objects with a key per column; a cell without a value has no key.
Json json_of(const Table& table);
Json json_of(const Distribution& distribution);
Json json_of(const Curve& curve);
Json json_of(const Diagram& diagram);
/// `sections` (title, sentence, and `properties`, `table`, `distribution`, `curve` or `diagram`) and `highlights`.
Json json_of(const Report& report);

/// Numeric properties as {name: number}, and {name: unit} of those with a unit.
Json number_values(const Properties& numbers);
Json number_units(const Properties& numbers);

}  // namespace flipscope::app
