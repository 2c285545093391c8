// Plastic events between two moments (Bernaschi, Lulli and Sbragaglia 2016, sections III B 3 and 4): past rows are
// translated by Φ and compared; where they differ, the links that are in one moment only are listed, told apart by the
// paper's rules, and put together to events. What breaks is always the set Φ(E_P) \ E_N, what arises E_N \ Φ(E_P), over
// those that have a partner: no rule decides whether a link is listed, only how it is called.
//
// compare() launches kernels and reads nothing. read() waits for one small block of counters; when it says that nothing
// has changed, that was all. Else extract() lists what did, with sizes that the host now knows.
#pragma once

#include <cstdint>
#include <vector>

#include "events/matching.h"
#include "events/moment.h"

namespace flipscope {

/// Of vertices, links and events.
enum EventBit : uint32_t {
    kBulk = 1u << 0,          // a vertex with three active neighbours or more, before or after; a link between such
    kBoundary = 1u << 1,      // a vertex of the boundary with an active neighbour of the boundary; a link between such
    kActiveVertex = 1u << 2,  // its row has changed
    kOnPastBoundary = 1u << 3,     // a vertex at a link that fewer than two empty triangles share
    kOnPresentBoundary = 1u << 4,  // the same after
    kBesideUnmatched = 1u << 5,    // a link whose ends share, in the moment without it, a neighbour without partner
};

/// What an event is called, by the bits of its links.
enum class EventKind : uint32_t {
    kUnclear,    // no rule says what it is
    kBulk,       //
    kBoundary,   //
    kMixed,      // of links of both kinds
    kUnmatched,  // those around somebody who vanished have closed up, or have made room for somebody who appeared
    kKinds
};
EventKind event_kind(uint32_t bits);
/// "unclear", "bulk", "boundary", "mixed" or "unmatched".
const char* name_of(EventKind kind);

/// One comparison in numbers.
struct ComparisonCounts {
    uint64_t past = 0, now = 0;              // centres
    uint64_t past_links = 0, now_links = 0;  //
    uint64_t matched = 0, vanished = 0;      // of the past ones
    uint64_t active = 0;                     // matched, and their rows differ: local_trigger
    uint64_t breaking = 0, arising = 0;      // links
    uint64_t appeared() const { return now - matched; }
    bool triggered() const { return active > 0; }  // global_trigger
};

/// A link that is in one of the two moments only. Corners: its two ends, lower label first, then the apexes of the
/// empty triangles at it in the moment that has it; kNone where there is none.
struct ChangedLink {
    uint32_t breaking = 0;      // 1: of the past; 0: of the present
    uint32_t triangles = 0;     // empty ones at it: 2 inside, 1 or 0 on the boundary
    uint32_t kinds = 0;         // EventBit: kBulk, kBoundary, kBesideUnmatched, or nothing
    uint32_t event = 0;         // lowest index of a changed link of the same event
    uint32_t past[4], now[4];   // labels of the corners; kNone: not there in that moment
    uint32_t names[4];          // what they are called
    uint32_t corner_kinds[4];   // EventBit
    Point before[4], after[4];  // where they were and are, as the centres say
};

inline constexpr uint32_t kAround = 16;       // neighbours that are kept of a corner, for the eye
inline constexpr uint32_t kMostDrawn = 1024;  // changed links of a comparison whose surroundings are kept

/// Where the neighbours of a changed link's corners were and are.
struct Surroundings {
    uint32_t past_count[4], now_count[4];
    Point past[4][kAround], now[4][kAround];
};

class Detection {
  public:
    void reset(Context& context, const Lattice& lattice);

    /// Translates the rows of the past, (E_P)_PN, and sets local_trigger where they differ. Only launches.
    void compare(Context& context, const Moment& past, const Moment& now, const Matching& matching);
    /// Waits for the counters of the last compare().
    ComparisonCounts read() const;
    /// Lists active vertices and changed links, classifies them and puts them together. `counts`: of read().
    void extract(Context& context, const Moment& past, const Moment& now, const Matching& matching,
                 const ComparisonCounts& counts);

    /// Breaking ones first, each part in the order of its labels. Waits for the device; one copy brings these and their
    /// surroundings. Both stay until the next comparison.
    const std::vector<ChangedLink>& links() const;
    /// Of the first kMostDrawn of them.
    const std::vector<Surroundings>& surroundings() const;

    /// By past label: 1 where the row has changed. And the rows themselves, ascending, kMaxLink for those that
    /// vanished.
    const Buffer<uint8_t>& local_trigger() const { return trigger_; }
    const Buffer<uint32_t>& translated() const { return translated_; }
    /// After extract(): by past label of an active vertex its EventBits.
    const Buffer<uint32_t>& vertex_kinds() const { return kinds_; }
    uint32_t link_count() const { return link_count_; }

  private:
    void forget();
    void fetch() const;

    Lattice lattice_;
    Buffer<uint32_t> translated_{"translated rows"};
    Buffer<uint8_t> trigger_{"local trigger"};
    Buffer<uint64_t> counters_{"comparison counters"};  // (4 + 4) of the trigger; of both moments
    Buffer<uint32_t> kinds_{"kinds of vertices"};
    Buffer<uint8_t> marks_{"changed entries"};    // past ones, then present ones; all 0 between calls
    Buffer<uint32_t> lists_{"changed lists"};     // active vertices, breaking entries, arising entries
    Buffer<uint32_t> slots_{"changed by entry"};  // past ones, then present ones: index of the changed link
    Buffer<uint32_t> total_{"total"};
    Buffer<uint64_t> parents_{"parents of links"};
    Buffer<uint64_t> found_{"changed links"};  // Surroundings, then ChangedLinks
    uint32_t active_count_ = 0, link_count_ = 0, drawn_count_ = 0;
    mutable bool fetched_ = false;
    mutable std::vector<ChangedLink> host_links_;  // what was found, when the host has asked
    mutable std::vector<Surroundings> host_surroundings_;
};

}  // namespace flipscope
