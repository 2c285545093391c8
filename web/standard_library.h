// What the C++ library of Debian 12's Emscripten (3.1.6) lacks of C++20, as far as the core uses it, for one thread.
// scripts/web includes it before every source.
#pragma once

#include <atomic>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <system_error>

namespace std {

template <class To, class From>
constexpr To bit_cast(const From& from) noexcept {
    return __builtin_bit_cast(To, from);
}

template <class T>
class atomic_ref {
  public:
    explicit atomic_ref(T& place) : place_(place) {}
    T load(memory_order = memory_order_seq_cst) const { return place_; }
    void store(T value, memory_order = memory_order_seq_cst) const { place_ = value; }
    T exchange(T value, memory_order = memory_order_seq_cst) const {
        const T before = place_;
        place_ = value;
        return before;
    }
    T fetch_add(T value, memory_order = memory_order_seq_cst) const { return exchange(place_ + value); }
    T fetch_or(T value, memory_order = memory_order_seq_cst) const { return exchange(place_ | value); }
    bool compare_exchange_strong(T& expected, T desired, memory_order = memory_order_seq_cst,
                                 memory_order = memory_order_seq_cst) const {
        const bool is_expected = place_ == expected;
        (is_expected ? place_ : expected) = is_expected ? desired : T(place_);
        return is_expected;
    }
    bool compare_exchange_weak(T& expected, T desired, memory_order = memory_order_seq_cst,
                               memory_order = memory_order_seq_cst) const {
        return compare_exchange_strong(expected, desired);
    }

  private:
    T& place_;
};

inline to_chars_result put_text(char* begin, char* end, const string& text) {
    if (size_t(end - begin) < text.size()) return {end, errc::value_too_large};
    memcpy(begin, text.data(), text.size());
    return {begin + text.size(), errc()};
}
inline string printed(const char* format, int digits, double value) {
    char text[400];
    snprintf(text, sizeof text, format, digits, value);
    return text;
}
/// Digits after the first one that a number needs.
inline int digits_of(double value, bool is_float) {
    for (int digits = 0; digits < 17; ++digits) {
        const string text = printed("%.*e", digits, value);
        if (is_float ? strtof(text.c_str(), nullptr) == float(value) : strtod(text.c_str(), nullptr) == value)
            return digits;
    }
    return 17;
}
inline to_chars_result to_chars(char* begin, char* end, double value, chars_format format, int digits) {
    return put_text(begin, end, printed(format == chars_format::fixed ? "%.*f" : "%.*e", digits, value));
}
inline string shortest(double value, bool is_float, bool fixed_only) {
    if (!isfinite(value)) return isnan(value) ? "nan" : value < 0 ? "-inf" : "inf";
    const int digits = digits_of(value, is_float);
    const int exponent = value == 0 ? 0 : atoi(strchr(printed("%.*e", digits, value).c_str(), 'e') + 1);
    const string scientific = printed("%.*e", digits, value);
    const string fixed = printed("%.*f", digits > exponent ? digits - exponent : 0, value);
    return fixed_only || fixed.size() <= scientific.size() ? fixed : scientific;
}
inline to_chars_result to_chars(char* begin, char* end, double value) {
    return put_text(begin, end, shortest(value, false, false));
}
inline to_chars_result to_chars(char* begin, char* end, float value) {
    return put_text(begin, end, shortest(value, true, false));
}
template <class Float>
requires(is_floating_point_v<Float>) to_chars_result to_chars(char* begin, char* end, Float value, chars_format) {
    return put_text(begin, end, shortest(value, is_same_v<Float, float>, true));
}
template <class Float>
requires(is_floating_point_v<Float>) from_chars_result
    from_chars(const char* begin, const char* end, Float& value, chars_format format = chars_format::general) {
    const string text = (format == chars_format::hex ? "0x" : "") + string(begin, end);
    const size_t first = format == chars_format::hex ? 2 : 0;
    char* stop = nullptr;
    const double read = strtod(text.c_str(), &stop);
    const auto used = static_cast<size_t>(stop - text.c_str());
    if (used <= first || text[first] == ' ' || text[first] == '+') return {begin, errc::invalid_argument};
    value = static_cast<Float>(read);
    return {begin + (used - first), errc()};
}

}  // namespace std
