#include "instruments/breakpoint.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <tuple>

#include "compute/error.h"
#include "compute/suggest.h"
#include "geometry/places.h"

namespace flipscope {

namespace {

std::string trimmed(const std::string& text) {
    const size_t begin = text.find_first_not_of(" \t"), end = text.find_last_not_of(" \t");
    return begin == text.npos ? "" : text.substr(begin, end - begin + 1);
}

template <class Number>
bool read_all(const std::string& text, Number& value) {
    const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    return !text.empty() && error == std::errc() && stop == text.data() + text.size();
}

[[noreturn]] void refuse(const std::string& text, const std::string& why) { throw Error(excerpt(text) + ": " + why); }

std::string name_of(const Element& element) {
    static constexpr const char* kNames[] = {"vertex", "edge", "triangle", "pixel"};
    return std::string(kNames[static_cast<size_t>(element.kind)]) + " " + std::to_string(element.id) +
           (element.part > 0 ? " of view " + std::to_string(element.part + 1) : "");
}

Element element_of(const std::string& text, const std::string& whole) {
    static constexpr std::pair<const char*, ElementKind> kKinds[] = {
        {"vertex", ElementKind::kVertex}, {"edge", ElementKind::kEdge}, {"triangle", ElementKind::kTriangle}};
    const size_t colon = std::min(text.find(':'), text.size());
    for (const auto& [name, kind] : kKinds) {
        if (text.compare(0, colon, name) != 0) continue;
        std::string id = text.substr(std::min(colon + 1, text.size()));
        Element element{kind};
        if (const size_t at = id.find('@'); at != id.npos) {
            if (!read_all(id.substr(at + 1), element.part)) break;
            id.resize(at);
        }
        if (read_all(id, element.id) && element.id != kNone) return element;
    }
    refuse(whole, "expected vertex:ID, edge:ID or triangle:ID after \"changes\"");
}

}  // namespace

Breakpoint Breakpoint::parse(const std::string& given, const LabInfo& info) {
    Breakpoint made;
    const std::string text = trimmed(given);
    made.text_ = text;
    const auto begins = [&](const char* word) { return text.rfind(word, 0) == 0; };
    if (begins("pass=") || begins("pass ")) {
        made.name_ = trimmed(text.substr(5));
        std::vector<std::string> known;
        for (const PassInfo& pass : info.passes) known.push_back(pass.name);
        const auto found = std::find(known.begin(), known.end(), made.name_);
        if (found == known.end())
            refuse(text, "the " + info.title + " has no pass " + excerpt(made.name_) + suggestion(made.name_, known));
        made.index_ = static_cast<size_t>(found - known.begin());
        made.kind_ = Kind::kPass;
        return made;
    }
    if (begins("changes ")) {
        made.element_ = element_of(trimmed(text.substr(8)), text);
        made.by_points_ = info.renumbers_elements && made.element_.kind != ElementKind::kVertex;
        made.kind_ = Kind::kElement;
        return made;
    }
    if (text == "differences" || text == "detection") {
        if (info.breakpoint.empty()) refuse(text, "the " + info.title + " looks for nothing to stop at");
        made.said_ = info.breakpoint;
        made.kind_ = Kind::kDetected;
        return made;
    }
    if (text == "check fails" || begins("check finds ")) {
        if (begins("check finds ")) made.name_ = trimmed(text.substr(12));
        made.kind_ = Kind::kCheck;
        return made;
    }
    const size_t sign = text.find_first_of("<>=!");
    if (sign == text.npos || sign == 0)
        refuse(text,
               "expected \"pass=NAME\", a counter or a measure with a condition as in \"illegal > 1000\", \"changes "
               "edge:12\", \"differences\", \"check fails\" or \"check finds CODE\"");
    static constexpr std::pair<const char*, bool (*)(double, double)> kSigns[] = {
        {">=", [](double a, double b) { return a >= b; }}, {"<=", [](double a, double b) { return a <= b; }},
        {"!=", [](double a, double b) { return a != b; }}, {"==", [](double a, double b) { return a == b; }},
        {">", [](double a, double b) { return a > b; }},   {"<", [](double a, double b) { return a < b; }},
        {"=", [](double a, double b) { return a == b; }}};
    const auto known_sign = std::find_if(std::begin(kSigns), std::end(kSigns), [&](const auto& one) {
        return text.compare(sign, std::string(one.first).size(), one.first) == 0;
    });
    if (known_sign == std::end(kSigns)) refuse(text, "expected one of >, >=, <, <=, = and !=");
    made.meets_ = known_sign->second;
    made.kind_ = Kind::kValue;
    made.name_ = trimmed(text.substr(0, sign));
    const std::string number = trimmed(text.substr(sign + std::string(known_sign->first).size()));
    if (!read_all(number, made.number_) || std::isnan(made.number_))
        refuse(text, "expected a number after " + std::string(known_sign->first) + ", found " + excerpt(number));
    std::vector<std::string> known;
    for (const CounterInfo& counter : info.counters) known.push_back(counter.name);
    for (const MeasureInfo& measure : info.measures) known.push_back(measure.name);
    made.index_ = static_cast<size_t>(std::find(known.begin(), known.end(), made.name_) - known.begin());
    made.is_measure_ = made.index_ >= info.counters.size();
    if (made.is_measure_) made.index_ -= info.counters.size();
    if (made.index_ < (made.is_measure_ ? info.measures.size() : info.counters.size())) return made;
    refuse(text,
           "the " + info.title + " has no counter or measure " + excerpt(made.name_) + suggestion(made.name_, known));
}

void Breakpoint::begin(const Lab& lab) {
    if (kind_ == Kind::kElement) before_ = state_of(lab.scene());
}

std::string Breakpoint::hit(const Lab& lab, const StepResult& step) {
    switch (kind_) {
        case Kind::kPass:
            return step.pass == index_ ? "the pass \"" + name_ + "\" has run" : "";
        case Kind::kValue:
            return of_value(step);
        case Kind::kElement:
            return of_element(lab);
        case Kind::kDetected:
            return step.breakpoint_hit ? said_ : "";
        case Kind::kCheck:
            return step.ended < Level::kIteration ? "" : check_now(lab);
    }
    return "";
}

std::string Breakpoint::of_value(const StepResult& step) const {
    double value = 0;
    if (is_measure_) {
        if (index_ >= step.measures.size() || std::isnan(step.measures[index_])) return "";
        value = step.measures[index_];
    } else {
        if (index_ >= step.counters.size() || step.counters[index_] == kNotCounted) return "";
        value = static_cast<double>(step.counters[index_]);
    }
    return meets_(value, number_) ? name_ + " is " + format_plainly(value) : "";
}

Breakpoint::ElementState Breakpoint::state_of(const Scene& scene) {
    ElementState looks;
    if (element_.part >= scene.view_count()) return looks;
    const SceneView& view = scene.view(element_.part);
    Element element = element_;
    if (corners_) element.id = find_element(view, element.kind, *corners_);
    if (element.id >= view.count_of(element.kind)) return looks;
    if (by_points_) corners_ = corners_of_element(view, element.kind, element.id);
    looks.present = true;
    looks.corners = view.corners_of(element);
    if (by_points_)  // the program may name them in any order
        std::sort(looks.corners.begin(), looks.corners.end(),
                  [](const Point3& p, const Point3& q) { return std::tie(p.x, p.y, p.z) < std::tie(q.x, q.y, q.z); });
    if (const Buffer<State>* states = view.states_of(element.kind); states && element.id < states->size())
        looks.state = State(states->read(element.id) & ~kStateFailed);  // never set by labs
    return looks;
}

/// "edge 12", or by its points: "the edge of points 3 and 7".
std::string Breakpoint::named() const {
    if (!corners_) return name_of(element_);
    const bool edge = element_.kind == ElementKind::kEdge;
    return std::string(edge ? "the edge" : "the triangle") + " of points " + std::to_string((*corners_)[0]) +
           (edge ? "" : ", " + std::to_string((*corners_)[1])) + " and " + std::to_string((*corners_)[edge ? 1 : 2]);
}

std::string Breakpoint::of_element(const Lab& lab) {
    const Scene scene = lab.scene();
    const ElementState now = state_of(scene), before = before_;
    if (now == before) return "";
    before_ = now;
    if (now.present != before.present) return named() + (now.present ? " has appeared" : " has disappeared");
    if (now.corners != before.corners) {
        std::string places;
        for (const Point3& corner : now.corners)
            places += (places.empty() ? "(" : ", (") + place_text({corner.x, corner.y}) + ")";
        return named() + " has other corners: " + places;
    }
    std::string words;
    for (const Layer& layer : scene.view(element_.part).layers)
        for (const LegendEntry& entry : layer.legend)
            if (words.empty() && static_cast<int>(entry.element) == static_cast<int>(element_.kind) &&
                entry.matches(now.state))
                words = entry.name;
    return named() + " has another state" + (words.empty() ? "" : ": " + words);
}

std::string Breakpoint::check_now(const Lab& lab) const {
    const auto* checkable = find_facet<Checkable>(lab);
    if (!checkable) throw Error(excerpt(text_) + ": the " + lab.info().title + " has no check");
    const CheckReport report = checkable->check();
    if (report.passed || !report.checked) return "";
    if (name_.empty()) return "the check fails: " + report.sentence;
    for (const CheckFailure& failure : report.failures)
        if (failure.code == name_) return "the check finds " + name_ + ": " + failure.sentence;
    return "";
}

namespace {

/// Visits the states of a known run between iterations.
class Search {
  public:
    Search(Timeline& timeline, const Breakpoint& check, const std::function<bool()>& keep_going)
        : timeline_(timeline), check_(check), keep_going_(keep_going), end_(timeline.known()) {}

