// Plastic events between two frames (Bernaschi, Lulli and Sbragaglia 2016, sections III B 3 and 4): past rows are
// translated by Φ and compared; where they differ, the links that are in one frame only are listed, told apart by the
// paper's rules, and put together to events. The lost links are always the set Φ(E_P) \ E_N, the created ones
// E_N \ Φ(E_P), over those that have a partner: no rule decides whether a link is listed, only how it is called.
//
// compare() launches kernels and reads nothing. read() waits for one small block of counters; when it says that nothing
// has changed, that was all. Else extract() tells what did. Where waiting is dear, extract_ahead() does so before
// it is known whether and how much, with room for about as much as the last time; read() then brings all of it at
// once.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "events/detection/changed_links.h"
#include "events/detection/linked_frame.h"
#include "events/detection/matching.h"

namespace flipscope {

/// What is counted of a comparison on the device, 32-bit words.
enum ComparisonCounter : int {
    kActiveCount,
    kLostCount,
    kCreatedCount,
    kPlaceCount,    // neighbours of changed links' corners
    kPastSizes,     // as LinkedFrame::sizes()
    kNowSizes = 6,  //
    kMatches = 8,   // as Matching::Count
    kCounterWidth = FoundLinks::kHeader / sizeof(uint32_t)
};

class ChangeDetector {
  public:
    /// `closed`: both graphs triangulate a torus, so no vertex is on a boundary, and none is looked for.
    void reset(Context& context, const Lattice& lattice, bool closed = false);

    /// Translates the rows of the past, (E_P)_PN, and sets local_trigger where they differ. Only launches.
    void compare(Context& context, const LinkedFrame& past, const LinkedFrame& now, const Matching& matching);
    /// Lists active vertices and changed links, classifies them and puts them together, if there is no more of them
    /// than expected. Only launches; on CPU threads it does nothing, as nothing waits there.
    void extract_ahead(Context& context, const LinkedFrame& past, const LinkedFrame& now, const Matching& matching);
    /// Waits for the counters of the last compare(), and for what extract_ahead() found.
    ComparisonCounts read() const;
    /// The same with room for all, unless it has been done. `counts`: of read().
    void extract(Context& context, const LinkedFrame& past, const LinkedFrame& now, const Matching& matching,
                 const ComparisonCounts& counts);

    /// What was extracted. Waits for the device. It stays as it is as long as it is held.
    std::shared_ptr<const FoundLinks> found() const;

    /// By past label: 1 where the row has changed. And the rows themselves, ascending, kMaxLink for those that
    /// vanished.
    const Buffer<uint8_t>& local_trigger() const { return trigger_; }
    const Buffer<uint32_t>& translated() const { return translated_; }
    /// After extract(): by past label of an active vertex its EventBits.
    const Buffer<uint32_t>& vertex_kinds() const { return kinds_; }

  private:
    void forget();
    void sort_found(Context& context, const ComparisonCounts& counts);
    void launch_extraction(Context& context, const LinkedFrame& past, const LinkedFrame& now, const Matching& matching,
                           uint32_t active, uint32_t links, bool in_order);
    size_t usual_bytes() const;

    Context* context_ = nullptr;
    Lattice lattice_;
    bool closed_ = false;
    Buffer<uint32_t> translated_{"translated rows"};
    Buffer<uint8_t> trigger_{"local trigger"};
    Buffer<uint32_t> counters_{"comparison counters"};  // (2, kCounterWidth) of this comparison and of the next
    uint32_t turn_ = 0;                                 // which is this one's
    Buffer<uint32_t> kinds_{"kinds of vertices"}, active_{"active vertices"};
    Buffer<uint64_t> lost_{"lost entries"}, created_{"created entries"};  // as found, see found_link()
    Buffer<uint32_t> labels_{"labels"};                                   // to sort these with
    Buffer<uint32_t> entries_{"entries of links"};
    Buffer<uint32_t> slots_{"links by entry"};  // past ones, then present ones
    Buffer<uint64_t> parents_{"parents of links"};
    // The counters, ChangedLinks, Surroundings and places, so that one copy brings what there is of all.
    Buffer<uint64_t> found_{"changed links"};
    bool extracted_ = false;  // with link_room_
    uint32_t link_room_ = 0;
    mutable uint32_t usual_links_ = 0, usual_places_ = 0;  // how many are expected
    std::shared_ptr<FoundLinks> told_, spare_;             // the host's; two, so that one can be held
};

}  // namespace flipscope
