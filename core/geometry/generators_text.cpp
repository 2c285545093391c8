#include "geometry/generators_text.h"

#include <fast_float/fast_float.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <optional>
#include <string_view>

#include "compute/error.h"
#include "compute/suggest.h"

namespace flipscope {
namespace {

std::string quoted(std::string_view text) { return excerpt(text); }

template <typename Number>
std::string shortest(Number value) {
    char digits[32];
    return {digits, std::to_chars(digits, digits + sizeof digits, value).ptr};
}

/// `; did you mean "ring"?` when a known name is near, then the list of all.
std::string suggestion(std::string_view wrong, const std::vector<std::string>& known) {
    std::string list;
    for (const std::string& name : known) list += (list.empty() ? "" : ", ") + name;
    const std::string nearest = nearest_word(std::string(wrong.substr(0, 64)), known);
    return (nearest.empty() ? "" : "; did you mean " + quoted(nearest) + "?") + " (known: " + list + ")";
}

std::optional<double> read_double(std::string_view text) {
    if (text.starts_with('+')) text.remove_prefix(1);
    double value = 0;
    const auto [end, error] = fast_float::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(value)) return std::nullopt;
    return value;
}

/// A whole number, also as "1e5" while that is exact.
std::optional<uint64_t> read_whole(std::string_view text) {
    uint64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error == std::errc() && end == text.data() + text.size()) return value;
    const std::optional<double> real = read_double(text);
    if (!real || *real < 0 || *real != std::floor(*real) || *real > 0x1p53) return std::nullopt;
    return static_cast<uint64_t>(*real);
}

void read_option(GeneratorSpec& spec, std::string_view option, const std::string& text) {
    const size_t equals = option.find('=');
    const std::string_view key = option.substr(0, equals);
    if (key != "scale" && key != "x" && key != "y" && key != "seed") {
        throw Error("generator " + quoted(text) + ": unknown option " + quoted(key) +
                    suggestion(key, {"scale", "x", "y", "seed"}));
    }
    const std::string_view value = equals == option.npos ? std::string_view() : option.substr(equals + 1);
    const auto expected = [&](const char* what) {
        return Error("generator " + quoted(text) + ": " + std::string(key) + " must be " + what + ", found " +
                     quoted(value));
    };
    if (key == "seed") {
        const std::optional<uint64_t> seed = read_whole(value);
        if (!seed) throw expected("a whole number, zero or more");
        spec.seed = *seed;
    } else {
        const std::optional<double> number = read_double(value);
        if (!number) throw expected("a number");
        (key == "scale" ? spec.scale : key == "x" ? spec.offset.x : spec.offset.y) = *number;
    }
}

const GeneratorInfo& find_generator(const std::string& name) {
    const std::vector<GeneratorInfo>& all = generators();
    const auto info = std::find_if(all.begin(), all.end(), [&](const GeneratorInfo& i) { return i.name == name; });
    if (info != all.end()) return *info;
    std::vector<std::string> names;
    for (const GeneratorInfo& i : all) names.push_back(i.name);
    // No generator has a dot in its name, and most files do.
    const std::string file = name.find('.') != name.npos ? "; a file of points is given with --input" : "";
    throw Error("unknown generator " + quoted(name) + suggestion(name, names) + file);
}

}  // namespace

void check_generator(const GeneratorSpec& spec) {
    const GeneratorInfo* info = &find_generator(spec.name);
    const std::string what = info->makes == Makes::kPoints ? " points" : " vertices";
    if (spec.count > info->max_count) {
        throw Error("generator " + quoted(spec.name) + " makes at most " + shortest(info->max_count) + what +
                    ", asked for " + shortest(spec.count));
    }
    if (spec.count < info->min_count) {
        throw Error("generator " + quoted(spec.name) + " needs at least " + shortest(info->min_count) + what +
                    ", asked for " + shortest(spec.count));
    }
    if (!std::isfinite(spec.scale) || spec.scale == 0) {
        throw Error("generator " + quoted(spec.name) + ": scale must be finite and not zero, found " +
                    shortest(spec.scale));
    }
    if (!std::isfinite(spec.offset.x) || !std::isfinite(spec.offset.y)) {
        throw Error("generator " + quoted(spec.name) + ": the offset must be finite");
    }
}

GeneratorSpec parse_generator(const std::string& text) {
    const size_t at = text.find('@');
    const std::string_view head = std::string_view(text).substr(0, at);
    const size_t colon = head.find(':');
    GeneratorSpec spec;
    spec.name = head.substr(0, colon);
    find_generator(spec.name);  // the name first: it is what is most often mistyped
    if (colon == head.npos) {
        throw Error("generator " + quoted(text) + " needs a number of points, as in " + quoted(spec.name + ":1000"));
    }
    const std::string_view count_text = head.substr(colon + 1);
    const std::optional<uint64_t> count = read_whole(count_text);
    if (!count) {
        throw Error("generator " + quoted(text) + ": the number of points must be a whole number such as 1000 or 1e5" +
                    ", found " + quoted(count_text));
    }
    spec.count = *count;
    for (size_t begin = at; begin < text.size();) {
        const size_t end = std::min(text.find(',', begin + 1), text.size());
        read_option(spec, std::string_view(text).substr(begin + 1, end - begin - 1), text);
        begin = end;
    }
    check_generator(spec);
    return spec;
}

std::string generator_text(const GeneratorSpec& spec) {
    const GeneratorSpec defaults;
    std::string options;
    const auto add = [&](const char* key, auto value, auto usual) {
        if (value == usual) return;
        options += options.empty() ? '@' : ',';
        options.append(key).append("=").append(shortest(value));
    };
    add("scale", spec.scale, defaults.scale);
    add("x", spec.offset.x, defaults.offset.x);
    add("y", spec.offset.y, defaults.offset.y);
    add("seed", spec.seed, defaults.seed);
    return spec.name + ":" + shortest(spec.count) + options;
}

}  // namespace flipscope