    std::optional<FirstFailure> find() {
        timeline_.seek(0);
        if (fails()) return here();
        timeline_.seek(end_);
        if (!rests()) timeline_.back(Level::kIteration);
        const uint64_t last = timeline_.position();
        const bool fails_there = last > 0 && fails();
        if (stopped_) return std::nullopt;
        return fails_there ? bisect(last) : look_at_all(last);
    }

  private:
    bool rests() const {
        const uint64_t at = timeline_.position();
        return at == 0 || timeline_.result(at - 1).ended >= Level::kIteration;
    }
    /// After the present step; keeps why.
    bool fails() {
        if (stopped_ || (keep_going_ && !keep_going_())) {
            stopped_ = true;
            return false;
        }
        ++found_.checks;
        std::string why = check_.check_now(timeline_.lab());
        if (why.empty()) return false;
        found_.why = std::move(why);
        found_.position = timeline_.position();
        return true;
    }
    std::optional<FirstFailure> here() {
        timeline_.seek(found_.position);
        return found_;
    }

    std::optional<FirstFailure> bisect(uint64_t failing) {
        found_.bisected = true;
        for (uint64_t sound = 0; failing - sound > 1;) {
            const uint64_t middle = sound + (failing - sound) / 2;
            timeline_.seek(middle);
            while (timeline_.position() < failing && !rests()) timeline_.step();
            if (timeline_.position() ==
                failing) {  // no iteration ends between the middle and it: continue before the middle
                timeline_.seek(middle);
                timeline_.back(Level::kIteration);
                if (timeline_.position() <= sound) break;
            }
            const uint64_t at = timeline_.position();
            (fails() ? failing : sound) = at;
            if (stopped_) return std::nullopt;
        }
        return here();
    }

    std::optional<FirstFailure> look_at_all(uint64_t last) {
        timeline_.seek(0);
        while (timeline_.position() < last && timeline_.step()) {
            if (rests() && fails()) return here();
            if (stopped_) return std::nullopt;
        }
        timeline_.seek(end_);
        return std::nullopt;
    }

    Timeline& timeline_;
    const Breakpoint& check_;
    const std::function<bool()>& keep_going_;
    uint64_t end_;
    FirstFailure found_;
    bool stopped_ = false;
};

}  // namespace

std::optional<FirstFailure> find_first_failure(Timeline& timeline, const Breakpoint& check,
                                               const std::function<bool()>& keep_going) {
    return Search(timeline, check, keep_going).find();
}

}  // namespace flipscope
