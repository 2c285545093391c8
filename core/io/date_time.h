// Dates and times of day in tables: "2020-05-01 13:00:00.5", "2020-05-01T13:00Z", "01.05.2020 13:00", "13:00:05".
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace flipscope::io {

/// Microseconds since 1970 in UTC, or since midnight without a date; a time without a zone is UTC. nullopt: not a date
/// or time, or the order of day and month is ambiguous, as in 05/01/2020.
std::optional<int64_t> microseconds_of(std::string_view text);

}  // namespace flipscope::io
