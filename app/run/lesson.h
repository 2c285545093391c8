// Lessons: presentations step by step, in one JSON file. A step is a state of a run with a camera, layers and words.
// The window plays and writes lessons, and headless runs execute them; nothing here runs anything.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "app/run/beside.h"
#include "app/run/scenario.h"
#include "app/view/camera.h"

namespace flipscope::app {

/// The visible part of the picture, independent of the window's size.
struct Framing {
    std::optional<Point> center;                // world units; nothing: centre of the fitted picture
    double zoom = 1;                            // 1: fitted
    std::optional<std::array<double, 2>> view;  // of a surface: azimuth and elevation, degrees
    bool is_fitted() const { return !center && zoom == 1; }
    friend bool operator==(const Framing&, const Framing&) = default;
};

/// An expected number or text of the run.
struct Expectation {
    std::string name;            // "triangles", "check": names in lesson_values(), lesson_run.cpp
    std::string text;            // expected text
    double least = 0, most = 0;  // range of a number, ends included
    bool is_text = false;
    friend bool operator==(const Expectation&, const Expectation&) = default;
};

struct LessonStep {
    std::string run;    // lab, input and parameters as JSON; equal texts mean the same run
    Scenario scenario;  // the same, parsed, with the edits of the run up to this step's own
    uint64_t at = 0;    // passes; Scenario::kAtEnd: the end
    struct Stretch {
        uint64_t to = 0;   // passes, or Scenario::kAtEnd
        double speed = 4;  // passes per second
        friend bool operator==(const Stretch&, const Stretch&) = default;
    };
    std::optional<Stretch> play;             // from `at` on
    std::vector<PlacedEdit> edits;           // added to those of the steps before in the same run
    std::vector<std::string> shown, hidden;  // layers; "angles": colour triangles by minimum angle
    double beta = DisplayOptions{}.beta;     // of the layers beta-skeleton and alpha-shape
    double alpha = DisplayOptions{}.alpha;
    std::optional<Explored> colour_by;  // of elements; none: the lab's own, even after a coloured step
    Framing camera;
    double flight_s = 1;                 // duration of the camera's flight; 0: jump
    std::string caption;                 // describes the picture
    std::string why;                     // one sentence, in large letters
    std::string notes;                   // for the lecturer alone
    std::vector<std::string> highlight;  // elements: "edge:12", "point:3", "at:0.5,0.25"
    struct Question {
        std::string ask, answer;
        std::string element;  // the element to click; or empty
        friend bool operator==(const Question&, const Question&) = default;
    };
    std::optional<Question> question;
    bool beside = false;                 // show the previous step's picture beside this one
    std::optional<BesideRequest> other;  // shown beside: another moment or input; excludes `beside`
    std::vector<Expectation> expect;

    /// The position after playing the step.
    uint64_t end() const { return play ? play->to : at; }
    DisplayOptions display() const;
};

struct Lesson {
    std::string title;
    double presenter_scale = 0;  // of text and lines; 0: the window's
    /// The part of the plane that a camera with zoom 1 shows in every step; none: the bounds of the step's picture.
    std::optional<std::pair<Point, Point>> frame = {};  // lower left and upper right corner
    std::vector<LessonStep> steps = {};
};

/// Reads a lesson such as
///   {"title": "Flips", "steps": [{"lab": "flip", "points": "ring:12", "at": 3, "caption": "An edge flips."},
///                                {"at": "end", "caption": "All are legal.", "expect": {"check": "passed"}}]}
/// A step without lab and input continues the previous run, with its own "parameters" added, and without "at" from
/// where that step ends, or after its own edits; "click" is short for one edit, "add"; without "show" and "hide" it
/// keeps its layers, "beta" and "alpha". Throws Error with the place of the field: `lesson.json: /steps/2/camera/zoom:
/// expected …, found "big"`.
Lesson read_lesson(const std::filesystem::path& path);
/// Parses a lesson. `file`: for errors, and its folder for relative names.
Lesson parse_lesson(const std::string& text, const std::filesystem::path& file);

/// Completes the scenarios by the edits, after steps were changed. Throws Error for edits before those of an earlier
/// step.
void join_edits(Lesson& lesson);

/// The lesson as a file: a step holds only differences from the previous one. read_lesson() restores the same lesson.
std::string lesson_text(const Lesson& lesson);

/// The caption of the step itself beside another picture.
inline constexpr const char* kThisStep = "this step";

/// Parses the picture beside a step: passes, "end", a generator, or a file. `file`: the lesson. Throws Error.
BesideRequest parse_other(const std::string& named, const std::filesystem::path& file);
/// The passes for another input beside a step: as many as the step's; none: to its end.
std::optional<uint64_t> passes_beside(const LessonStep& step);

/// The text of a scenario for LessonStep::run. `folder`: the lesson's, for relative file names.
std::string run_text(const Scenario& scenario, const std::filesystem::path& folder);
/// A step of this run. Throws Error if the text is not a run.
LessonStep step_of_run(const std::string& run, const std::filesystem::path& file);

/// The lessons shipped with the program, sorted by the number at the beginning of the name.
std::vector<std::filesystem::path> shipped_lessons();

}  // namespace flipscope::app
