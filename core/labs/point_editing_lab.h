// A lab around a construction from points whose points can be moved, added and removed by hand, between its rounds and
// at the end. An edit makes other points of the input and runs the construction on these from the start, to where the
// run was: so the state after it is that of a run on those points, and repeatable wherever such a run is. Build and
// Serial derive from this.
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

    /// Whether such labs make edits of this kind; for the registry, too.
    static bool makes(Edit::Kind kind) {
        return kind == Edit::Kind::kMoveVertex || kind == Edit::Kind::kAddVertex || kind == Edit::Kind::kRemoveVertex;
    }
    bool supports(Edit::Kind kind) const override { return makes(kind); }
    uint64_t numbering() const override { return changes_.hash(); }
    std::shared_ptr<const Geometry> edited_input() const override {
        return changes_.empty() ? nullptr : construction().input();
    }
    StepResult edit(const Edit& edit) override;

    uint64_t state_hash() const final;
    Snapshot save() const final;
    void load(const Snapshot& snapshot) final;

  protected:
    /// How far a run has come, in whatever unit edits wait for: rounds, or points.
    struct Place {
        bool begun = false;  // a pass has run
        bool done = false;
        uint32_t count = 0;
    };

    virtual void reset_engine(Context& context, std::shared_ptr<const Geometry> input) = 0;
    /// On other points, as the present run was reset. Throws Error, and is as before, for points that it cannot take.
    virtual void restart_engine(std::shared_ptr<const Geometry> input, std::vector<uint32_t> names) = 0;
    virtual Place place_in_run() const = 0;
    /// On to this place, or to the end where that comes first. Leaves the states that stepping leaves.
    virtual void run_engine_to(const Place& place) = 0;
    /// Whether room for the whole construction has been made: the first triangle is there, or there will be none.
    virtual bool is_seeded() const = 0;
    virtual uint64_t engine_hash() const = 0;
    virtual Snapshot save_engine() const = 0;
    /// The last `beside` blocks are not the engine's.
    virtual void load_engine(const Snapshot& snapshot, size_t beside) = 0;
    /// Where a place of the world is among the points of construction().input(), which may be somewhere else than they
    /// were given. Throws Error with a sentence where it is nowhere among them.
    virtual Point place_of_point(Point place) const { return place; }
    /// What the edit's step says beside its message: `result` has as many counters as LabInfo, none of them counted.
    virtual void describe_edit(StepResult& result) const = 0;

  private:
    struct Drag {
        std::vector<uint32_t> points;  // of the input, all at one place
        PointChanges before;
        Place place;  // before it
    };

    std::vector<uint32_t> points_of(const Edit& edit) const;
    void require_free(Point place, const std::vector<uint32_t>& except) const;
    void restart();

    std::shared_ptr<const Geometry> given_;
    PointChanges changes_;      // since the last reset
    std::optional<Drag> drag_;  // the last edit, where that was one
    bool interrupted_ = false;  // an edit was cancelled on its way
};

}  // namespace flipscope
