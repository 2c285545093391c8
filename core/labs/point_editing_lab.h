// A lab around a construction from points, which can be moved, added and removed manually between rounds and at the
// end. An edit changes the points and reruns the construction on them from the start to the same place. So the state
// equals that of a run on those points, and is repeatable wherever such a run is. Build, Serial, Strips and Subdivide
// derive from this.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "labs/construction_lab.h"
#include "labs/point_changes.h"

namespace flipscope {

class PointEditingLab : public ConstructionLab, public Editable {
  public:
    void reset(Context& context, std::shared_ptr<const Geometry> input) final;

    /// LabInfo::edits of these labs.
    static std::vector<Edit::Kind> edits() {
        return {Edit::Kind::kMoveVertex, Edit::Kind::kAddVertex, Edit::Kind::kRemoveVertex};
    }
    uint64_t numbering() const override { return changes_.hash(); }
    std::shared_ptr<const Geometry> edited_input() const override {
        return changes_.empty() ? nullptr : construction().input();
    }
    StepResult edit(const Edit& edit) override;

    uint64_t state_hash() const final;
    Snapshot save() const final;
    void load(const Snapshot& snapshot) final;

  protected:
    /// Progress of a run, in the unit after which edits are possible: rounds, or points.
    struct Place {
        bool begun = false;  // a pass has run
        bool done = false;
        uint32_t count = 0;
    };

    virtual void reset_engine(Context& context, std::shared_ptr<const Geometry> input) = 0;
    /// Restarts on other points with the settings of the present run. Throws Error, and changes nothing, for unsuitable
    /// points.
    virtual void restart_engine(std::shared_ptr<const Geometry> input, std::vector<uint32_t> names) = 0;
    virtual Place place_in_run() const = 0;
    /// Runs to this place, or to the end if that comes first. Leaves the same states as stepping.
    virtual void run_engine_to(const Place& place) = 0;
    /// Whether buffers for the whole construction are allocated: the first triangle exists, or there will be none.
    virtual bool is_seeded() const = 0;
    virtual uint64_t engine_hash() const = 0;
    virtual Snapshot save_engine() const = 0;
    /// The last `beside` blocks do not belong to the engine.
    virtual void load_engine(const Snapshot& snapshot, size_t beside) = 0;
    /// Maps a place of the world to the coordinates of construction().input(), which may differ from the given ones.
    /// Throws Error for a place outside them.
    virtual Point place_of_point(Point place) const { return place; }
    /// Completes the result of an edit; `result` has as many counters as LabInfo, all of them kNotCounted.
    virtual void describe_edit(StepResult& result) const = 0;

  private:
    struct Drag {
        std::vector<uint32_t> points;  // of the input, all at the same place
        PointChanges before;
        Place place;  // before the drag
    };

    std::vector<uint32_t> points_of(const Edit& edit) const;
    void require_free(Point place, const std::vector<uint32_t>& except) const;
    void restart();

    std::shared_ptr<const Geometry> given_;
    PointChanges changes_;      // since the last reset
    std::optional<Drag> drag_;  // the last edit, if it was a drag
    bool interrupted_ = false;  // an edit was cancelled before it was complete
};

}  // namespace flipscope
