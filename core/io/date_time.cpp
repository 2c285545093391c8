#include "io/date_time.h"

#include <chrono>

#include "io/parse.h"

namespace flipscope::io {
namespace {

/// Removes an integer of `least` to `most` digits from the text.
bool take_digits(std::string_view& text, size_t least, size_t most, int& value) {
    size_t count = 0;
    for (value = 0; count < most && count < text.size() && is_decimal_digit(text[count]); ++count)
        value = 10 * value + (text[count] - '0');
    text.remove_prefix(count);
    return count >= least;
}

bool take(std::string_view& text, char c) {
    if (!text.starts_with(c)) return false;
    text.remove_prefix(1);
    return true;
}

/// "2020-05-01", "2020/5/1", "1.5.2020": days from 1970.
bool take_date(std::string_view& text, int64_t& days) {
    std::string_view rest = text;
    int year = 0, month = 0, day = 0;
    if (take_digits(rest, 4, 4, year) && (rest.starts_with('-') || rest.starts_with('/'))) {
        const char mark = rest.front();
        if (!take(rest, mark) || !take_digits(rest, 1, 2, month) || !take(rest, mark) || !take_digits(rest, 1, 2, day))
            return false;
    } else {
        rest = text;
        if (!take_digits(rest, 1, 2, day) || !take(rest, '.') || !take_digits(rest, 1, 2, month) || !take(rest, '.') ||
            !take_digits(rest, 4, 4, year))
            return false;
    }
    const std::chrono::year_month_day date{std::chrono::year(year), std::chrono::month(static_cast<unsigned>(month)),
                                           std::chrono::day(static_cast<unsigned>(day))};
    if (!date.ok()) return false;
    days = std::chrono::sys_days(date).time_since_epoch().count();
    text = rest;
    return true;
}

/// "13:00", "13:00:05.25": microseconds.
bool take_clock(std::string_view& text, int64_t& elapsed) {
    int hours = 0, minutes = 0, seconds = 0;
    if (!take_digits(text, 1, 2, hours) || !take(text, ':') || !take_digits(text, 2, 2, minutes)) return false;
    if (take(text, ':') && !take_digits(text, 2, 2, seconds)) return false;
    if (hours > 24 || minutes > 59 || seconds > 60) return false;
    elapsed = ((hours * 60 + minutes) * INT64_C(60) + seconds) * 1'000'000;
    if (text.size() > 1 && (text.front() == '.' || text.front() == ',') && is_decimal_digit(text[1])) {
        text.remove_prefix(1);
        for (int64_t unit = 100'000; !text.empty() && is_decimal_digit(text.front()); unit /= 10) {
            elapsed += unit * (text.front() - '0');
            text.remove_prefix(1);
        }
    }
    return true;
}

}  // namespace

std::optional<int64_t> microseconds_of(std::string_view text) {
    int64_t days = 0, elapsed = 0;
    const bool has_date = take_date(text, days);
    if (has_date && text.empty()) return days * 86'400'000'000;
    if (has_date && !take(text, ' ') && !take(text, 'T')) return std::nullopt;
    if (!take_clock(text, elapsed)) return std::nullopt;
    take(text, ' ');
    if (text == "UTC" || text == "GMT" || text == "Z") text = {};
    if (!text.empty() && (text.front() == '+' || text.front() == '-')) {
        const bool is_ahead = text.front() == '+';
        int hours = 0, minutes = 0;
        text.remove_prefix(1);
        if (!take_digits(text, 2, 2, hours)) return std::nullopt;
        take(text, ':');
        if (!text.empty() && !take_digits(text, 2, 2, minutes)) return std::nullopt;
        elapsed -= (is_ahead ? 60 : -60) * INT64_C(1'000'000) * (60 * hours + minutes);
    }
    if (!text.empty()) return std::nullopt;
    return days * 86'400'000'000 + elapsed;
}

}  // namespace flipscope::io
