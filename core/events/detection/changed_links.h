// The changed links of a comparison on the host: their corners, kinds, events, and surroundings. ChangeDetector writes
// them, and EventLog processes them.
#pragma once

#include <cstdint>
#include <span>

#include "compute/buffer.h"
#include "flipscope/detect_events.h"

namespace flipscope {

/// Of vertices, links and events.
enum EventBit : uint32_t {
    kT1 = 1u << 0,            // a vertex with three active neighbours or more, before or after; a link between such
    kBoundary = 1u << 1,      // a vertex on the boundary with an active neighbour on the boundary; a link between such
    kActiveVertex = 1u << 2,  // its row has changed
    kOnPastBoundary = 1u << 3,     // a vertex with a link that fewer than two empty triangles share, before
    kOnPresentBoundary = 1u << 4,  // the same after
    kBesideUnmatched = 1u << 5,  // a link whose ends share a neighbour without a partner, in the frame without the link
};

/// The kind of an event by the bits of its links.
EventKind event_kind(uint32_t bits);

/// A link present in only one of the two frames. Corners: its two ends, lower label first, then the apexes of its empty
/// triangles in the frame that has it; kNone: no triangle.
struct ChangedLink {
    uint32_t lost = 0;          // 1: of the past; 0: of the present
    uint32_t triangles = 0;     // number of its empty triangles: 2 inside, 1 or 0 on the boundary
    uint32_t kinds = 0;         // EventBit: kT1, kBoundary, kBesideUnmatched, or 0
    uint32_t event = 0;         // lowest index of a changed link of its event
    uint32_t past[4], now[4];   // labels of the corners; kNone: absent in that frame
    uint32_t names[4];          // permanent names
    uint32_t corner_kinds[4];   // EventBit
    Point before[4], after[4];  // places of their sites
};

inline constexpr uint32_t kAround = 16;       // neighbours kept per corner, for display
inline constexpr uint32_t kMostDrawn = 1024;  // changed links per comparison whose surroundings are kept

/// The places of the neighbours of a changed link's corners, each once, without the corners: past_count places of
/// FoundLinks from `first` on, then now_count.
struct Surroundings {
    uint32_t first, past_count, now_count;
    uint32_t unused;
};

/// The changed links of one comparison on the host: a block of counters, links, surroundings and places, as written by
/// kernels.
class FoundLinks {
  public:
    static constexpr size_t kHeader = 64;  // bytes of counters
    /// Offsets of the surroundings and of the places in a block with room for `room` links.
    static size_t surroundings_at(uint32_t room) { return kHeader + room * sizeof(ChangedLink); }
    static size_t places_at(uint32_t room) { return surroundings_at(room) + drawn(room) * sizeof(Surroundings); }
    static uint32_t drawn(uint32_t links) { return links < kMostDrawn ? links : kMostDrawn; }

    void forget() { room_ = links_ = places_ = 0, copied_ = 0; }
    /// Copies the first `bytes` of `block`, made with `room`, unless they are present already.
    void copy(Context& context, const Buffer<uint64_t>& block, uint32_t room, size_t bytes) {
        const size_t words = bytes / 8 < block.size() ? (bytes + 7) / 8 : block.size();
        room_ = room;
        if (words <= copied_) return;
        if (block_.size() < words) block_.resize(context, words + words / 2);
        context.copy(block_.view().data + copied_, block.view().data + copied_, (words - copied_) * sizeof(uint64_t));
        copied_ = words;
    }
    /// Sets the numbers of valid links and places.
    void set_counts(uint32_t links, uint32_t places) { links_ = links, places_ = places; }
    const uint32_t* counters() const { return at<uint32_t>(0); }

    /// Lost ones first, each part in the order of labels.
    std::span<const ChangedLink> links() const { return {at<ChangedLink>(kHeader), links_}; }
    /// Of the first kMostDrawn links.
    std::span<const Surroundings> surroundings() const {
        return {at<Surroundings>(surroundings_at(room_)), drawn(links_)};
    }
    std::span<const Point> places() const { return {at<Point>(places_at(room_)), places_}; }

  private:
    template <class T>
    const T* at(size_t byte) const {
        if (block_.empty()) return nullptr;
        return reinterpret_cast<const T*>(reinterpret_cast<const char*>(block_.view().data) + byte);
    }
    static_assert(kHeader % alignof(Point) == 0 && sizeof(ChangedLink) % alignof(Point) == 0 &&
                  sizeof(Surroundings) % alignof(Point) == 0);

    Buffer<uint64_t> block_{"changed links on the host", Residence::kHost};
    uint32_t room_ = 0, links_ = 0, places_ = 0;
    size_t copied_ = 0;  // words
};

}  // namespace flipscope
