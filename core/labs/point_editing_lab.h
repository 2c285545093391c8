// A lab around a construction from points, which can be moved, added and removed manually between rounds and at the
// end. An edit changes the points and reruns the construction on them from the start to the same place. So the state
// equals that of a run on those points, and is repeatable wherever such a run is. Build, Serial, Strips and Subdivide
// derive from this; Serial continues its run where it can (edit_in_place()).
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <vector>

#include "compute/snapshot.h"
#include "geometry/point.h"
#include "labs/construction_lab.h"

namespace flipscope {

/// Manual edits of the points of an input: moved, added and removed points. The input itself stays unchanged, so a
/// snapshot of an edited run holds only the difference. Points keep their numbers: a new point gets the next number
/// after all earlier ones, and the number of a removed point is not reused. So ties among the other points are broken
/// as before.
class PointChanges {
  public:
    bool empty() const { return places_.empty() && removed_.empty(); }
    /// `given`: the number of points in the input.
    uint32_t next_index(size_t given) const { return static_cast<uint32_t>(given) + added_; }

    void move(uint32_t index, Point place) { places_[index] = place; }
    /// Returns its index.
    uint32_t add(Point place, size_t given);
    void remove(uint32_t index) { removed_.insert(index); }

    /// The points after all changes, in ascending order of their indices. `names` receives the indices if some are
    /// missing; otherwise it is empty.
    std::shared_ptr<const Geometry> apply(const Geometry& given, std::vector<uint32_t>& names) const;

    /// 0 without changes.
    uint64_t hash() const;
    /// As one block.
    void put(Snapshot& snapshot) const;
    static PointChanges take(const Snapshot& snapshot, size_t block);
    bool operator==(const PointChanges& other) const = default;

  private:
    std::map<uint32_t, Point> places_;  // by index in the input, or after its last point
    std::set<uint32_t> removed_;
    uint32_t added_ = 0;
};

class PointEditingLab : public ConstructionLab, public Editable {
  public:
    void reset(Context& context, std::shared_ptr<const Geometry> input) final;
    void set_records_states(bool records_states) final {
        will_record_states_ = records_states;
        engine().set_records_states(records_states);
    }
    uint32_t next_pass() const final { return engine().next_pass(); }
    StepResult step() override;
    void finish(const std::function<void(const StepResult&)>& after_round) override;

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
    static constexpr uint32_t kFirstPass = 0;  // of all these constructions: it orders the points

    virtual PointConstruction& engine() = 0;
    const PointConstruction& engine() const { return const_cast<PointEditingLab*>(this)->engine(); }
    const Construction& construction() const final { return engine(); }
    virtual void reset_engine(Context& context, std::shared_ptr<const Geometry> input) = 0;
    /// Restarts on other points with the settings of the present run. Throws Error, and changes nothing, for unsuitable
    /// points.
    virtual void restart_engine(std::shared_ptr<const Geometry> input) = 0;
    /// The engine is in another state, which no step led to. `restarted`: at its start.
    virtual void engine_moved(bool /*restarted*/) {}
    /// The pass that allocates buffers for the whole construction: it makes the first triangle, unless there is none.
    virtual uint32_t seeding_pass() const { return kFirstPass + 1; }
    /// The message of the pass that ran last.
    virtual StepMessage message_after(uint32_t pass) const = 0;
    /// The messages of the passes of a round of finish(). `first`: the first pass that finish() ran; kNone: in an
    /// earlier round.
    virtual StepMessage message_of_round(const PassResult& /*round*/, uint32_t first) const {
        return first == kFirstPass ? message_after(kFirstPass) : StepMessage{};
    }
    /// Adds the measures after a pass or a round.
    virtual void measure(StepResult& /*result*/) const {}
    /// Maps a place of the world to the coordinates of construction().input(), which may differ from the given ones.
    /// Throws Error for a place outside them.
    virtual Point place_of_point(Point place) const { return place; }
    /// Completes the result of an edit; `result` has as many counters as LabInfo, all of them kNotCounted.
    virtual void describe_edit(StepResult& /*result*/) const {}
    /// Whether edits continue the present run, by further passes on the changed points, where edit_in_place() can; an
    /// empty input is then complete from the start.
    virtual bool continues_runs() const { return false; }
    /// The edit as a step of the present run. `names`: of the changed points, as of name_points(); `name`: of the added
    /// or edited one. Returns what the step has ended; nothing, and nothing has changed: the run must be repeated.
    virtual std::optional<Level> edit_in_place(const Edit& /*edit*/, const std::shared_ptr<const Geometry>& /*points*/,
                                               const std::vector<uint32_t>& /*names*/, uint32_t /*name*/,
                                               StepMessage& /*message*/) {
        return {};
    }

    bool will_record_states_ = true, records_states_ = true;  // as requested; as of the last reset

  private:
    /// Progress of a run, in the unit after which edits are possible: rounds, or points.
    struct Place {
        bool begun = false;  // a pass has run
        bool done = false;
        uint32_t count = 0;
    };
    struct Drag {
        std::vector<uint32_t> points;  // of the input, all at the same place
        PointChanges before;
        Place place;                    // before the drag
        std::optional<Snapshot> state;  // before it, if it continues the run
    };

    std::vector<uint32_t> points_of(const Edit& edit) const;
    void require_free(Point place, const std::vector<uint32_t>& except) const;
    void start_on(std::shared_ptr<const Geometry> points, std::vector<uint32_t> names);
    bool is_seeded() const { return done() || next_pass() > seeding_pass(); }

    std::shared_ptr<const Geometry> given_;
    PointChanges changes_;      // since the last reset
    std::optional<Drag> drag_;  // the last edit, if it was a drag
    bool interrupted_ = false;  // an edit was cancelled before it was complete
};

}  // namespace flipscope
