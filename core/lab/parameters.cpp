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
#include "compute/text.h"
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

class Lister : public ParameterVisitor {
  public:
    std::vector<ParameterDescription> found;

    void choice(const std::string& name, const std::string& title, const std::string& sentence, int& value,
                const std::vector<Option>& options) override {
        add({Kind::kChoice, name, title, sentence, options.at(static_cast<size_t>(value)).name, options});
    }
    void toggle(const std::string& name, const std::string& title, const std::string& sentence, bool& value) override {
        add({Kind::kToggle, name, title, sentence, value ? "on" : "off", {}});
    }
    void integer(const std::string& name, const std::string& title, const std::string& sentence, int& value, int least,
                 int most) override {
        add({Kind::kInteger, name, title, sentence, std::to_string(value), {}, double(least), double(most)});
        is_word_ = value == 0;
    }
    void number(const std::string& name, const std::string& title, const std::string& sentence, double& value,
                double least, double most) override {
        add({Kind::kNumber, name, title, sentence, format_exactly(value), {}, least, most});
        is_word_ = std::isnan(value);
    }
    void or_word(const std::string& word) override {
        found.back().word = word;
        if (is_word_) found.back().value = word;
    }
    void size(const std::string& name, const std::string& title, const std::string& sentence, Point& value,
              double least, double most) override {
        add({Kind::kSize, name, title, sentence, text_of_size(value), {}, least, most});
        is_word_ = value == Point{};
    }
    void group(const std::string& title) override { group_ = title; }
    void overridden_by(const OverrideRule& rule) override { found.back().rules.push_back(rule); }
    void takes_effect(EffectAt when) override { found.back().effect = when; }

  private:
    void add(ParameterDescription parameter) {
        parameter.group = group_;
        found.push_back(std::move(parameter));
    }
    std::string group_;
    bool is_word_ = false;  // the last visited number has a word
};

class Setter : public ParameterVisitor {
  public:
    Setter(const std::string& name, const std::string& text) : name_(name), text_(text) {}
    bool known = false;  // there is a parameter of this name
    bool taken = false;  // and it accepted the value

    void choice(const std::string& name, const std::string&, const std::string&, int& value,
                const std::vector<Option>& options) override {
        if (!meant(name)) return;
        for (size_t i = 0; i < options.size(); ++i) {
            if (options[i].name != text_) continue;
            value = static_cast<int>(i);
            taken = true;
        }
    }
    void toggle(const std::string& name, const std::string&, const std::string&, bool& value) override {
        if (!meant(name)) return;
        for (const char* yes : {"on", "true", "yes", "1"})
            if (text_ == yes) value = taken = true;
        for (const char* no : {"off", "false", "no", "0"}) {
            if (text_ != no) continue;
            value = false;
            taken = true;
        }
    }
    void integer(const std::string& name, const std::string&, const std::string&, int& value, int least,
                 int most) override {
        read(name, value, least, most);
        number_ = nullptr;
        whole_ = name == name_ ? &value : nullptr;
        size_ = nullptr;
    }
    void number(const std::string& name, const std::string&, const std::string&, double& value, double least,
                double most) override {
        read(name, value, least, most);
        number_ = name == name_ ? &value : nullptr;
        whole_ = nullptr;
        size_ = nullptr;
    }
    void or_word(const std::string& word) override {
        if ((!number_ && !whole_ && !size_) || text_ != word) return;
        if (number_) *number_ = std::nan("");
        if (whole_) *whole_ = 0;
        if (size_) *size_ = {};
        taken = true;
    }
    void size(const std::string& name, const std::string&, const std::string&, Point& value, double least,
              double most) override {
        number_ = nullptr;
        whole_ = nullptr;
        size_ = name == name_ ? &value : nullptr;
        if (!meant(name)) return;
        const std::optional<Point> found = size_of_text(text_);
        const auto fits = [&](double side) { return side >= least && side <= most; };
        if (!found || !fits(found->x) || !fits(found->y) || *found == Point{}) return;
        value = *found;
        taken = true;
    }

  private:
    template <class T>
    void read(const std::string& name, T& value, T least, T most) {
        if (!meant(name)) return;
        T found = 0;
        const char* end = text_.data() + text_.size();
        const auto [stop, error] = parse(text_.data(), end, found);
        if (error != std::errc() || stop != end || !(found >= least && found <= most)) return;
        value = found;
        taken = true;
    }
    bool meant(const std::string& name) {
        if (name != name_) return false;
        known = true;
        return true;
    }
    const std::string& name_;
    const std::string& text_;
    double* number_ = nullptr;  // the last visited number, if its name matches
    int* whole_ = nullptr;      // the same for an integer
    Point* size_ = nullptr;     // and for a size
};

std::vector<std::string> option_names(const ParameterDescription& parameter) {
    std::vector<std::string> names;
    for (const auto& option : parameter.options) names.push_back(option.name);
    return names;
}

bool takes_value(const ParameterDescription& parameter, const std::string& text) {
    Setter setter(parameter.name, text);
    int index = 0;
    bool on = false;
    double number = 0;
    Point size;
    switch (parameter.kind) {
        case Kind::kChoice:
            setter.choice(parameter.name, "", "", index, parameter.options);
            break;
        case Kind::kToggle:
            setter.toggle(parameter.name, "", "", on);
            break;
        case Kind::kInteger:
            setter.integer(parameter.name, "", "", index, static_cast<int>(parameter.least),
                           static_cast<int>(parameter.most));
            break;
        case Kind::kNumber:
            setter.number(parameter.name, "", "", number, parameter.least, parameter.most);
            break;
        case Kind::kSize:
            setter.size(parameter.name, "", "", size, parameter.least, parameter.most);
            break;
    }
    if (!parameter.word.empty()) setter.or_word(parameter.word);
    return setter.taken;
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
    Lister lister;
    visit(lister);
    return std::move(lister.found);
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
    Setter setter(name, value);
    visit(setter);
    return setter.taken;
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
    require_value(list_parameters(visit), lab, name, value, place);
    Setter setter(name, value);
    visit(setter);
}

void require_value(const std::vector<ParameterDescription>& parameters, const std::string& lab, const std::string& name,
                   const std::string& value, const std::string& place) {
    if (const ParameterDescription* const known = find_parameter(parameters, name)) {
        if (takes_value(*known, value)) return;
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
