// Where a run is to stop: at a pass, when an element changes, when a counter or a measure meets a condition, when the
// lab detects what it looks for, when a check fails. What drives a timeline asks after each step; and the first step
// after which a check fails is found by bisection over the steps of a run. Knows no window and no command line.
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
    /// Reads one of these, for such a lab:
    ///   pass=claim              after a pass of this name
    ///   illegal > 1000          after a step whose counter or measure of this name meets it: >, >=, <, <=, = or !=
    ///   changes edge:12         after a step that changes the places of its corners or its state; vertex and triangle,
    ///                           too, and @1 behind it for the second view; where passes renumber elements, the
    ///                           edge that has this number first, known by its points from there on
    ///   differences             after a step at which the lab detects what LabInfo::breakpoint says
    ///   check fails             after a step after which the check finds anything at fault; while an iteration is
    ///                           under way nothing is checked
    ///   check finds CODE        the same of one kind of fault: "check finds inverted-triangle"
    /// Throws Error, beginning with the text, for anything else.
    static Breakpoint parse(const std::string& text, const LabInfo& info);

    const std::string& text() const { return text_; }
    /// Whether it asks the check, which takes longer than most steps.
    bool is_check() const { return kind_ == Kind::kCheck; }
    /// Whether it looks at the scene, so that the lab must keep states.
    bool looks_at_scene() const { return kind_ == Kind::kElement; }

    /// Before the first step that is asked about, and wherever the timeline has gone on without it.
    void begin(const Lab& lab);
    /// After a step: why it stops here, a sentence without its end; empty: it does not. Waits for the device where it
    /// looks at the scene or asks the check.
    std::string hit(const Lab& lab, const StepResult& step);
    /// What the check says of the present state, of is_check(): as hit().
    std::string check_now(const Lab& lab) const;

  private:
    enum class Kind : uint8_t { kPass, kValue, kElement, kDetected, kCheck };
    enum class Is : uint8_t { kGreater, kAtLeast, kLess, kAtMost, kEqual, kOther };
    struct Looks {  // of an element
        std::vector<Point3> corners;
        State state = 0;
        bool present = false;
        bool operator==(const Looks&) const = default;
    };

    std::string of_value(const StepResult& step) const;
    std::string of_element(const Lab& lab);
    Looks look_at(const Scene& scene);
    std::string named() const;

    Kind kind_ = Kind::kPass;
    std::string text_, name_;  // as given; of the pass, of the counter or measure, of the code
    std::string said_;         // what LabInfo::breakpoint says
    size_t index_ = 0;         // of the pass, the counter or the measure
    bool is_measure_ = false;
    Is is_ = Is::kGreater;
    double number_ = 0;
    Element element_;
    bool by_points_ =
        false;  // the lab renumbers elements: from where the edge or triangle is there, it is its vertices
    std::optional<ElementCorners> corners_;
    Looks before_;
};

/// A step after which a check fails, and does not after the one before it.
struct FirstFailure {
    uint64_t position = 0;  // steps up to it and with it; 0: it fails before the first one
    std::string why;        // as Breakpoint::hit()
    uint64_t checks = 0;    // that were made
    bool bisected = false;  // false: every step up to it was checked, so that it is the first for certain
};

/// Stands the timeline, whose run is known as far as it is to be looked at, after the first step at which `check`
/// holds, of those that end an iteration or more. Where it holds after the last step and not before the first one, by
/// bisection: a step is found after which it fails and before which it does not, both of which were checked; it is the
/// first such step if the check, once it fails, fails from then on. Otherwise every step is checked in turn. Nothing:
/// it never holds; or `keep_going` (may be empty), asked before each check, said no.
std::optional<FirstFailure> find_first_failure(Timeline& timeline, const Breakpoint& check,
                                               const std::function<bool()>& keep_going = {});

}  // namespace flipscope
