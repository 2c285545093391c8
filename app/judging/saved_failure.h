// Points that show a failure, as a scenario that opens at it.
#pragma once

#include <array>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "app/run/scenario.h"
#include "geometry/point.h"

namespace flipscope::app {

/// A failure to save as a scenario.
struct SavedFailure {
    std::string lab;                    // that opens it
    std::vector<Parameter> parameters;  // of the lab
    std::span<const Point> points;
    std::span<const std::array<uint32_t, 3>> triangles;  // made by another program; empty: the lab makes them
    std::string failure;                                 // code of a failure listed by a check; or empty
    std::string title, note;
    std::optional<Explored> colour;  // a measured quantity; columns are dropped, since the points have none
};

/// The scenario opens at the end of its run with the first failure of its code chosen. Coordinates are hex floats.
std::string scenario_text(const SavedFailure& failure);

/// "[[\"0x1p+0\", …], …]": hexadecimal numbers lose nothing.
nlohmann::ordered_json hex_points(std::span<const Point> points);

/// Capitalised, with a full stop at the end.
std::string as_sentence(std::string text);

}  // namespace flipscope::app
