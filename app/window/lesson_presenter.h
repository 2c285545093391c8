// What the window knows of lessons: the one that is played or written, the flight of the camera, the picture of the
// step before, the laser pointer. Keys and panels call it; every frame it moves the session to where the step belongs.
#pragma once

#include <imgui.h>

#include <deque>
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
struct Layout;
struct Ui;

class LessonPresenter {
  public:
    LessonPresenter();
    ~LessonPresenter();
    LessonPresenter(LessonPresenter&&) noexcept;
    LessonPresenter& operator=(LessonPresenter&&) noexcept;
    bool any() const { return player_.has_value(); }
    const LessonPlayer& player() const { return *player_; }
    /// The caption is shown, and the presenter's keys move the lesson.
    bool presents() const { return any() && (presenting_ || writing); }
    bool presenting() const { return any() && presenting_; }

    /// Reads a lesson and plays it from its first step, with the panels away. Throws Error where it is none; what is
    /// open stays.
    void open(Ui& ui, const std::filesystem::path& file);
    /// Plays the lesson at hand; the clock starts anew.
    void present(Ui& ui);
    /// The panels are there again; the lesson stays at hand.
    void leave(Ui& ui);
    void forward() { player_->forward(); }
    void back() { player_->back(); }
    void go_to(size_t index) { player_->go_to(index); }

    // ---- writing
    bool writing = false;        // the panel of steps is open
    bool shows_caption = false;  // the keyboard is to write there
    std::string save_as;
    /// The step, and what is to stand beside it, before that has been typed.
    std::pair<size_t, int> beside_request{SIZE_MAX, 0};
    /// Adds what the window shows as a step behind the chosen one. Throws Error where it cannot be told in a lesson.
    void add_view(Ui& ui);
    /// The chosen step shows what the window shows; its words stay.
    void take_view(Ui& ui);
    void move(int by);
    void remove();
    bool can_undo() const { return !undo_.empty(); }
    void undo();
    /// For its words; call changed() then.
    LessonStep& chosen() { return player_->words().steps[player_->index()]; }
    std::string& title() { return any() ? player_->words().title : new_title_; }
    void changed() { unsaved_ = recovery_due_ = true; }
    bool unsaved() const { return unsaved_; }
    /// Writes the lesson under `save_as`, or where that ends in .html makes a page of it. Throws Error.
    void save(Session& session);
    /// Makes a page of the lesson to hand out. The session waits for it and says when it is there; Esc ends
    /// it. Throws Error.
    void make_page(Session& session, const std::filesystem::path& page) const;
    /// A lesson that was being written when the program ended; empty: none.
    static std::filesystem::path recovery_file();
    bool has_recovery() const;
    void open_recovery(Ui& ui);

    // ---- the frame
    /// What keys have asked for, and what is due; before the picture is drawn.
    void frame(Ui& ui, const CanvasView& canvas);
    /// After it may have been: the camera. True: it has moved.
    bool fly(Ui& ui, CanvasView& canvas);
    /// Takes room for the caption, and for the picture beside.
    void place(const Ui& ui, Layout& layout);
    void draw(Ui& ui);
    /// Something moves still.
    bool moves() const { return flight_ || (any() && !player_->at_rest()) || !trail_.empty(); }
    /// Of an element that is asked for in the picture: whether it is to be seen now.
    bool shows(const std::string& asked) const;

    /// Of a click that may answer the step's question: the inspector is but its title, so that the picture stays to be
    /// seen. Unfolded it is until the next step.
    bool folds_inspector() const;
    void unfold_inspector() { unfolded_ = true; }

    bool laser = false, blank = false;
    const std::string& verdict() const { return verdict_; }

  private:
    struct Line {
        enum class Kind { kWhy, kCaption, kQuestion, kAnswer, kError } kind;
        std::string text;
    };
    /// The picture of another moment or input that the step is shown beside is to be there, or gone.
    void keep_other(Ui& ui, const LessonStep& step);
    static std::vector<Line> lines_of(const LessonStep& step, bool revealed);
    std::vector<Line> lines(const Ui& ui) const;
    float height_of(const Ui& ui, const std::vector<Line>& lines, const ImFont& font, float width) const;
    /// The largest font in which the lines are at most this high, else the smallest.
    const ImFont* fitting_font(const Ui& ui, const std::vector<Line>& lines, float high, float width) const;
    /// The answer to the step's question has not been revealed.
    bool waits() const { return player_->step().question && !player_->revealed(); }
    void choose_scale(Ui& ui);
    /// The lesson as a file in this folder has it.
    std::string text_in(const std::filesystem::path& folder) const;
    void judge_click(Ui& ui);
    void replace(Lesson lesson, size_t index);
    void write_recovery();
    void draw_laser(Ui& ui);
    Camera target(Ui& ui, CanvasView& canvas) const;
    LessonStep view_as_step(Ui& ui) const;

    std::optional<LessonPlayer> player_;
    bool presenting_ = false;
    float scale_before_ = 0, scale_ = 0;   // of the interface, before the lesson chose one; that it chose; 0: none
    bool panels_[3] = {true, true, true};  // that were there before
    std::string new_title_;
    std::vector<std::pair<Lesson, size_t>> undo_;
    bool unsaved_ = false, recovery_due_ = false;
    double recovered_at_ = 0;

    struct Flight {
        Camera from;
        double begin, seconds;
    };
    std::optional<Flight> flight_;
    bool lands_ = false;            // the camera is to go to the step's
    std::optional<Camera> landed_;  // where it went, as long as the user leaves it there
    ImVec2 landed_size_{};
    double before_ = -1;  // seconds, of the last frame
    std::unique_ptr<Canvas> beside_;
    float beside_width_ = 1;  // pixels of it that are not empty
    Camera beside_camera_;    // that it was seen through
    Point beside_low_, beside_high_;
    bool beside_plane_ = false;  // one view of the plane, between these two
    Box band_, left_;            // of the caption; of the picture beside
    /// How many times as large the picture beside is drawn as it was, and where its middle is; screen coordinates.
    struct Placed {
        float factor = 1;
        ImVec2 middle;
    };
    Placed place_beside(const Ui& ui) const;
    std::string verdict_;
    bool unfolded_ = false;
    std::string kept_for_;  // what the session has kept a picture of for a step; empty: nothing
    Element clicked_;
    std::deque<std::pair<ImVec2, double>> trail_;  // places and seconds
    ImVec2 last_pointed_{};
};

void draw_lesson_panel(Ui& ui);  // on the right: the steps, and the words of the chosen one
/// "flips and circles" of flips-and-circles.json.
std::string name_of_lesson(const std::filesystem::path& file);
/// A list of the lessons that came with the program; the chosen one is played.
void draw_lesson_list(Ui& ui);

}  // namespace flipscope::app
