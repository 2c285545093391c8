#include "lab/parameters.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <sstream>
#include <stdexcept>
#include <string_view>

#include "compute/error.h"
#include "compute/suggest.h"
#include "geometry/places.h"

namespace flipscope {

namespace {

using Kind = ParameterDescription::Kind;

std::from_chars_result parse(const char* begin, const char* end, int& value) {
    return std::from_chars(begin, end, value);
}
/// "0.75" or "0x1.8p-1"
std::from_chars_result parse(const char* begin, const char* end, double& value) {
    const bool negative = begin != end && *begin == '-';
    const char* const digits = begin + negative;
    if (end - digits < 3 || digits[0] != '0' || (digits[1] != 'x' && digits[1] != 'X'))
        return std::from_chars(begin, end, value);
    if (digits[2] == '-') return {digits, std::errc::invalid_argument};
    const std::from_chars_result result = std::from_chars(digits + 2, end, value, std::chars_format::hex);
    if (negative) value = -value;
    return result;
}

template <class T>
std::optional<ParameterValue> read_number(const std::string& text, double least, double most) {
    T found = 0;
    const char* const end = text.data() + text.size();
    const auto [stop, error] = parse(text.data(), end, found);
    if (error != std::errc() || stop != end || !(found >= least && found <= most)) return {};
    return found;
}

template <class T>
auto setter_of(T& value) {
    return [&value](const ParameterValue& given) { value = std::get<T>(given); };
}

std::vector<std::string> option_names(const ParameterDescription& parameter) {
    std::vector<std::string> names;
    for (const auto& option : parameter.options) names.push_back(option.name);
    return names;
}

const ParameterDescription* find_parameter(const std::vector<ParameterDescription>& parameters,
                                           const std::string& name) {
    const auto same = [&](const ParameterDescription& parameter) { return parameter.name == name; };
    const auto found = std::find_if(parameters.begin(), parameters.end(), same);
    return found == parameters.end() ? nullptr : &*found;
}

/// Whether the sentence contains the word, of three letters or more.
bool has_word(const std::string& sentence, const std::string& word) {
    const auto is_letter = [&](size_t at) {
        return at < sentence.size() && (std::isalnum(static_cast<unsigned char>(sentence[at])) || sentence[at] == '_');
    };
    for (size_t at = sentence.find(word); word.size() > 2 && at != sentence.npos; at = sentence.find(word, at + 1))
        if ((at == 0 || !is_letter(at - 1)) && !is_letter(at + word.size())) return true;
    return false;
}

}  // namespace

void ParameterVisitor::add(ParameterDescription parameter, bool is_word, Set set) {
    parameter.group = group_;
    parameter.effect = effect_;
    is_word_ = is_word;
    found_.push_back(std::move(parameter));
    set_.push_back(std::move(set));
}

void ParameterVisitor::choice(const std::string& name, const std::string& title, const std::string& sentence,
                              int chosen, const std::vector<Option>& options, std::function<void(int)> choose) {
    add({Kind::kChoice, name, title, sentence, options.at(static_cast<size_t>(chosen)).name, options}, false,
        [choose = std::move(choose)](const ParameterValue& given) { choose(std::get<int>(given)); });
}

void ParameterVisitor::choice(const std::string& name, const std::string& title, const std::string& sentence,
                              int& value, const std::vector<Option>& options) {
    choice(name, title, sentence, value, options, [&value](int chosen) { value = chosen; });
}

void ParameterVisitor::toggle(const std::string& name, const std::string& title, const std::string& sentence,
                              bool& value) {
    add({Kind::kToggle, name, title, sentence, value ? "on" : "off", {}}, false, setter_of(value));
}

void ParameterVisitor::integer(const std::string& name, const std::string& title, const std::string& sentence,
                               int& value, int least, int most) {
    add({Kind::kInteger, name, title, sentence, std::to_string(value), {}, double(least), double(most)}, value == 0,
        setter_of(value));
}

void ParameterVisitor::number(const std::string& name, const std::string& title, const std::string& sentence,
                              double& value, double least, double most) {
    add({Kind::kNumber, name, title, sentence, format_exactly(value), {}, least, most}, std::isnan(value),
        setter_of(value));
}

void ParameterVisitor::size(const std::string& name, const std::string& title, const std::string& sentence,
                            Point& value, double least, double most) {
    add({Kind::kSize, name, title, sentence, text_of_size(value), {}, least, most}, value == Point{}, setter_of(value));
}

void ParameterVisitor::or_word(const std::string& word) {
    found_.back().word = word;
    if (is_word_) found_.back().value = word;
}

void ParameterVisitor::group_overridden_by(const OverrideRule& rule) {
    for (ParameterDescription& one : found_)
        if (one.group == group_) one.rules.insert(one.rules.begin(), rule);
}

void ParameterVisitor::add(ParameterVisitor other, const std::function<bool(const std::string& name)>& wanted) {
    for (size_t i = 0; i < other.found_.size(); ++i) {
        if (!wanted(other.found_[i].name)) continue;
        found_.push_back(std::move(other.found_[i]));
        set_.push_back(std::move(other.set_[i]));
    }
}

bool ParameterVisitor::set(const std::string& name, const std::string& text) const {
    const ParameterDescription* const meant = find_parameter(found_, name);
    const std::optional<ParameterValue> value = meant ? meant->read(text) : std::nullopt;
    if (value) set_[static_cast<size_t>(meant - found_.data())](*value);
    return value.has_value();
}

std::vector<Parameter> values_of(const std::vector<ParameterDescription>& parameters) {
    std::vector<Parameter> values;
    for (const ParameterDescription& one : parameters) values.push_back({one.name, one.value});
    return values;
}

std::string change_parameters(const VisitParameters& visit, const std::string& lab,
                              const std::vector<Parameter>& values) {
    std::string changes;
    for (const auto& [name, value] : values) {
        const auto described = [&, &wanted = name] {
            const std::vector<ParameterDescription> all = list_parameters(visit);
            return *std::find_if(all.begin(), all.end(), [&](const auto& one) { return one.name == wanted; });
        };
        const ParameterDescription before = described();
        set_parameter(visit, lab, name, value);
        const std::string after = described().value;
        if (after != before.value)
            changes += (changes.empty() ? "" : ", ") + before.title + " from " + before.value + " to " + after;
    }
    return changes;
}

bool is_one_of(const std::string& name, std::initializer_list<const char*> names) {
    return std::any_of(names.begin(), names.end(), [&](const char* each) { return name == each; });
}

std::string join_words(const std::vector<std::string>& words, const std::string& last) {
    std::string text;
    for (size_t i = 0; i < words.size(); ++i) {
        if (i > 0) text += i + 1 == words.size() ? last : ", ";
        text += words[i];
    }
    return text;
}

std::string ParameterDescription::range() const {
    switch (kind) {
        case Kind::kChoice:
            return join_words(option_names(*this));
        case Kind::kToggle:
            return "on or off";
        case Kind::kInteger:
            return std::to_string(std::llround(least)) + " … " + std::to_string(std::llround(most)) +
                   (word.empty() ? "" : " or " + word);
        case Kind::kNumber:
            return format_exactly(least) + " … " + format_exactly(most) + (word.empty() ? "" : " or " + word);
        case Kind::kSize:
            return format_exactly(least) + " … " + format_exactly(most) + ", or two of these as in 30x12" +
                   (word.empty() ? "" : " or " + word);
    }
    return {};
}

std::optional<ParameterValue> ParameterDescription::read(const std::string& text) const {
    const bool is_word = !word.empty() && text == word;
    switch (kind) {
        case Kind::kChoice:
            for (size_t i = 0; i < options.size(); ++i)
                if (options[i].name == text) return static_cast<int>(i);
            return {};
        case Kind::kToggle:
            if (is_one_of(text, {"on", "true", "yes", "1"})) return true;
            if (is_one_of(text, {"off", "false", "no", "0"})) return false;
            return {};
        case Kind::kInteger:
            return is_word ? 0 : read_number<int>(text, least, most);
        case Kind::kNumber:
            return is_word ? std::nan("") : read_number<double>(text, least, most);
        case Kind::kSize: {
            if (is_word) return Point{};
            const std::optional<Point> size = size_of_text(text);
            const auto fits = [&](double side) { return side >= least && side <= most; };
            if (!size || !fits(size->x) || !fits(size->y) || *size == Point{}) return {};
            return *size;
        }
    }
    return {};
}

std::string text_of_size(Point size) {
    return format_exactly(size.x) + (size.x == size.y ? "" : "x" + format_exactly(size.y));
}

/// Parses one side of a size. "0x30" is 0 by 30: a hexadecimal number needs an exponent here.
static std::from_chars_result parse_side(const char* begin, const char* end, double& side) {
    const std::from_chars_result found = parse(begin, end, side);
    const std::string_view digits(begin, static_cast<size_t>(found.ptr - begin));
    const bool is_hexadecimal = digits.find_first_of("xX") != digits.npos;
    return is_hexadecimal && digits.find_first_of("pP") == digits.npos ? std::from_chars(begin, end, side) : found;
}

std::optional<Point> size_of_text(const std::string& text) {
    Point size;
    const char* const end = text.data() + text.size();
    const auto [stop, error] = parse_side(text.data(), end, size.x);
    if (error != std::errc()) return {};
    if (stop == end) return Point{size.x, size.x};
    const std::string_view rest(stop, static_cast<size_t>(end - stop));
    for (const std::string_view by : {"x", "X", "×"}) {
        if (!rest.starts_with(by)) continue;
        const std::from_chars_result second = parse_side(stop + by.size(), end, size.y);
        if (second.ec == std::errc() && second.ptr == end) return size;
    }
    return {};
}

std::vector<ParameterDescription> list_parameters(const VisitParameters& visit) {
    ParameterVisitor visitor;
    visit(visitor);
    return visitor.found();
}

std::vector<ParameterDescription> list_parameters(Lab& algorithm) {
    return list_parameters([&](ParameterVisitor& visitor) { algorithm.parameters(visitor); });
}

Override override_of(const ParameterDescription& parameter, const ParameterContext& now) {
    for (const OverrideRule& rule : parameter.rules)
        if (Override found = rule(now)) return found;
    return {};
}

std::function<std::string(const std::string&)> value_lookup(const std::vector<ParameterDescription>& parameters) {
    return [&parameters](const std::string& name) {
        const ParameterDescription* const found = find_parameter(parameters, name);
        if (!found) throw std::logic_error("there is no parameter " + name);
        return found->value;
    };
}

bool set_if_known(const VisitParameters& visit, const std::string& name, const std::string& value) {
    ParameterVisitor visitor;
    visit(visitor);
    return visitor.set(name, value);
}

std::string step_values(const VisitParameters& visit) {
    std::string lines;
    for (const ParameterDescription& one : list_parameters(visit))
        if (one.effect == EffectAt::kStep) lines += one.name + "=" + one.value + "\n";
    return lines;
}

bool set_step_values(const VisitParameters& visit, const std::string& lines) {
    bool all = true;
    std::istringstream in(lines);
    for (std::string name, value; std::getline(std::getline(in, name, '='), value);)
        all = set_if_known(visit, name, value) && all;
    return all && (lines.empty() || lines.back() == '\n');
}

void set_parameter(Lab& algorithm, const std::string& name, const std::string& value, const std::string& place) {
    set_parameter([&](ParameterVisitor& visitor) { algorithm.parameters(visitor); }, algorithm.info().id, name, value,
                  place);
}

void set_parameter(const VisitParameters& visit, const std::string& lab, const std::string& name,
                   const std::string& value, const std::string& place) {
    ParameterVisitor visitor;
    visit(visitor);
    require_value(visitor.found(), lab, name, value, place);
    visitor.set(name, value);
}

void require_value(const std::vector<ParameterDescription>& parameters, const std::string& lab, const std::string& name,
                   const std::string& value, const std::string& place) {
    if (const ParameterDescription* const known = find_parameter(parameters, name)) {
        if (known->read(value)) return;
        throw Error((place.empty() ? "parameter " + name : place) + ": expected " + known->range() + ", found " +
                    excerpt(value) +
                    (known->kind == Kind::kSize && size_of_text(value) == Point{} ? ", whose sides are both 0" : ""));
    }
    std::vector<std::string> names;
    for (const auto& parameter : parameters) names.push_back(parameter.name);
    const std::string start = place.empty() ? "" : place + ": ";
    if (names.empty()) throw Error(start + "\"" + lab + "\" has no parameters, so none is called " + excerpt(name));
    std::vector<std::string> meant;
    if (const std::string nearest = nearest_word(name, names); !nearest.empty())
        meant = {nearest};
    else
        for (const auto& parameter : parameters)
            if (has_word(parameter.sentence, name)) meant.push_back(parameter.name);
    for (std::string& one : meant) one = "\"" + one + "\"";
    throw Error(start + "\"" + lab + "\" has no parameter " + excerpt(name) +
                (meant.empty() ? "." : "; did you mean " + join_words(meant, " or ") + "?") +
                " Known: " + join_words(names, ", "));
}

void set_parameter(Lab& algorithm, const std::string& assignment) {
    const size_t sign = assignment.find('=');
    if (sign == std::string::npos || sign == 0)
        throw Error("parameter: expected name=value, found " + excerpt(assignment));
    set_parameter(algorithm, assignment.substr(0, sign), assignment.substr(sign + 1));
}

}  // namespace flipscope
