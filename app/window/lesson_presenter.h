// The window's part of lessons: the lesson being played or written, the camera's flight, the picture of the previous
// step, the laser pointer. Keys and panels call it; every frame it moves the session to the step's state.
#pragma once

#include <imgui.h>

#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/figures/box.h"
#include "app/session/lesson_player.h"
#include "lab/scene.h"

namespace flipscope::app {

class Canvas;
class CanvasView;
class Session;
struct LabModel;
struct Layout;
struct Ui;

class LessonPresenter {
  public:
    bool any() const { return player_.has_value(); }
    const LessonPlayer& player() const { return *player_; }
    /// The caption is visible, and the presenter's keys move through the lesson.
    bool presents() const { return any() && (presenting_ || writing); }
    bool presenting() const { return any() && presenting_; }
    /// What a camera that is not zoomed shows; none: the whole picture.
    std::optional<std::pair<Point, Point>> frame() const { return presents() ? player_->lesson().frame : std::nullopt; }

    /// Reads a lesson and plays it from its first step with the panels hidden. Throws Error for a malformed lesson and
    /// keeps the open one.
    void open(Ui& ui, const std::filesystem::path& file);
    /// Plays the open lesson and restarts its clock.
    void present(Ui& ui);
    /// Shows the panels again; the lesson stays open.
    void leave(Ui& ui);
    void forward() { player_->forward(); }
    void back() { player_->back(); }
    void go_to(size_t index) { player_->go_to(index); }

    // ---- writing
    bool writing = false;        // the panel of steps is open
    bool shows_caption = false;  // move the keyboard focus to the caption
    std::string save_as;
    /// A step and the step to show beside it, before the user has typed it.
    std::pair<size_t, int> beside_request{SIZE_MAX, 0};
    /// Adds the window's view as a step after the chosen one. Throws Error if a lesson cannot describe it.
    void add_view(Ui& ui);
    /// Replaces the chosen step's view with the window's and keeps its texts.
    void take_view(Ui& ui);
    void move(int by);
    void remove();
    bool can_undo() const { return !undo_.empty(); }
    void undo();
    /// For editing its texts; call changed() afterwards.
    LessonStep& chosen() { return player_->words().steps[player_->index()]; }
    std::string& title() { return any() ? player_->words().title : new_title_; }
    void changed() { unsaved_ = recovery_due_ = true; }
    bool unsaved() const { return unsaved_; }
    /// Writes the lesson to `save_as`; a name ending in .html makes a page. Throws Error.
    void save(Session& session);
    /// Makes a page of the lesson to hand out, as a job of the session, which reports its end; Esc cancels. Throws
    /// Error.
    void make_page(Session& session, const std::filesystem::path& page) const;
    /// The same of the run's steps, where no lesson is open.
    void make_page_of_run(Ui& ui, const std::filesystem::path& page) const;
    /// The backup of a lesson that was being written when the program ended; empty: none.
    static std::filesystem::path recovery_file();
    bool has_recovery() const;
    void open_recovery(Ui& ui);

    // ---- the frame
    /// Carries out key presses and what is due. Call before drawing the picture.
    void frame(Ui& ui, const CanvasView& canvas);
    /// Moves the camera. Call after frame(). Returns whether it moved.
    bool fly(Ui& ui, CanvasView& canvas);
    /// Reserves room for the caption and for the picture beside.
    void place(const Ui& ui, Layout& layout);
    void draw(Ui& ui);
    bool is_animating() const { return flight_ || (any() && !player_->at_rest()) || !trail_.empty(); }
    /// Whether an element that the lesson names is visible now.
    bool shows(const std::string& element) const;

    /// Whether the inspector shows only its title, so that a click that answers the step's question leaves the picture
    /// visible. Once unfolded, it stays open until the next step.
    bool folds_inspector() const;
    void unfold_inspector() { unfolded_ = true; }

    bool laser = false, blank = false;
    const std::string& verdict() const { return verdict_; }

  private:
    struct Line {
        enum class Kind { kWhy, kCaption, kQuestion, kAnswer, kError } kind;
        std::string text;
    };
    /// Makes or drops the picture of the other state or input that the step is shown beside.
    void keep_other(Ui& ui, const LessonStep& step);
    static std::vector<Line> lines_of(const LessonStep& step, bool revealed);
    std::vector<Line> lines(const Ui& ui) const;
    float height_of(const Ui& ui, const std::vector<Line>& lines, const ImFont& font, float width) const;
    /// The largest font in which the lines are at most this high, else the smallest.
    const ImFont* fitting_font(const Ui& ui, const std::vector<Line>& lines, float high, float width) const;
    /// The answer to the step's question has not been revealed.
    bool waits() const { return player_->step().question && !player_->revealed(); }
    void choose_scale(Ui& ui);
    /// The lesson's text, with paths relative to this folder.
    std::string text_in(const std::filesystem::path& folder) const;
    void judge_click(Ui& ui);
    /// `text`: what to run, with paths relative to a folder.
    static void export_page(Session& session, const std::filesystem::path& page,
                            const std::function<std::string(const std::filesystem::path& folder)>& text,
                            std::vector<std::string> options = {});
    void replace(Lesson lesson, size_t index);
    /// The same, which undo() does not take back.
    void put(Lesson lesson, size_t index);
    void write_recovery();
    void draw_laser(Ui& ui);
    Camera target(Ui& ui, CanvasView& canvas) const;
    LessonStep view_as_step(Ui& ui) const;
    void add_edits(const Ui& ui, LessonStep& step) const;
    void stand_here(Ui& ui);

    std::optional<LessonPlayer> player_;
    bool presenting_ = false;
    float scale_before_ = 0, scale_ = 0;   // of the interface: before the lesson, and as the lesson set it; 0: none
    bool panels_[3] = {true, true, true};  // their visibility before the lesson
    std::string new_title_;
    std::vector<std::pair<Lesson, size_t>> undo_;
    bool unsaved_ = false, recovery_due_ = false;
    double recovered_at_ = 0;

    struct Flight {
        Camera from;
        double begin, seconds;
    };
    std::optional<Flight> flight_;
    bool lands_ = false;            // the camera must go to the step's
    std::optional<Camera> landed_;  // where it went, until the user moves it
    ImVec2 landed_size_{};
    double before_ = -1;  // seconds; time of the last frame
    std::shared_ptr<Canvas> beside_;
    float beside_width_ = 1;  // its non-empty part, pixels
    Camera beside_camera_;    // of that picture
    Point beside_low_, beside_high_;
    bool beside_plane_ = false;  // it shows one view of the plane, within these bounds
    Box band_, left_;            // of the caption; of the picture beside
    /// Enlargement and middle of the picture beside, screen coordinates.
    struct Placed {
        float factor = 1;
        ImVec2 middle;
    };
    Placed place_beside(const Ui& ui) const;
    std::string verdict_;
    bool unfolded_ = false;
    std::string kept_for_;                         // the step for which the session keeps a picture; empty: none
    uint64_t judged_ = 0;                          // LabModel::inspected of the last judged click
    std::deque<std::pair<ImVec2, double>> trail_;  // positions and seconds
    ImVec2 last_pointed_{};
};

void draw_lesson_panel(Ui& ui);  // on the right: the steps, and the texts of the chosen one
/// "edge:417", or "" if the inspected element has no such name.
std::string inspected_name(const LabModel& model);
/// "flips and circles" of flips-and-circles.json.
std::string name_of_lesson(const std::filesystem::path& file);
/// A list of the lessons that come with the program; plays the chosen one.
void draw_lesson_list(Ui& ui);

}  // namespace flipscope::app
