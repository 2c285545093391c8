// Lessons: what a lecturer shows, step by step, in one JSON file. A step is a state of a run with a camera, layers and
// words. The window plays and writes lessons, the headless runner executes them; nothing here runs anything.
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

/// What of the picture is seen, for a window of any size.
struct Framing {
    std::optional<Point> center;                // world units; nothing: the middle of the fitted picture
    double zoom = 1;                            // 1: fitted
    std::optional<std::array<double, 2>> view;  // of a surface: azimuth and elevation, degrees
    bool is_fitted() const { return !center && zoom == 1; }
    friend bool operator==(const Framing&, const Framing&) = default;
};

/// What a check of a lesson compares with a number or a text of the run.
struct Expectation {
    std::string name;            // "triangles", "check": as lesson_values() in lesson_run.h calls them
    std::string text;            // of a text: what it is
    double least = 0, most = 0;  // of a number, both included
    bool is_text = false;
    friend bool operator==(const Expectation&, const Expectation&) = default;
};

struct LessonStep {
    std::string run;    // lab, input and parameters as JSON; equal texts are the same run
    Scenario scenario;  // the same, read
    uint64_t at = 0;    // passes; Scenario::kAtEnd: the end
    struct Stretch {
        uint64_t to = 0;   // passes, or Scenario::kAtEnd
        double speed = 4;  // passes a second
        friend bool operator==(const Stretch&, const Stretch&) = default;
    };
    std::optional<Stretch> play;             // from `at` on
    std::vector<std::string> shown, hidden;  // layers; "angles": triangles coloured by their minimum angles
    std::optional<Explored> colour_by;       // of elements; none: as the lab has it, whatever the step before has
    Framing camera;
    double flight_s = 1;                 // of the camera from the step before; 0: it jumps
    std::string caption;                 // what there is to see
    std::string why;                     // one sentence, in large letters
    std::vector<std::string> highlight;  // elements: "edge:12", "point:3", "at:0.5,0.25"
    struct Question {
        std::string ask, answer;
        std::string element;  // that a click is to hit; or empty
        friend bool operator==(const Question&, const Question&) = default;
    };
    std::optional<Question> question;
    bool beside = false;  // the picture of the step before is shown beside this one
    struct Other {
        std::string named;    // as a lesson has it: passes, "end", a generator, or a file from the lesson's folder
        BesideRequest asked;  // the same as from the working folder
        bool is_file = false;
        /// What a caption calls it: "another moment", "another input" or "a file".
        std::string called() const { return asked.position ? "another moment" : is_file ? "a file" : "another input"; }
    };
    std::optional<Other> other;  // another moment of this run, or another input, is shown beside; not with `beside`
    std::vector<Expectation> expect;

    /// Where the run stands when the step has been played.
    uint64_t end() const { return play ? play->to : at; }
    DisplayOptions display() const;
};

struct Lesson {
    std::string title;
    double presenter_scale = 0;  // of text and lines; 0: as the window has it
    std::vector<LessonStep> steps;
};

/// Whether a file is a lesson: JSON with "steps". False for what cannot be read.
bool is_lesson_file(const std::filesystem::path& path);

/// Reads a lesson such as
///   {"title": "Flips", "steps": [{"lab": "flip", "points": "ring:12", "at": 3, "caption": "An edge flips."},
///                                {"at": "end", "caption": "All are legal.", "expect": {"check": "passed"}}]}
/// A step without lab and input goes on with those of the step before, with its own "parameters" set over them, and
/// without "at" from where that step ends; without "show" and "hide" it has the layers of the step before. Throws
/// Error with the place of the field: `lesson.json: /steps/2/camera/zoom: expected …, found "big"`.
Lesson read_lesson(const std::filesystem::path& path);
/// The same from text. `file`: its name in errors, and whose folder input files are relative to.
Lesson parse_lesson(const std::string& text, const std::filesystem::path& file);

/// As a file has it: a step says only what is not as in the step before. read_lesson() reads the same lesson.
std::string lesson_text(const Lesson& lesson);

/// What the step itself is called where it is shown beside that.
inline constexpr const char* kThisStep = "this step";

/// What a step is to be shown beside, in words: passes, "end", a generator, or a file. `file`: the lesson. Throws
/// Error.
LessonStep::Other other_named(const std::string& named, const std::filesystem::path& file);
/// The passes that the picture beside a step is of where it is another input: as many as the step's; none: to its end.
std::optional<uint64_t> passes_beside(const LessonStep& step);

/// The run of a scenario as LessonStep::run has it. `folder`: of the lesson, which names of files become relative to.
std::string run_text(const Scenario& scenario, const std::filesystem::path& folder);
/// A step of this run. Throws Error where it is none.
LessonStep step_of_run(const std::string& run, const std::filesystem::path& file);

/// Lessons that came with the program, in the order of their names.
std::vector<std::filesystem::path> shipped_lessons();

}  // namespace flipscope::app
