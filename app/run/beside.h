// A second picture beside that of a run without a window: another moment of the run, or the same lab on another input.
// It is made by a run of its own, before the one that was asked for, and kept (labs/kept_scene.h).
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "app/run/scenario.h"
#include "instruments/kept_scene.h"
#include "instruments/timeline.h"

namespace flipscope::app {

/// What --beside, or a step of a lesson, asks for.
struct BesideRequest {
    std::string text;                  // as it was typed; empty: nothing
    std::optional<uint64_t> position;  // passes, or Scenario::kAtEnd; none: `text` is a generator or a file
    std::string asker = "--beside ";   // begins sentences about it, before the text
    std::string named = {};            // the input in captions, where that is not the text
    explicit operator bool() const { return !text.empty(); }
};
/// Digits alone are a position, and so is "end". Throws Error for a position that is too large to be one.
BesideRequest parse_beside(const std::string& text, const std::string& asker = "--beside ");

/// Why the two pictures cannot be one figure; empty: they can.
std::string why_not_one(const Scene& kept, const Scene& live);
/// The kept picture, and `live` at its right, both within the bounds of both, with these captions. KeptScene::match()
/// comes before. Throws Error where they cannot be one.
Scene in_one(Scene kept, const std::string& kept_caption, Scene live, const std::string& caption);

class Beside {
  public:
    /// Runs `scenario`, which has its lab, up to the position; of another input so far as `extent` goes on: passes, or
    /// rounds, or to the end. Throws Error where the run ends before that position, where the input cannot be had, and
    /// as KeptScene. `asked` begins its sentences: "--beside uniform:500".
    Beside(Context& context, const Scenario& scenario, const BesideRequest& asked,
           const std::optional<uint64_t>& most_passes, const std::optional<uint64_t>& most_rounds,
           const std::optional<Explored>& colour);

    /// The kept picture, and `live` at its right, both within the bounds of both, captioned, with common scales of
    /// colours. `called`: begins the caption of the kept one. Throws Error where there are too many views, or one
    /// picture is in space and the other is not.
    Scene with(Scene live, const std::string& caption, const std::string& called = "");
    /// Views of with() that come before those of the live scene.
    uint32_t views() const { return static_cast<uint32_t>(kept_->scene().view_count()); }
    /// What it is a picture of: "uniform:500, pass 12: flip".
    const std::string& caption() const { return caption_; }
    /// After how many passes.
    uint64_t position() const { return position_; }
    /// The picture alone, to be drawn in another way; nothing is left here.
    std::unique_ptr<KeptScene> take() { return std::move(kept_); }

  private:
    std::string asked_, caption_;
    uint64_t position_ = 0;
    std::unique_ptr<KeptScene> kept_;
};

}  // namespace flipscope::app
