// A second picture for headless runs: another moment of the run, or the same lab on another input. A separate run makes
// and keeps it before the main one (instruments/kept_scene.h).
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "app/run/scenario.h"
#include "instruments/kept_scene.h"
#include "instruments/timeline.h"

namespace flipscope::app {

/// A request by --beside or a step of a lesson.
struct BesideRequest {
    std::string text;                        // as typed; empty: no request
    std::optional<uint64_t> position;        // passes, or Scenario::kAtEnd; none: `text` is a generator or file
    std::string error_prefix = "--beside ";  // begins errors, before the text
    std::string input_name = {};             // in captions: a file as the lesson names it; empty: `text`
    explicit operator bool() const { return !text.empty(); }
    bool is_file() const { return !input_name.empty(); }
    /// As it stands in the lesson: passes, "end", a generator, or a file relative to the lesson's folder.
    const std::string& name() const { return is_file() ? input_name : text; }
    /// For captions: "another moment", "another input" or "a file".
    std::string label() const { return position ? "another moment" : is_file() ? "a file" : "another input"; }
};
/// Digits alone, or "end", are a position. Throws Error for a position that is too large.
BesideRequest parse_beside(const std::string& text, const std::string& error_prefix = "--beside ");

/// Why the two pictures cannot be one figure; empty if they can.
std::string joining_refusal(const Scene& kept, const Scene& live);
/// The kept picture with `live` at its right, captioned and within common bounds. Call KeptScene::match() first. Throws
/// Error if they cannot be joined.
Scene join_scenes(Scene kept, const std::string& kept_caption, Scene live, const std::string& caption);

class Beside {
  public:
    /// Runs `scenario`, which names its lab, to the requested position; another input runs to the limits, or without
    /// limits to its end. Throws Error if the run ends earlier or the input is not available, and as KeptScene does.
    /// Errors begin with the request: "--beside uniform:500".
    Beside(Context& context, const Scenario& scenario, const BesideRequest& request,
           const std::optional<uint64_t>& most_passes, const std::optional<uint64_t>& most_rounds,
           const std::optional<Explored>& colour);

    /// The kept picture with `live` at its right, captioned, within common bounds, with common colour scales, and with
    /// what `choice` and `lift` show of the live one. Waits for the device.
    /// `label`: begins the caption of the kept one. Throws Error for too many views, or if only one picture is in
    /// space.
    Scene with(Scene live, const ExplorationChoice& choice, Paraboloid::Choice lift, const std::string& caption,
               const std::string& label = "");
    /// The number of views before those of the live scene.
    uint32_t views() const { return static_cast<uint32_t>(kept_->scene().view_count()); }
    /// "uniform:500, pass 12: flip"
    const std::string& caption() const { return caption_; }
    /// Passes made.
    uint64_t position() const { return position_; }
    /// Returns the picture, leaving none here.
    std::unique_ptr<KeptScene> release() { return std::move(kept_); }

  private:
    std::string request_text_, caption_;
    uint64_t position_ = 0;
    std::unique_ptr<KeptScene> kept_;
};

}  // namespace flipscope::app
