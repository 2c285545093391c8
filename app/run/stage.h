// Composes the picture of a run: layers, colours, selection, failures, highlights, labels, and a second picture at the
// left. Window, pictures, figures, films and lessons draw the result; the stage draws nothing.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/run/beside.h"
#include "app/run/run.h"
#include "app/view/camera.h"
#include "instruments/exploration.h"
#include "instruments/input_scene.h"
#include "instruments/intensity_layer.h"
#include "instruments/mesh_motion.h"
#include "instruments/paraboloid.h"
#include "lab/element_labels.h"
#include "lab/report.h"
#include "mesh/checks.h"

namespace flipscope::app {

/// A highlight of an element: its corners, one to four.
Highlight highlight_of(const Element& element, const std::vector<Point3>& corners, std::string name);

/// What the display options paraboloid and upper-hull show; the second shows the first unless that is hidden.
Paraboloid::Choice paraboloid_choice(const DisplayOptions& display);

class Stage {
  public:
    /// The colouring quantity and the selection.
    ExplorationChoice choice;
    /// The view of the lifted points.
    Paraboloid::Choice lift;
    /// Whether explore() finds what has changed since the last scene.
    bool follows_motion = false;

    /// The input of the run: its attributes can colour the scene, and it has the unit of lengths. nullptr: none.
    void set_input(std::shared_ptr<const Geometry> input) { input_ = std::move(input); }
    const std::shared_ptr<const Geometry>& input() const { return input_; }

    /// Measures a scene of the lab for compose(), as far as it supports `choice`. Waits for the device.
    void explore(Context& context, const Scene& scene);
    /// Of the last explore().
    const Exploration& exploration() const { return exploration_; }
    /// Colours that scene, or another one of the same state, shows the selection and the failures of `check`, and names
    /// units. nullptr: no failures.
    void compose(Scene& scene, const CheckReport* check = nullptr) const;
    /// Of the last explore().
    const Paraboloid& paraboloid() const { return paraboloid_; }
    /// What led to the scene of the last explore().
    MeshMotions motions() const;
    /// The element at a place of the lab's scene or of the paraboloid.
    Element pick(const Lab& lab, const Probe& probe) const;
    /// The marks that the paraboloid adds to those of an element; none unless it is shown. Waits for the device.
    std::vector<Highlight> lifted(const Scene& scene, const Element& element,
                                  const std::vector<Highlight>& marks) const;
    /// Of lengths; empty: unknown.
    std::string unit(const Scene& scene) const;
    /// Ids and names of the elements in view. Waits for the device.
    std::vector<ElementLabel> labels(Context& context, const Scene& scene, const std::vector<InView>& shown) const;
    /// An element and its explaining elements. `name`: as requested.
    static std::vector<Highlight> highlights(const Scene& scene, const Element& element, const Report& found,
                                             const std::string& name);
    /// The same and lifted().
    std::vector<Highlight> marks(const Scene& scene, const Element& element, const Report& found,
                                 const std::string& name) const;

  private:
    std::shared_ptr<const Geometry> input_;
    Exploration exploration_;
    IntensityLayer intensity_;
    Paraboloid paraboloid_;
    std::vector<MeshMotionFinder> motions_;  // of the views
    Context* explored_in_ = nullptr;         // where its buffers are
};

/// The stage of a run without a window.
class RunStage : public Stage {
  public:
    /// Both must outlive the stage. The run may start later, on this device.
    RunStage(Context& context, const Run& run);

    /// The lab's scene in this state, or the input's points if it has none yet. Lengths have the unit of the input.
    Scene scene();
    /// Colours the scene and shows the selection, as far as the scene supports `choice`. Waits for the device.
    void explore(Scene& scene);
    /// The quantities that can colour the scene, in words.
    std::string offered(const Scene& scene) const;

    /// Marks the failures of a check and adds them to the legend.
    void mark(Scene& scene, const CheckReport& check);
    /// Ids and names of elements if displayed. Waits for the device.
    std::vector<ElementLabel> labels(const Scene& scene, const DisplayOptions& display);

    /// Prepares the picture at the left: another moment of this run, or its lab on another input. `label`: begins
    /// captions in lessons. Throws Error as Beside does.
    void show_beside(const BesideRequest& request, const std::optional<uint64_t>& most_passes,
                     const std::optional<uint64_t>& most_rounds = {}, std::string label = {});
    void drop_beside() { beside_.reset(); }
    bool has_beside() const { return beside_.has_value(); }
    /// The captions of both pictures in one line.
    std::string beside_caption() const;

    struct Picture {
        Scene scene;
        std::vector<Highlight> highlights = {};
        std::vector<ElementLabel> labels = {};
        std::string unit = {};  // of lengths; empty: unknown
    };
    /// The scene with its overlays, after the views of any second picture. Throws Error if the two cannot be joined.
    Picture picture(Scene scene, std::vector<Highlight> highlights = {}, std::vector<ElementLabel> labels = {});

  private:
    std::string live_caption() const;

    Context& context_;
    const Run& run_;
    InputScene preview_;
    std::optional<Beside> beside_;
    std::string label_;
};

}  // namespace flipscope::app
