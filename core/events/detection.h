// Plastic events between two moments (Bernaschi, Lulli and Sbragaglia 2016, sections III B 3 and 4): past rows are
// translated by Φ and compared; where they differ, the links that are in one moment only are listed, told apart by the
// paper's rules, and put together to events. What breaks is always the set Φ(E_P) \ E_N, what arises E_N \ Φ(E_P), over
// those that have a partner: no rule decides whether a link is listed, only how it is called.
//
// compare() launches kernels and reads nothing. read() waits for one small block of counters; when it says that nothing
// has changed, that was all. Else extract() tells what did. Where waiting is dear, extract_ahead() does so before
// anybody knows whether and how much, with room for about as much as the last time; read() then brings all of it at
// once.
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

/// What is counted of a comparison on the device, 32-bit words.
enum ComparisonCounter : int {
    kActiveCount,
    kBreakingCount,
    kArisingCount,
    kPlaceCount,    // neighbours of changed links' corners
    kPastSizes,     // as Moment::sizes()
    kNowSizes = 6,  //
    kMatches = 8,   // as Matching::Count
    kCounterWidth = 16
};

inline constexpr uint32_t kAround = 16;       // neighbours that are kept of a corner, for the eye
inline constexpr uint32_t kMostDrawn = 1024;  // changed links of a comparison whose surroundings are kept

/// Where the neighbours of a changed link's corners were and are, a place as often as it is a neighbour: past_count of
/// Detection::places() from `first` on, then now_count.
struct Surroundings {
    uint32_t first, past_count, now_count;
    uint32_t unused;
};

class Detection {
  public:
    void reset(Context& context, const Lattice& lattice);

    /// Translates the rows of the past, (E_P)_PN, and sets local_trigger where they differ. Only launches.
    void compare(Context& context, const Moment& past, const Moment& now, const Matching& matching);
    /// Lists active vertices and changed links, classifies them and puts them together, if there is no more of them
    /// than expected. Only launches; on CPU threads it does nothing, as there nobody waits.
    void extract_ahead(Context& context, const Moment& past, const Moment& now, const Matching& matching);
    /// Waits for the counters of the last compare(), and for what extract_ahead() found.
    ComparisonCounts read() const;
    /// The same with room for all, unless it has been done. `counts`: of read().
    void extract(Context& context, const Moment& past, const Moment& now, const Matching& matching,
                 const ComparisonCounts& counts);

    /// Breaking ones first, each part in the order of its labels. Waits for the device; one copy brings these and their
    /// surroundings. All stay until the next comparison.
    const std::vector<ChangedLink>& links() const;
    /// Of the first kMostDrawn of them.
    const std::vector<Surroundings>& surroundings() const;
    const std::vector<Point>& places() const;

    /// By past label: 1 where the row has changed. And the rows themselves, ascending, kMaxLink for those that
    /// vanished.
    const Buffer<uint8_t>& local_trigger() const { return trigger_; }
    const Buffer<uint32_t>& translated() const { return translated_; }
    /// After extract(): by past label of an active vertex its EventBits.
    const Buffer<uint32_t>& vertex_kinds() const { return kinds_; }

  private:
    void forget();
    void sort_found(Context& context, const ComparisonCounts& counts);
    void launch_extraction(Context& context, const Moment& past, const Moment& now, const Matching& matching,
                           uint32_t active, uint32_t links, bool in_order);
    uint32_t drawn_room() const { return link_room_ < kMostDrawn ? link_room_ : kMostDrawn; }
    size_t places_offset() const;  // bytes in found_
    void copy_found(size_t bytes) const;
    void fetch() const;

    Lattice lattice_;
    Buffer<uint32_t> translated_{"translated rows"};
    Buffer<uint8_t> trigger_{"local trigger"};
    Buffer<uint32_t> counters_{"comparison counters"};  // (2, kCounterWidth) of this comparison and of the next
    uint32_t turn_ = 0;                                 // which is this one's
    Buffer<uint32_t> kinds_{"kinds of vertices"}, active_{"active vertices"};
    Buffer<uint64_t> breaking_{"breaking entries"}, arising_{"arising entries"};  // as found, see found_link()
    Buffer<uint32_t> labels_{"labels"};                                           // to sort these with
    Buffer<uint32_t> entries_{"entries of links"};
    Buffer<uint32_t> slots_{"links by entry"};  // past ones, then present ones
    Buffer<uint64_t> parents_{"parents of links"};
    // The counters, ChangedLinks, Surroundings and places, so that one copy brings what there is of all.
    Buffer<uint64_t> found_{"changed links"};
    bool extracted_ = false;  // with link_room_
    uint32_t link_room_ = 0;
    mutable uint32_t usual_links_ = 0, usual_places_ = 0;  // how many are expected
    mutable size_t copied_ = 0;                            // bytes of found_ that the host has
    mutable std::vector<uint64_t> host_found_;
    mutable bool fetched_ = false;
    mutable std::vector<ChangedLink> host_links_;
    mutable std::vector<Surroundings> host_surroundings_;
    mutable std::vector<Point> host_places_;
};

}  // namespace flipscope
