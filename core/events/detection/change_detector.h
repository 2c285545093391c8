// Plastic events between two frames (Bernaschi, Lulli and Sbragaglia 2016, sections III B 3 and 4). Past rows are
// translated by Φ and compared; where they differ, the links of one frame only are listed, classified by the paper's
// rules, and grouped into events. The lost links are always the set Φ(E_P) \ E_N, the created ones E_N \ Φ(E_P), over
// vertices with a partner: the rules decide only the kind of a link, not whether it is listed.
//
// compare() launches kernels and reads nothing. read() waits for one small block of counters; if nothing has changed,
// the comparison is complete. Otherwise extract() lists the changes. Where waiting is expensive, extract_ahead() does
// so before the counts are known, with room for about as many changes as last time; then read() copies everything at
// once.
#pragma once

#include <cstdint>
#include <memory>

#include "events/detection/changed_links.h"
#include "events/detection/linked_frame.h"
#include "events/detection/matching.h"

namespace flipscope {

/// Counters of a comparison on the device, 32-bit words.
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
    /// `closed`: both graphs triangulate a torus, so the search for boundary vertices is skipped.
    void reset(Context& context, const Lattice& lattice, bool closed = false);

    /// Translates the past rows, (E_P)_PN, and sets local_trigger where they differ. Only launches.
    void compare(Context& context, const LinkedFrame& past, const LinkedFrame& now, const Matching& matching);
    /// Lists active vertices and changed links, classifies and groups them, if there are no more than expected. Only
    /// launches; does nothing on CPU threads, which never wait.
    void extract_ahead(Context& context, const LinkedFrame& past, const LinkedFrame& now, const Matching& matching);
    /// Waits for the counters of the last compare(), and for the results of extract_ahead().
    ComparisonCounts read() const;
    /// As extract_ahead(), with room for all changes; does nothing if it has been done. `counts`: from read().
    void extract(Context& context, const LinkedFrame& past, const LinkedFrame& now, const Matching& matching,
                 const ComparisonCounts& counts);

    /// The extracted changes. Waits for the device. They remain valid while the pointer is held.
    std::shared_ptr<const FoundLinks> found() const;

    /// By past label: 1 if the row has changed. And the translated rows, ascending, with kMaxLink for vanished
    /// neighbours.
    const Buffer<uint8_t>& local_trigger() const { return trigger_; }
    /// After extract(): EventBits of active vertices, by past label.
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
    uint32_t turn_ = 0;                                 // index of this comparison's counters
    Buffer<uint32_t> kinds_{"kinds of vertices"}, active_{"active vertices"};
    Buffer<uint64_t> lost_{"lost entries"}, created_{"created entries"};  // as found, see found_link()
    Buffer<uint32_t> labels_{"labels"};                                   // sort keys for these
    Buffer<uint32_t> entries_{"entries of links"};
    Buffer<uint32_t> slots_{"links by entry"};  // past links, then present ones
    Buffer<uint64_t> parents_{"parents of links"};
    // The counters, ChangedLinks, Surroundings and places in one block, to be read with one copy.
    Buffer<uint64_t> found_{"changed links"};
    bool extracted_ = false;  // with link_room_
    uint32_t link_room_ = 0;
    mutable uint32_t usual_links_ = 0, usual_places_ = 0;  // expected numbers
    std::shared_ptr<FoundLinks> host_links_, spare_;       // on the host; two, because the caller may hold one
};

}  // namespace flipscope
