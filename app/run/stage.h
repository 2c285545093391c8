// Composes the picture of a run: layers, colours, selection, failures, highlights, labels, and a second picture at the
// left. Pictures, figures, films and lessons draw the result; the stage itself draws nothing.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/run/beside.h"
#include "app/run/run.h"
#include "app/view/camera.h"
#include "instruments/exploration.h"
#include "instruments/input_scene.h"
#include "lab/element_labels.h"
#include "lab/report.h"
#include "mesh/checks.h"

namespace flipscope::app {

/// Marks an element: its corners as the scene has them, one to four.
Highlight highlight_of(const Element& element, const std::vector<Point3>& corners, std::string name);

class Stage {
  public:
    /// Both outlive the stage. The run may be started later; it is on this device.
    Stage(Context& context, const Run& run);

    /// What elements are coloured by, and which are selected.
    ExplorationChoice choice;

    /// What the lab shows in this state, or the points of the input where it shows nothing yet. Lengths are named in
    /// the unit of the input.
    Scene scene();
    /// Colours the scene and shows the selection, as far as the scene offers what `choice` has. Waits for the device.
    void explore(Scene& scene);
    /// Of the last explore().
    const Exploration& exploration() const { return exploration_; }
    /// What elements of the scene can be coloured by, in words.
    std::string offered(const Scene& scene) const;
    std::string unit(const Scene& scene) const;

    /// Marks what a check found, and explains it in the legend.
    void mark(Scene& scene, const CheckReport& check);
    /// An element and what explains it. `name`: as it was asked for.
    static std::vector<Highlight> highlights(const Scene& scene, const Element& element, const Report& found,
                                             const std::string& name);
    /// Ids and names of elements, where the look shows them. Waits for the device.
    std::vector<ElementLabel> labels(const Scene& scene, const DisplayOptions& display);

    /// Runs another moment of this run, or its lab on another input, to be shown at the left: as Beside. `called`: what
    /// a caption calls it, in lessons. Throws Error as Beside.
    void show_beside(const BesideRequest& asked, const std::optional<uint64_t>& most_passes,
                     const std::optional<uint64_t>& most_rounds = {}, std::string called = {});
    void drop_beside() { beside_.reset(); }
    bool has_beside() const { return beside_.has_value(); }
    /// What the two pictures show, in one line.
    std::string beside_caption() const;

    struct Picture {
        Scene scene;
        std::vector<Highlight> highlights = {};
        std::vector<ElementLabel> labels = {};
        std::string unit = {};  // of lengths; empty: not known
    };
    /// The scene with what is drawn over it, behind the views of the picture beside it, if there is one. Throws Error
    /// where the two cannot be one.
    Picture picture(Scene scene, std::vector<Highlight> highlights = {}, std::vector<ElementLabel> labels = {});

  private:
    std::string live_caption() const;

    Context& context_;
    const Run& run_;
    InputScene input_;
    Exploration exploration_;
    std::optional<Beside> beside_;
    std::string called_;
};

}  // namespace flipscope::app
