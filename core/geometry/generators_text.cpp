#include "geometry/generators.h"

#include <fast_float/fast_float.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>
#include <string_view>

#include "compute/error.h"
#include "compute/suggest.h"
#include "compute/text.h"
#include "geometry/point_processes.h"

namespace flipscope {
namespace {

std::string in_quotes(std::string_view text) { return excerpt(text); }

template <typename Number>
std::string shortest(Number value) {
    char digits[32];
    return {digits, std::to_chars(digits, digits + sizeof digits, value).ptr};
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

const GeneratorOption* find_option(const GeneratorInfo& info, std::string_view name) {
    for (const GeneratorOption& option : info.options)
        if (option.name == name) return &option;
    return nullptr;
}

/// The value of a name in `all`, inserted if absent.
double& value_of(std::vector<std::pair<std::string, double>>& all, std::string_view name) {
    for (auto& [known, value] : all)
        if (known == name) return value;
    return all.emplace_back(name, 0).second;
}

void read_option(GeneratorSpec& spec, const GeneratorInfo& info, std::string_view option, const std::string& text) {
    const size_t equals = option.find('=');
    const std::string_view key = option.substr(0, equals);
    const bool own = find_option(info, key) != nullptr;
    if (!own && key != "scale" && key != "x" && key != "y" && key != "seed") {
        std::vector<std::string> known;
        for (const GeneratorOption& one : info.options) known.push_back(one.name);
        known.insert(known.end(), {"scale", "x", "y", "seed"});
        throw Error("generator " + in_quotes(text) + ": unknown option " + in_quotes(key) + suggestion(key, known));
    }
    const std::string_view value = equals == option.npos ? std::string_view() : option.substr(equals + 1);
    const auto expected = [&](const char* what) {
        return Error("generator " + in_quotes(text) + ": " + std::string(key) + " must be " + what + ", found " +
                     in_quotes(value));
    };
    if (key == "seed") {
        const std::optional<uint64_t> seed = read_whole(value);
        if (!seed) throw expected("a whole number, zero or more");
        spec.seed = *seed;
    } else {
        const std::optional<double> number = read_double(value);
        if (!number) throw expected("a number");
        (own              ? value_of(spec.options, key)
         : key == "scale" ? spec.scale
         : key == "x"     ? spec.offset.x
                          : spec.offset.y) = *number;
    }
}

void check_option(const GeneratorInfo& info, const std::string& name, double value) {
    const GeneratorOption* option = find_option(info, name);
    if (!option) throw Error("generator " + in_quotes(info.name) + ": unknown option " + in_quotes(name));
    const bool fits = value >= option->low && value <= option->high && (!option->whole || value == std::floor(value));
    if (fits) return;
    throw Error("generator " + in_quotes(info.name) + ": " + name + " (" + option->sentence + ") must be a " +
                (option->whole ? "whole " : "") + "number from " + format_short(option->low) + " to " +
                format_short(option->high) + ", found " + shortest(value));
}

}  // namespace

std::string GeneratorOption::range_text() const { return format_short(low) + " \u2026 " + format_short(high); }

std::string GeneratorOption::usual_value_text() const { return usual_text.empty() ? format_short(usual) : usual_text; }

const std::vector<GeneratorGroup>& generator_groups() {
    static const std::vector<GeneratorGroup> groups = {
        {"points", GeneratorOutput::kPoints, false},
        {"point processes", GeneratorOutput::kPoints, true},
        {"triangulations of the plane", GeneratorOutput::kPlanarMesh, false},
        {"surfaces in space", GeneratorOutput::kSurface, false}};
    return groups;
}

const GeneratorInfo& find_generator(const std::string& name) {
    const std::vector<GeneratorInfo>& all = generators();
    const auto info = std::find_if(all.begin(), all.end(), [&](const GeneratorInfo& i) { return i.name == name; });
    if (info != all.end()) return *info;
    std::vector<std::string> names;
    for (const GeneratorInfo& i : all) names.push_back(i.name);
    // No generator has a dot in its name, and most files do.
    const std::string file = name.find('.') != name.npos ? "; a file of points is given with --input" : "";
    throw Error("unknown generator " + in_quotes(name) + suggestion(name, names) + file);
}

void check_generator(const GeneratorSpec& spec) {
    const GeneratorInfo& info = find_generator(spec.name);
    const auto refuse = [&](const std::string& why) { throw Error("generator " + in_quotes(spec.name) + why); };
    const std::string asked =
        (info.makes == GeneratorOutput::kPoints ? " points" : " vertices") + (", asked for " + shortest(spec.count));
    if (spec.count > info.max_count) refuse(" makes at most " + shortest(info.max_count) + asked);
    if (spec.count < info.min_count) refuse(" needs at least " + shortest(info.min_count) + asked);
    if (!std::isfinite(spec.scale) || spec.scale == 0)
        refuse(": scale must be finite and not zero, found " + shortest(spec.scale));
    if (!std::isfinite(spec.offset.x) || !std::isfinite(spec.offset.y)) refuse(": the offset must be finite");
    for (const auto& [name, value] : spec.options) check_option(info, name, value);
    check_process(spec);
}

GeneratorSpec parse_generator(const std::string& text) {
    const size_t at = text.find('@');
    const std::string_view head = std::string_view(text).substr(0, at);
    const size_t colon = head.find(':');
    GeneratorSpec spec;
    spec.name = head.substr(0, colon);
    const GeneratorInfo& info = find_generator(spec.name);  // the name first: it is what is most often mistyped
    if (colon == head.npos) {
        throw Error("generator " + in_quotes(text) + " needs a number of points, as in " +
                    in_quotes(spec.name + ":1000"));
    }
    const std::string_view count_text = head.substr(colon + 1);
    const std::optional<uint64_t> count = read_whole(count_text);
    if (!count) {
        throw Error("generator " + in_quotes(text) +
                    ": the number of points must be a whole number such as 1000 or 1e5" + ", found " +
                    in_quotes(count_text));
    }
    spec.count = *count;
    for (size_t begin = at; begin < text.size();) {
        const size_t end = std::min(text.find(',', begin + 1), text.size());
        read_option(spec, info, std::string_view(text).substr(begin + 1, end - begin - 1), text);
        begin = end;
    }
    check_generator(spec);
    return spec;
}

std::string options_text(const GeneratorSpec& spec) {
    std::string text;
    for (const GeneratorOption& option : find_generator(spec.name).options)
        for (const auto& [name, value] : spec.options)
            if (name == option.name && value != option.usual)
                text.append(text.empty() ? "" : ",").append(name).append("=").append(shortest(value));
    return text;
}

std::string generator_text(const GeneratorSpec& spec) {
    const GeneratorSpec defaults;
    std::string options = options_text(spec);
    if (!options.empty()) options.insert(0, 1, '@');
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
