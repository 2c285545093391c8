// Which of the changed contacts in the log count: those that last a number of comparisons, or whose length passes a
// threshold (a hysteresis). The others are flickers. SettledEvents is a view of EventLog, a function of it alone;
// lengths after a change are not in the log, so ContactWatch records when they pass. Host code.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <map>
#include <span>
#include <unordered_map>
#include <vector>

#include "compute/snapshot.h"
#include "events/detection/event_log.h"

namespace flipscope {

struct PersistenceRules {
    int comparisons = 1;  // a change counts when it lasts this many; 1: every change
    // A lost contact counts when its cells are farther apart than lost_beyond, a created one when they are nearer than
    // created_within, before the change is undone. Mean distances between sites; NaN: any distance.
    double lost_beyond = NAN, created_within = NAN;

    bool has_lengths() const { return !std::isnan(lost_beyond) || !std::isnan(created_within); }
    bool keeps_all() const { return comparisons <= 1 && !has_lengths(); }
};

/// The sites of a comparison in host memory.
struct ComparedSites {
    std::vector<Point> past, now;  // by label, lattice units
    std::vector<uint32_t> to_now;  // by past label; kNone: vanished
    std::vector<uint32_t> names;   // by present label
};

/// Records the comparison in which the length of each changed contact passes its threshold.
class ContactWatch {
  public:
    void reset(const PersistenceRules& rules);
    bool is_needed() const { return rules_.has_lengths(); }
    /// Call it after every comparison, once its events are in the log.
    void observe(const EventLog& log, uint32_t round, const ComparedSites& sites);
    /// By link of the log; kNone: not yet. Empty unless is_needed().
    std::span<const uint32_t> passed() const { return passed_; }
    void save(Snapshot& snapshot) const;
    size_t load(const Snapshot& snapshot, size_t first);

  private:
    PersistenceRules rules_;
    std::vector<uint32_t> passed_;
    std::unordered_map<uint64_t, uint32_t> last_;  // by contact its last change, if that has not passed
    size_t read_ = 0;                              // links of the log that are in last_
};

/// The events of a log, with the links that count apart from flickers: one row for each event and verdict, and one for
/// each birth, death and the like.
///
/// The state of a contact is settled when it lasts rules.comparisons comparisons and, where lengths are given, has
/// passed its length. A change counts if it begins a settled state other than the last settled one. All other changes
/// are flickers; so is one whose cells vanish first. A change is undecided if the run begins or ends too near to it for
/// the state before or after to be settled. An event is listed when all its links are decided and as many comparisons
/// have passed as the rules ask for; in the order of the log, except that with lengths some events are decided later
/// than others. At the end of a run the others follow as undecided. A listed row never changes.
class SettledEvents {
  public:
    struct Row {
        uint32_t event = 0;  // of the log
        EventVerdict verdict = EventVerdict::kCounts;
        uint32_t kinds = 0;         // EventBit, of the row's links
        uint32_t reverses = kNone;  // row of the T1 that this one, by the same four cells, undoes; each has one partner
    };
    struct Counts {
        std::array<uint64_t, size_t(EventKind::kKinds)> kinds{};  // rows that count
        uint64_t flickers = 0, undecided = 0;                     // rows
        uint64_t lost = 0, created = 0;                           // links that count
        uint64_t reversals = 0;
    };

    void reset(PersistenceRules rules);
    /// Reads the log up to comparison `round`; `ended`: no further one follows. `passed`: of ContactWatch.
    void update(const EventLog& log, std::span<const uint32_t> passed, uint32_t round, bool ended);

    const PersistenceRules& rules() const { return rules_; }
    const std::vector<Row>& rows() const { return rows_; }
    const Counts& counts() const { return counts_; }
    /// Whether it is a plastic event that counts, and not unmatched. `log`: that of update().
    bool is_counted(const EventLog& log, const Row& row) const {
        return row.verdict == EventVerdict::kCounts && log.events()[row.event].is_plastic() &&
               event_kind(row.kinds) != EventKind::kUnmatched;
    }
    /// Of a link of the log, by its index; and the row that lists it, kNone: none yet.
    EventVerdict verdict_of(size_t link) const { return verdicts_[link]; }
    uint32_t row_of(size_t link) const { return link < row_of_.size() ? row_of_[link] : kNone; }
    /// The indices of the row's links.
    std::vector<uint32_t> links_of(const EventLog& log, const Row& row) const;

  private:
    struct Contact {
        bool lost, settled_lost;  // its state now, and the last settled one
        uint32_t open = kNone;    // its undecided change
        uint32_t since = 0;       // the comparison of its last change
        bool is_known = false;    // a state of it was seen long enough
    };
    void step(const EventLog& log, std::span<const uint32_t> passed, uint32_t round);
    void open(const LoggedLink& link, uint32_t index, uint32_t round);
    void decide(uint32_t link, EventVerdict verdict);
    void end_contacts_of(const EventLog& log, const LoggedEvent& event);
    void list(const EventLog& log, uint32_t event);
    void pair_reversal(const EventLog& log, uint32_t row);

    PersistenceRules rules_;
    uint32_t round_ = 0;
    bool ended_ = false;
    std::vector<Row> rows_;
    Counts counts_;
    std::vector<EventVerdict> verdicts_;               // by link
    std::vector<uint32_t> event_of_, row_of_;          // by link
    std::vector<uint32_t> undecided_;                  // by event: its links that are not decided
    std::vector<uint32_t> open_, waiting_;             // links that are not decided, events that are not listed
    std::unordered_map<uint64_t, Contact> contacts_;   // by the names of both ends
    std::map<std::array<uint32_t, 4>, uint32_t> t1s_;  // by lost and created contact: the last row without a partner
};

}  // namespace flipscope
