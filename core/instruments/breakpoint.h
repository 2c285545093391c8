// Breakpoints of a run: at a pass, when an element changes, when a counter or a measure meets a condition, when the lab
// detects something, when a check fails. Tested after each step by the driver of a timeline. The first step after which
// a check fails is found by bisection over the steps of a run.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "instruments/element_history.h"
#include "instruments/timeline.h"
#include "lab/lab.h"

namespace flipscope {

class Breakpoint {
  public:
    /// Parses a breakpoint for this lab:
    ///   pass=claim              after a pass of this name
    ///   illegal > 1000          after a step whose counter or measure of this name meets it: >, >=, <, <=, = or !=
    ///   changes edge:12         after a step that changes the places of its corners or its state; also vertex and
    ///                           triangle, with @1 for the second view; if passes renumber elements, the edge that
    ///                           has this number first, from then on identified by its points
    ///   differences             after a step at which the lab detects what LabInfo::breakpoint says
    ///   check fails             after a step after which the check finds any fault; not during an iteration
    ///   check finds CODE        the same for one kind of fault: "check finds inverted-triangle"
    /// Throws Error, beginning with the text, for anything else.
    static Breakpoint parse(const std::string& text, const LabInfo& info);

    const std::string& text() const { return text_; }
    /// Whether it runs the check, which takes longer than most steps.
    bool is_check() const { return kind_ == Kind::kCheck; }
    /// Whether it reads the scene, for which the lab must record states.
    bool needs_scene() const { return kind_ == Kind::kElement; }

    /// Call it before the first tested step, and again after steps that were not tested.
    void begin(const Lab& lab);
    /// After a step: the reason for a stop, a sentence without a full stop; empty: no stop. Waits for the device if it
    /// reads the scene or runs the check.
    std::string hit(const Lab& lab, const StepResult& step);
    /// For is_check(): runs the check on the present state; returns as hit().
    std::string check_now(const Lab& lab) const;

  private:
    enum class Kind : uint8_t { kPass, kValue, kElement, kDetected, kCheck };
    struct ElementState {  // of an element
        std::vector<Point3> corners;
        State state = 0;
        bool present = false;
        bool operator==(const ElementState&) const = default;
    };

    std::string of_value(const StepResult& step) const;
    std::string of_element(const Lab& lab);
    ElementState state_of(const Scene& scene);
    std::string named() const;

    Kind kind_ = Kind::kPass;
    std::string text_, name_;  // as given; name of the pass, counter, measure or code
    std::string said_;         // LabInfo::breakpoint
    size_t index_ = 0;         // of the pass, the counter or the measure
    bool is_measure_ = false;
    bool (*meets_)(double value, double number) = nullptr;
    double number_ = 0;
    Element element_;
    bool by_points_ =
        false;  // the lab renumbers elements: once found, the edge or triangle is identified by its vertices
    std::optional<ElementCorners> corners_;
    ElementState before_;
};

/// A step after which a check fails, though it passes before the step.
struct FirstFailure {
    uint64_t position = 0;  // steps including it; 0: fails before the first step
    std::string why;        // as Breakpoint::hit()
    uint64_t checks = 0;    // performed
    bool bisected = false;  // false: every step was checked, so this is certainly the first
};

/// Moves the timeline to the first step after which `check` holds, among the known steps that end an iteration or a
/// higher level. If it holds after the last step and not before the first one, bisection finds a step after which it
/// fails and before which it passes, both checked; this is the first failure if the check keeps failing afterwards.
/// Otherwise every step is checked in turn. nullopt: it never holds, or `keep_going` (may be empty; called before each
/// check) returned false.
std::optional<FirstFailure> find_first_failure(Timeline& timeline, const Breakpoint& check,
                                               const std::function<bool()>& keep_going = {});

}  // namespace flipscope
