// One construction in a race: its lab, progress and work.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "lab/facets.h"
#include "lab/lab.h"

namespace flipscope {

class Racer {
  public:
    /// The work done when the number of triangles was reached.
    struct Progress {
        uint64_t work = 0, triangles = 0;
        friend bool operator==(const Progress&, const Progress&) = default;
    };

    /// `id`: of a lab in the registry with rules in work.h; `name`: for the race.
    Racer(std::string id, std::string name, std::unique_ptr<Lab> lab);

    Lab& lab() { return *lab_; }
    const Lab& lab() const { return *lab_; }
    template <class Facet>
    const Facet& facet() const {
        return flipscope::facet<Facet>(lab());
    }
    const std::string& name() const { return name_; }
    std::string heading() const;  // the name with a capital letter

    void reset(Context& context, const std::shared_ptr<const Geometry>& input);
    bool done() const { return lab_->done(); }
    /// Whether the lab can be saved as it is: before its first pass, between its rounds and at its end.
    bool at_rest() const { return state_.at_rest != 0; }
    /// Runs one pass.
    StepResult step();

    uint64_t work() const { return state_.work; }  // elements touched
    uint32_t passes() const { return state_.passes; }
    /// As the lab counted them; if it does not count any, the number when it was last at rest.
    uint64_t triangles() const { return state_.triangles; }
    /// At the start and after each pass.
    const std::vector<Progress>& progress() const { return progress_; }
    /// Title of its view: "Strips, zip: work 1,234 in 3 passes".
    std::string title() const;
    /// "work 1,234 in 3 passes"
    std::string so_far() const;

    uint64_t state_hash() const;
    /// The state without the lab's own, in kBlocks blocks.
    static constexpr size_t kBlocks = 2;
    void put(Snapshot& snapshot) const;
    /// Throws std::logic_error, and changes nothing, for blocks that put() did not write.
    void take(const Snapshot& snapshot, size_t first);

  private:
    static constexpr size_t kMostCounters = 16;
    /// Saved and loaded as it is.
    struct State {
        uint64_t work = 0, triangles = 0, distinct = 0;
        uint32_t passes = 0, last_pass = kNone, at_rest = 1, padding = 0;
        std::array<int64_t, kMostCounters> counters{};  // of the latest pass that counts each; 0: no pass yet
    };

    void count_triangles(const StepResult& step);

    std::string id_, name_;
    std::unique_ptr<Lab> lab_;
    std::vector<size_t> made_;  // counters of triangles that a pass makes
    uint64_t given_ = 0;        // points of the input
    State state_;
    std::vector<Progress> progress_{{}};
};

}  // namespace flipscope
