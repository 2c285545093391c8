// The picture of a frame of the Events lab: its links as linework, and over them the contacts lost and created in the
// last few comparisons, paler with age, and vanished bubbles. No state: it is made from the frame and the log, on the
// device except for the list of fading links.
#pragma once

#include <vector>

#include "events/detection/event_log.h"
#include "events/detection/linked_frame.h"
#include "labs/voronoi/link_drawing.h"
#include "mesh/linework.h"

namespace flipscope {

inline constexpr uint32_t kAges = 6;  // comparisons for which a changed link is drawn

/// State words of the two meshes.
enum EventEdgeBit : State {
    kLostState = 1 << 0,              // shifted by its age
    kCreatedState = 1 << kAges,       // shifted by its age
    kVanishedState = 1 << 2 * kAges,  // a cross where a bubble was
};
enum EventVertexBit : State { kActiveState = 1 << 0, kAppearedState = 1 << 1 };

/// Opacity of a changed link by age.
inline constexpr float kStrength[kAges] = {1, 0.75f, 0.55f, 0.4f, 0.28f, 0.18f};

/// A line over the links: between two names, or between two places if a name no longer exists.
struct EventLine {
    uint32_t names[2];
    Point places[2];
    State state;
    uint16_t unused[3];
};

class EventsDrawing {
  public:
    void reset(Context& context, const Lattice& lattice, bool with_states);
    /// `round`: of the present comparison; `to_past`: as Matching::to_past(), empty in the first frame; `next_name`:
    /// greater than all names; `vanished`: the last places of vanished bubbles.
    void draw(Context& context, const LinkedFrame& now, const EventLog& log, uint32_t round,
              View<const uint32_t> to_past, uint32_t next_name, const std::vector<Point>& vanished);
    /// Sets labels() to these labels, with obstacles marked.
    void show_labels(Context& context, const Buffer<uint32_t>& labels, View<const uint8_t> obstacles);
    const Buffer<uint32_t>& labels() const { return shown_labels_; }  // (h, w); empty: show the labels themselves
    const Linework& mesh() const { return mesh_; }
    const Linework& over() const { return over_; }        // links changed in this comparison, vanished bubbles
    const Linework& earlier() const { return earlier_; }  // links changed in earlier comparisons
    uint32_t site_count() const { return site_count_; }
    /// Labels of the link that an edge of mesh() is a piece of.
    std::array<uint32_t, 2> link(uint32_t edge) const { return links_.link(edge); }
    const LinkDrawing& links() const { return links_; }

  private:
    void draw_lines(Context& context, const LinkedFrame& now, const std::vector<EventLine>& lines, Linework& to);

    Lattice lattice_;
    bool with_states_ = true;
    uint32_t site_count_ = 0;
    Linework mesh_, over_, earlier_;
    LinkDrawing links_;
    Buffer<uint32_t> labels_{"labels of names"};
    Buffer<uint32_t> shown_labels_{"labels and obstacles", Residence::kDrawn};
    Buffer<EventLine> lines_{"lines"};
    Buffer<uint32_t> active_{"active names"};
    Buffer<uint32_t> total_{"line count"};
};

}  // namespace flipscope
