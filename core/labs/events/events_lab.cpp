// The Events lab, pass by pass. The first frame has no past, so there is only its graph; then one round is
//
//   advance → threshold → label → measure → colour → corners → link → arrange → match → trigger → events
//
// where tracks begin with colour, and "delaunay" stands in for corners, link and arrange when the graph is to be that
// of the sites themselves. Of a source that keeps its graph, "delaunay" stands in for all from threshold to arrange;
// its picture alone is coloured. step() runs one pass and may ask the device how much there is; finish() runs the same
// kernels and waits once a comparison, for the counters and, on CUDA, what was found with them. What is not in
// RunState, the source, the log, the names of tracks or the two frames is a function of these, so a snapshot holds no
// more.
#include "labs/events/events_lab.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "compute/array.h"
#include "compute/error.h"
#include "compute/text.h"
#include "events/detection/triangles.h"
#include "geometry/frames.h"
#include "geometry/places.h"
#include "lab/parameters.h"
#include "lab/vocabulary.h"
#include "labs/events/events_log.h"
#include "labs/events/source_parameters.h"
#include "labs/events/source_words.h"
#include "labs/voronoi/stencil_inspect.h"
#include "mesh/hash.h"
#include "voronoi/components/edge_cover.h"
#include "voronoi/graph/graph_comparison.h"

namespace flipscope {

std::unique_ptr<Lab> make_events_lab() { return std::make_unique<EventsLab>(); }

namespace {

/// Smallest and largest number of a field; what is no number does not count.
std::pair<double, double> range_of(const Buffer<float>& field) {
    double low = INFINITY, high = -INFINITY;
    for (const float value : field.download()) {
        if (value < low) low = value;
        if (value > high) high = value;
    }
    return {low, high};
}

}  // namespace

// ---- from input to source ------------------------------------------------------------------------------------------

void EventsLab::reset(Context& context, std::shared_ptr<const Geometry> input) {
    if (input && input->in_space())
        throw Error(input->name + ": this is a surface in space, and the Events lab takes what moves in the plane");
    SourceParameters wanted = requested_.source;
    // A threshold that was set is meant.
    if (wanted.values == SourceParameters::kAuto && !requested_.auto_threshold)
        wanted.values = SourceParameters::kThreshold;
    std::unique_ptr<Source> source = start_source(context, wanted, input);
    if (requested_.matching == static_cast<int>(MatchBy::kNames) && source->field() && !source->cells())
        throw Error("matching=names needs a source that gives names, such as tracks or labels; use matching=nearest");
    if (requested_.graph == static_cast<int>(GraphKind::kLabels) && !source->cells())
        throw Error("graph=labels needs a label image, whose labels touch; use graph=lattice or graph=delaunay");
    context.set_block_size(static_cast<uint32_t>(requested_.block_size) / 32 * 32);
    context_ = &context;
    input_ = std::move(input);
    source_ = std::move(source);
    now_ = requested_;
    if (now_.graph == static_cast<int>(GraphKind::kAuto))
        now_.graph = static_cast<int>(input_ && input_->tracks ? GraphKind::kDelaunay : GraphKind::kLattice);
    records_states_ = wants_states_;
    const Lattice lattice = source_->lattice();
    chain_.reset(context, now_, *source_, records_states_);
    for (LinkedFrame& frame : frames_) frame.reset(context, lattice);
    for (std::vector<int64_t>& ids : ids_) ids.clear();
    named_ids_.clear();
    names_of_ids_.clear();
    current_ = 0;
    matching_ = {};
    detector_.reset(context, lattice, source_->graph_is_closed());
    log_.clear(lattice, units().value_or(LatticeUnits{}));
    for (Buffer<uint32_t>& areas : areas_) areas.resize(context, 0);
    overlaps_ = {};
    tracked_.clear();
    last_seen_.clear();
    if (by_names() && input_ && input_->tracks)
        for (size_t f = 0; f < input_->tracks->frame_count(); ++f)
            for (size_t i = input_->tracks->starts[f]; i < input_->tracks->starts[f + 1]; ++i)
                last_seen_[input_->tracks->ids[i]] = f;
    drawing_.reset(context, lattice, records_states_);
    field_low_ = 0;
    field_high_ = 1;
    if (chain_.has_field()) {
        const auto [low, high] = range_of(*source_->field());
        if (low < high) field_low_ = low, field_high_ = high;
    }
    const View<const Point> sites = chain_.has_field() ? View<const Point>{} : source_->sites();
    first_sites_.upload(context, sites.data, sites.count);
    open_pixels_ = lattice.pixel_count();
    if (!chain_.colouring().obstacles().empty())
        for (const uint8_t blocked : chain_.colouring().obstacles().download()) open_pixels_ -= blocked != 0;
    state_ = {};
    state_.next = first_graph_pass();
    greeting_ = describe_start();
}

StepMessage EventsLab::describe_start() {
    StepMessage said;
    said.add("source", "Source: " + text_of(*source_) + ".");
    if (const auto units = source_->units())
        said.add("units", "A lattice unit is " + format_short(units->unit.x) +
                              (source_->has_graph() ? " of the particles' units" : " of the file's units") +
                              ", in which positions of events and sites are written.");
    if (chain_.has_labels())
        said.add("labels", text_of_labels(*source_));
    else if (chain_.has_field())
        said.add("threshold", std::string("Bubbles are where the field is ") +
                                  (now_.polarity == int(Polarity::kAbove) ? "above " : "below ") +
                                  format_short(chain_.threshold_value()) +
                                  (now_.auto_threshold ? text_of(source_->threshold_origin()) : std::string()) + ".");
    for (const SourceNote& note : source_->notes()) said.add(kind_of(note), sentence_of(note, source_->lattice()));
    if (chain_.has_field() && !chain_.has_labels() && now_.auto_threshold &&
        now_.threshold != EventsParameters{}.threshold)
        said.add("threshold-unused", "The threshold that was set, " + format_short(now_.threshold) +
                                         ", is for auto_threshold=off; this is the usual one.");
    said.add("unused", set_without_effect());
    const bool makes_bubbles = now_.source.kind == SourceParameters::kBubbles;
    const bool makes_particles = now_.source.kind == SourceParameters::kParticles;
    if (input_ && !input_->points.empty() && !input_->field && !input_->tracks && (makes_bubbles || makes_particles))
        said.add("points-unused",
                 std::string("The points are not used: they are the first positions of droplets, of which ") +
                     (makes_bubbles ? "a random field has none" : "there are none among particles") +
                     "; take source=shear, channel, rolls or emulsion.");
    return said;
}

bool EventsLab::by_names() const {
    if (now_.matching == static_cast<int>(MatchBy::kNames)) return true;
    if (now_.matching == static_cast<int>(MatchBy::kNearest)) return false;
    return chain_.has_labels() ? source_->labels_last() : !chain_.has_field();
}

// ---- the passes -----------------------------------------------------------------------------------------------------

StepResult EventsLab::begin_step(uint32_t pass) const {
    StepResult result;
    result.pass = pass;
    result.counters.assign(kCounters, kNotCounted);
    return result;
}

uint32_t EventsLab::after(uint32_t pass) const {
    if (pass == kAdvance) return first_graph_pass();
    if (pass == kColour && !chain_.on_lattice()) return kDelaunay;
    if (pass == kArrange || pass == kDelaunay) return kMatch;
    return pass + 1;
}

void EventsLab::run_graph_pass(uint32_t pass, bool wait) {
    switch (pass) {
        case kThreshold:
            chain_.threshold(*source_, wait);
            break;
        case kLabel:
            chain_.label(*source_);
            break;
        case kMeasure:
            chain_.measure(*source_, wait);
            break;
        case kColour:
            if (!chain_.has_field()) chain_.measure(*source_, wait);
            chain_.colour();
            break;
        case kCorners:
            chain_.corners();
            break;
        case kLink:
            chain_.link();
            break;
        default:
            if (pass == kArrange)
                chain_.arrange(wait);
            else if (chain_.has_graph())
                chain_.edges(*source_);
            else
                chain_.delaunay(*source_);
            chain_.give(*source_, present());
            ids_[current_] = chain_.names(*source_);
            keep_areas();
            break;
    }
}

/// The whole graph of the present frame. `wait`: the host may ask how much there is.
void EventsLab::make_graph(bool wait) {
    for (uint32_t pass = first_graph_pass(); pass != kMatch; pass = after(pass)) run_graph_pass(pass, wait);
}

/// Again from the sites on, with room for all of them.
void EventsLab::remake_graph() {
    for (uint32_t pass = kMeasure; pass != kMatch; pass = after(pass)) run_graph_pass(pass, true);
}

/// Steps of the source from one comparison to the next.
uint32_t EventsLab::chosen_interval() const {
    return std::max(1u, now_.interval > 0 ? static_cast<uint32_t>(now_.interval) : source_->usual_interval());
}

/// Of bubbles the pixels that belong to them, of tracks those of their cells. Particles have neither.
void EventsLab::keep_areas() {
    Buffer<uint32_t>& areas = areas_[current_];
    if (chain_.has_field()) {
        const Buffer<uint32_t>& measured = chain_.components().areas();
        areas.resize(*context_, measured.size(), false);
        if (!areas.empty()) context_->copy(areas.view().data, measured.view().data, areas.size() * sizeof(uint32_t));
    } else if (!chain_.has_graph()) {
        const Buffer<uint32_t>& colours = chain_.colouring().colours();
        areas.resize(*context_, source_->sites().count, false);
        count_colours(*context_, source_->lattice(), colours.view(), areas.view());
    }
}

CellAreas EventsLab::host_areas(size_t frame) const {
    CellAreas areas(std::min<size_t>(areas_[frame].size(), frames_[frame].read_count()));
    areas_[frame].download(areas.data(), areas.size());
    return areas;
}

/// False: the source is in trouble, and the run ends with the frame before.
bool EventsLab::advance(StepResult& result) {
    const uint32_t steps = chosen_interval();
    if (chain_.has_field()) overlaps_.keep(*context_, chain_.components().labels().view());
    state_.names_before = state_.next_name;
    const uint32_t went = source_->advance(*context_, steps);
    if (const auto trouble = source_->trouble()) {
        result.pass = kAdvance;
        result.message.add("trouble", sentence_of(*trouble));
        result.ended = Level::kEnd;
        result.round = state_.round;
        result.next = state_.next = kNone;
        return false;
    }
    if (went < steps)
        result.message.add("recording-ends", "The recording ends here: this comparison is over " +
                                                 count_text(went, "frame", "frames") + ", not " +
                                                 std::to_string(steps) + ".");
    current_ = 1 - current_;
    present().give_bins_back();
    ++state_.round;
    return true;
}

void EventsLab::match() {
    if (by_names())
        matching_.match_names(*context_, past(), present());
    else
        matching_.match_nearest(*context_, past(), present(), now_.cap);
}

void EventsLab::compare() { detector_.compare(*context_, past(), present(), matching_); }

/// Only launches; new names are counted by count_names() when the host knows how many appeared.
void EventsLab::name_everybody() {
    if (by_names())
        name_by_ids();
    else
        matching_.pass_on_names(*context_, past(), present(), state_.next_name);
}

/// Here the host knows everything.
void EventsLab::name_by_ids() {
    const std::vector<int64_t>& ids = ids_[current_];
    if (state_.made && !ids.empty() && ids == ids_[1 - current_]) {  // none came or went
        context_->copy(present().names().view().data, past().names().view().data, ids.size() * sizeof(uint32_t));
        return;
    }
    std::vector<uint32_t> names(ids.size());
    for (size_t q = 0; q < ids.size(); ++q) {
        const auto [at, is_new] = names_of_ids_.try_emplace(ids[q], static_cast<uint32_t>(named_ids_.size()));
        if (is_new) named_ids_.push_back(ids[q]);
        names[q] = at->second;
    }
    present().names().upload(*context_, names.data(), names.size());
}

void EventsLab::count_names() {
    if (by_names())
        state_.next_name = static_cast<uint32_t>(named_ids_.size());
    else
        state_.next_name += static_cast<uint32_t>(state_.counts.appeared());
}

StepResult EventsLab::step() {
    if (done()) throw std::logic_error("the Events lab is finished: reset it to start over");
    context_->throw_if_cancelled();
    const uint32_t pass = state_.next;
    StepResult result = begin_step(pass);
    if (pass == kAdvance) {
        if (!advance(result)) return result;
    } else if (pass == kMatch) {
        match();
        // The counters of the trigger follow; here is what the match alone can tell.
        state_.counts.now = present().read_count();
        matching_.read(state_.counts.matched, state_.counts.vanished);
        name_everybody();
        count_names();
        result.counters[kMatchedCount] = static_cast<int64_t>(state_.counts.matched);
        result.counters[kAppeared] = static_cast<int64_t>(state_.counts.appeared());
        result.counters[kVanished] = static_cast<int64_t>(state_.counts.vanished);
    } else if (pass == kTrigger) {
        compare();
        state_.counts = detector_.read();
        result.counters[kActive] = static_cast<int64_t>(state_.counts.active);
    } else if (pass == kEvents) {
        find_events(result);
    } else {
        run_graph_pass(pass, true);
        if (pass == kMeasure || chain_.has_graph() || (pass == kColour && !chain_.has_field())) {
            const uint32_t count = chain_.count().bound;
            result.counters[kBubbles] = count;
            tell_few_bubbles(count, result);
        }
        if (pass == last_graph_pass()) result.counters[kLinks] = present().read_entries() / 2;
    }
    state_.last = pass;
    state_.next = after(pass);
    if (!state_.made && !greeting_.empty()) {
        greet(result);
    }
    if (!state_.made && state_.next == kMatch) {  // there is nothing to compare the first frame with
        match();
        compare();
        state_.counts = detector_.read();
        name_everybody();
        count_names();
        state_.made = 1;
        end_round(result);
        if (records_states_) draw();
    } else if (pass == kEvents) {
        end_round(result);
        if (records_states_) draw();
    }
    show_labels();
    result.next = state_.next;
    result.round = state_.round;
    return result;
}

/// Lists what has changed, and puts it into the log.
void EventsLab::find_events(StepResult& result) {
    KindCounts kinds{};
    if (state_.counts.triggered()) {
        detector_.extract(*context_, past(), present(), matching_, state_.counts);
        kinds = log_.add(source_->time(), state_.round, detector_.found(),
                         {ids_[1 - current_], host_areas(1 - current_)}, {ids_[current_], host_areas(current_)});
        for (size_t k = 0; k < kinds.size(); ++k)
            if (k != size_t(EventKind::kUnmatched) && kinds[k] > 0) result.breakpoint_hit = true;
    }
    if (state_.counts.vanished > 0 || state_.counts.appeared() > 0) find_changes();
    for (size_t k = 0; k < kinds.size(); ++k) state_.kinds[k] += kinds[k];
    state_.lost += state_.counts.lost;
    state_.created += state_.counts.created;
    result.counters[kLostContacts] = static_cast<int64_t>(state_.counts.lost);
    result.counters[kCreatedContacts] = static_cast<int64_t>(state_.counts.created);
    const auto count = [&](EventKind kind) { return static_cast<int64_t>(kinds[size_t(kind)]); };
    result.counters[kT1Events] = count(EventKind::kT1);
    result.counters[kBoundaryEvents] = count(EventKind::kBoundary);
    result.counters[kMixedEvents] = count(EventKind::kMixed);
    result.counters[kUnmatchedEvents] = count(EventKind::kUnmatched);
    result.counters[kUnclearEvents] = count(EventKind::kUnclear);
}

/// Puts what was born, died, split and merged into the log.
void EventsLab::find_changes() {
    struct Side {
        std::vector<uint32_t> partners;
        std::vector<uint32_t> names;
        std::vector<Point> sites;
        CellAreas areas;
        const std::vector<int64_t>* ids;
        std::vector<uint32_t> starts, rows;
        int64_t id(uint32_t label) const { return ids->empty() ? int64_t(names[label]) : (*ids)[label]; }
    };
    const auto side_of = [&](const LinkedFrame& frame, size_t which, const Buffer<uint32_t>& partners, uint64_t count) {
        Side side{std::vector<uint32_t>(count),
                  std::vector<uint32_t>(count),
                  std::vector<Point>(count),
                  host_areas(which),
                  &ids_[which],
                  std::vector<uint32_t>(count + 1),
                  std::vector<uint32_t>(frame.read_entries())};
        partners.download(side.partners.data(), count);
        frame.names().download(side.names.data(), count);
        frame.site_buffer().download(side.sites.data(), count);
        if (count > 0) frame.starts().download(side.starts.data(), count + 1);
        frame.neighbours().download(side.rows.data(), side.rows.size());
        return side;
    };
    const Side before = side_of(past(), 1 - current_, matching_.to_now_buffer(), state_.counts.past),
               after = side_of(present(), current_, matching_.to_past_buffer(), state_.counts.now);
    std::vector<CellOverlap> overlaps;
    if (chain_.has_field()) {
        uint64_t most = 0;
        for (const Side* side : {&before, &after})
            for (uint32_t label = 0; label < side->partners.size(); ++label)
                if (side->partners[label] == kNone) most += side->areas[label];
        overlaps = overlaps_.find(*context_, chain_.components().labels().view(), matching_.to_now(),
                                  matching_.to_past(), most);
    }
    std::vector<AddedCellChange> added;
    for (const FoundCellChange& found :
         find_cell_changes(before.partners, after.partners, before.areas, after.areas, overlaps)) {
        AddedCellChange out{found.change, {}, {}, true, {}, {}};
        // One that is in both frames is told once.
        const auto add = [&](uint32_t p, uint32_t q) {
            out.cells.push_back(
                {q != kNone ? after.id(q) : before.id(p), area_of(before.areas, p), area_of(after.areas, q)});
        };
        const auto add_past = [&](uint32_t p) { add(p, before.partners[p]); };
        const auto add_now = [&](uint32_t q) { add(after.partners[q], q); };
        switch (found.change) {
            case CellChange::kSplit:
                out.place = before.sites[found.past[0]];
                add_past(found.past[0]);
                for (const uint32_t q : found.now)
                    if (after.partners[q] != found.past[0]) add_now(q);
                break;
            case CellChange::kMerge:
                out.place = after.sites[found.now[0]];
                add_now(found.now[0]);
                for (const uint32_t p : found.past)
                    if (before.partners[p] != found.now[0]) add_past(p);
                break;
            case CellChange::kDeath: {
                const uint32_t p = found.past[0];
                out.place = before.sites[p];
                add_past(p);
                const auto last = last_seen_.find(before.id(p));
                if (last != last_seen_.end() && last->second > source_->steps()) out.change = CellChange::kMissing;
                break;
            }
            default:
                out.place = after.sites[found.now[0]];
                add_now(found.now[0]);
                if (!last_seen_.empty() && after.names[found.now[0]] < state_.names_before)
                    out.change = CellChange::kBack;
                break;
        }
        out.is_after = found.change == CellChange::kBirth || found.change == CellChange::kSplit;
        const Side& side = out.is_after ? after : before;
        for (const uint32_t label : out.is_after ? found.now : found.past) {
            if (added.size() >= kMostDrawn) break;
            out.drawn.push_back({side.id(label), side.names[label], 0, side.sites[label]});
            for (uint32_t e = side.starts[label]; e < side.starts[label + 1]; ++e)
                out.around.push_back(side.sites[side.rows[e]]);
        }
        ++state_.changes[size_t(out.change)];
        added.push_back(std::move(out));
    }
    log_.add(source_->time(), state_.round, added);
}

void EventsLab::end_round(StepResult& result) {
    if (wants_tracks_) {
        tracked_.resize(std::max<size_t>(tracked_.size(), size_t(state_.round) + 1));
        tracked_[state_.round] = tracked_frame();
    }

    const bool last = state_.round >= static_cast<uint32_t>(now_.comparisons) || source_->ended();
    state_.next = last ? kNone : static_cast<uint32_t>(kAdvance);
    result.ended = last ? Level::kEnd : Level::kRound;
    if (last && state_.round == 0)
        result.message.add("one-frame", "There is one frame only, so there is nothing to compare it with.");
}

/// Puts what there is to say of the start before what this step says.
void EventsLab::greet(StepResult& result) {
    StepMessage said = std::exchange(greeting_, {});
    said.add(result.message);
    result.message = std::move(said);
}

void EventsLab::tell_few_bubbles(uint64_t count, StepResult& result) {
    if (count > 1 || state_.few_told >> count & 1) return;
    state_.few_told |= 1u << count;  // once is enough: what follows is often the same
    if (!chain_.has_field()) {
        if (count)
            result.message.add("one-site", "There is one site only: no links.");
        else
            result.message.add("no-site", "There are no sites in this frame.");
        return;
    }
    if (chain_.has_labels()) {
        if (count)
            result.message.add("one-site", "There is one label only in this frame: no links.");
        else
            result.message.add("no-site", "There are no labels in this frame: all of it is 0, the background.");
        return;
    }
    const bool above = now_.polarity == static_cast<int>(Polarity::kAbove);
    const auto [low, high] = range_of(*source_->field());
    const std::string where = std::string(above ? "above " : "below ") + format_short(chain_.threshold_value());
    const std::string range = low <= high ? "; it goes from " + format_short(low) + " to " + format_short(high)
                                          : std::string("; it has no numbers");
    if (count == 0)
        result.message.add("no-bubble", "There are no bubbles: the field is nowhere " + where + range +
                                            ". Set auto_threshold=off and " + (above ? "a lower" : "a higher") +
                                            " threshold, or the other polarity.");
    else
        result.message.add("one-bubble", "There is one bubble, so there are no links: what is " + where +
                                             " is connected" + range + ". Set auto_threshold=off and " +
                                             (above ? "a higher" : "a lower") + " threshold, or the other polarity.");
}

void EventsLab::finish(const std::function<void(const StepResult&)>& after_round) {
    while (!done() && state_.made && state_.next != kAdvance) step();  // a comparison that had begun
    while (!done()) finish_round(after_round);
    if (state_.made) draw();
}

/// Begins between two rounds, or before the first.
void EventsLab::finish_round(const std::function<void(const StepResult&)>& after_round) {
    context_->throw_if_cancelled();
    if (!state_.made) state_.next = first_graph_pass();
    StepResult result = begin_step(kEvents);
    const bool first = !state_.made;
    if (!first && !advance(result)) {
        if (after_round) after_round(result);
        return;
    }
    make_graph(false);
    for (bool again = true; again;) {
        match();
        name_everybody();
        compare();
        if (!first) detector_.extract_ahead(*context_, past(), present(), matching_);
        log_.settle();  // that of the round before, while the device is busy with this one
        state_.counts = detector_.read();
        again = chain_.too_small(state_.counts.now);
        if (again) remake_graph();
    }
    count_names();
    result.counters[kBubbles] = static_cast<int64_t>(state_.counts.now);
    result.counters[kLinks] = static_cast<int64_t>(state_.counts.now_links);
    tell_few_bubbles(state_.counts.now, result);
    if (first) {
        state_.made = 1;
        state_.last = last_graph_pass();
        greet(result);
    } else {
        result.counters[kMatchedCount] = static_cast<int64_t>(state_.counts.matched);
        result.counters[kAppeared] = static_cast<int64_t>(state_.counts.appeared());
        result.counters[kVanished] = static_cast<int64_t>(state_.counts.vanished);
        result.counters[kActive] = static_cast<int64_t>(state_.counts.active);
        find_events(result);
        state_.last = kEvents;
    }
    end_round(result);
    result.pass = state_.last;
    result.next = state_.next;
    result.round = state_.round;
    if (after_round) after_round(result);
}

/// Labels know no obstacles, and the picture is to keep them.
void EventsLab::show_labels() {
    if (!records_states_ || !shows_labels() || source_->obstacles().count == 0) return;
    drawing_.show_labels(*context_, chain_.components().labels(), source_->obstacles());
}

/// The picture of the present frame; it is no part of the state.
void EventsLab::draw() {
    if (chain_.on_lattice()) chain_.lattice_graph().read_counts(*context_);
    if (chain_.has_graph()) {
        chain_.count_edges();
        chain_.colour();
    }
    std::vector<Point> vanished;
    if (state_.round > 0 && state_.counts.vanished > 0) {
        std::vector<uint32_t> to_now(state_.counts.past);
        std::vector<Point> places(state_.counts.past);
        matching_.to_now_buffer().download(to_now.data(), to_now.size());
        past().site_buffer().download(places.data(), places.size());
        for (size_t p = 0; p < places.size(); ++p)
            if (to_now[p] == kNone) vanished.push_back(places[p]);
    }
    drawing_.draw(*context_, present(), graph(), log_, state_.round,
                  state_.round > 0 ? matching_.to_past() : View<const uint32_t>{}, state_.next_name, vanished);
}

// ---- state ----------------------------------------------------------------------------------------------------------

namespace {

constexpr size_t kFrameBlocks = 5;

void save_frame(Snapshot& snapshot, const LinkedFrame& frame, const std::vector<int64_t>& ids) {
    const uint32_t count = frame.read_count();
    put_block(snapshot, frame.site_buffer(), count);
    put_block(snapshot, frame.starts(), size_t(count) + 1);
    put_block(snapshot, frame.neighbours(), frame.read_entries());
    put_block(snapshot, frame.names(), count);
    put_values(snapshot, ids.data(), ids.size());
}

}  // namespace

uint64_t EventsLab::state_hash() const {
    if (!source_) return 0;
    uint64_t hash = 0;
    const auto add = [&](uint64_t word) { hash = mix64(hash ^ word); };
    for (const uint64_t word :
         {uint64_t(state_.next), uint64_t(state_.round), uint64_t(state_.made), uint64_t(state_.next_name), state_.lost,
          state_.created, state_.counts.now, state_.counts.matched, state_.counts.active, log_.hash(), source_->hash()})
        add(word);
    for (const uint64_t count : state_.kinds) add(count);
    for (const LinkedFrame* frame : {&past(), &present()}) {
        const uint32_t count = frame->read_count(), entries = frame->read_entries();
        if (count == 0) continue;
        hash = hash_words(*context_, words_of(frame->site_buffer(), count), hash);
        hash = hash_words(*context_, words_of(frame->starts(), size_t(count) + 1), hash);
        hash = hash_words(*context_, words_of(frame->neighbours(), entries), hash);
    }
    if (at_rest()) hash = hash_words(*context_, words_of(present().names(), state_.counts.now), hash);
    if (!chain_.has_graph()) {
        const Buffer<uint32_t>& colours = chain_.colouring().colours();
        hash = hash_words(*context_, words_of(colours, colours.size()), hash);
    }
    if (chain_.has_field()) {
        const Buffer<uint32_t>& labels = chain_.components().labels();
        hash = hash_words(*context_, words_of(labels, labels.size()), hash);
    }
    return hash;
}

Snapshot EventsLab::save() const {
    Snapshot snapshot;
    put_values(snapshot, &state_, 1);
    log_.save(snapshot);
    save_frame(snapshot, past(), ids_[1 - current_]);
    save_frame(snapshot, present(), ids_[current_]);
    put_values(snapshot, &current_, 1);
    put_values(snapshot, named_ids_.data(), named_ids_.size());
    source_->save(snapshot);
    return snapshot;
}

void EventsLab::load(const Snapshot& snapshot) {
    take_values(snapshot, 0, &state_, 1);
    size_t block = log_.load(snapshot, 1);
    const size_t frames = block;
    block += 2 * kFrameBlocks;
    take_values(snapshot, block, &current_, 1);
    named_ids_ = take_vector<int64_t>(snapshot, block + 1);
    names_of_ids_.clear();
    for (uint32_t name = 0; name < named_ids_.size(); ++name) names_of_ids_[named_ids_[name]] = name;
    source_->load(*context_, snapshot, block + 2);
    for (const size_t k : {size_t(0), size_t(1)}) {
        LinkedFrame& frame = k == 0 ? past() : present();
        const size_t first = frames + k * kFrameBlocks;
        frame.take(*context_, take_vector<Point>(snapshot, first), take_vector<uint32_t>(snapshot, first + 1),
                   take_vector<uint32_t>(snapshot, first + 2));
        const auto names = take_vector<uint32_t>(snapshot, first + 3);
        frame.names().upload(*context_, names.data(), names.size());
        ids_[k == 0 ? 1 - current_ : current_] = take_vector<int64_t>(snapshot, first + 4);
        frame.take_given(*context_, ids_[k == 0 ? 1 - current_ : current_]);
    }
    if (!state_.made) {
        chain_.reset(*context_, now_, *source_, records_states_);
        drawing_.reset(*context_, chain_.lattice(), records_states_);
        detector_.reset(*context_, chain_.lattice(), source_->graph_is_closed());
        return;
    }
    const std::vector<uint32_t> names = present().names().download();
    make_graph(true);
    present().names().upload(*context_, names.data(), names.size());
    match();
    compare();
    if (state_.counts.triggered()) detector_.extract(*context_, past(), present(), matching_, state_.counts);
    draw();
    show_labels();
}

// ---- parameters that something else decides -------------------------------------------------------------------------

namespace {

bool has_particles(const Circumstances& now) {
    return now.is("source", "particles") && !now.input.tracks && !now.input.field;
}

Decided tracks_have_no_field(const Circumstances& now) {
    if (has_particles(now)) return {"Particles have positions and no field: there is nothing to measure.", ""};
    if (!now.input.tracks) return {};
    return {now.input.tracks->name + " has positions and no field: there is nothing to measure.", ""};
}

Decided labels_have_no_threshold(const Circumstances& now) {
    const bool labels = now.input.field && !now.input.tracks &&
                        (now.is("field", "labels") ||
                         (now.is("field", "auto") && now.input.field->labels && now.is("auto_threshold", "on")));
    if (!labels) return {};
    return {now.input.field->name + " has labels, each a cell: there is nothing to measure.", ""};
}

Decided usual_threshold_counts(const Circumstances& now) {
    if (!now.is("auto_threshold", "on")) return {};
    return {"auto_threshold is on, and the usual threshold is used.", ""};
}

Decided names_need_no_cap(const Circumstances& now) {
    if (!(now.input.tracks || has_particles(now)) || !(now.is("matching", "auto") || now.is("matching", "names")))
        return {};
    return {"Bubbles are known by their names, however far they move.", ""};
}

/// Of the rules that read a graph off the lattice's colours.
Decided only_of_lattice_graph(const Circumstances& now) {
    if (has_particles(now)) return {"Particles keep a triangulation, and the lattice has no graph of them.", ""};
    if (now.is("graph", "lattice") || (now.is("graph", "auto") && !now.input.tracks)) return {};
    if (now.is("graph", "auto")) return {"Tracks have the graph of the Delaunay triangulation.", ""};
    return {"The graph is not that of the lattice: graph is \"" + now.value_of("graph") + "\".", ""};
}

Decided only_of_frames(const Circumstances& now) {
    if (now.input.field && !now.input.tracks) return {};
    return {"No recorded frames are given.", ""};
}

Decided particles_have_graph(const Circumstances& now) {
    if (!has_particles(now)) return {};
    return {"Particles keep a Delaunay triangulation, whose edges are the links.", ""};
}

}  // namespace

std::string EventsLab::set_without_effect() {
    EventsLab usual;
    const std::vector<ParameterDescription> all = list_parameters(*this), untouched = list_parameters(usual);
    const Geometry nothing;
    const Geometry& input = input_ ? *input_ : nothing;
    const Circumstances now{input, value_lookup(all)};
    std::vector<std::string> names;
    for (size_t i = 0; i < all.size(); ++i) {
        const bool told_elsewhere = all[i].name == "threshold";  // with what it is instead
        if (told_elsewhere || all[i].value == untouched[i].value) continue;
        const Decided decided = decided_of(all[i], now);
        if (decided && !decided.in_part) names.push_back(all[i].name);
    }
    if (names.empty()) return {};
    std::string sentence = join_words(names, " and ") + (names.size() == 1 ? " has" : " have") + " no effect: " +
                           (input.tracks  ? std::string("the input has tracks")
                            : input.field ? "the input has frames of a field"
                                          : "the source is " + now.value_of("source")) +
                           ".";
    if (input.tracks && now_.source.frames_periodic.any() && !source_->lattice().periodic.any())
        sentence += " Tracks are periodic in a box: set box.";
    return sentence;
}

// ---- in words: passes, counters, parameters, colours ----------------------------------------------------------------

const LabInfo& events_lab_info() {
    static const LabInfo info = [] {
        LabInfo made{
            "events",
            "Events lab",
            "Follows bubbles or moving points, compares the graph of neighbours every few steps, and lists the plastic "
            "events: contacts that are lost and created (the paper's breaking and arising links).",
            "After M. Bernaschi, M. Lulli and M. Sbragaglia, GPU based detection of topological changes in Voronoi "
            "diagrams (2016), section III, with bubbles matched as mutual nearest sites, boundaries recognised by "
            "empty triangles, and changed links grouped into events.",
            {{"advance",
              "The present frame becomes the past one, and the source advances to the next frame to be compared."},
             {"threshold", "Pixels whose value is past the threshold belong to bubbles."},
             {"label",
              "Pixels that touch, also corner to corner, get the same label: a bubble. Of a label image, each number "
              "is one."},
             {"measure",
              "Each bubble's area and centre of mass, its site, from sums over its connected pixels, also across "
              "periodic "
              "borders."},
             {"colour", "Every pixel gets the colour of its nearest site: the digital Voronoi diagram."},
             {"corners",
              "Pixels where the colour changes three times around them, or twice on an open border, are corners of "
              "cells."},
             {"link",
              "At every corner the five conditions determine which colours around it are neighbours of its own."},
             {"arrange", "Each cell's neighbours are sorted, each listed once, and each also in the other's row."},
             {"delaunay",
              "The Delaunay triangulation of the sites replaces the lattice's graph; of particles it is the one that "
              "they keep, and replaces all passes from threshold to arrange. With graph=labels: which labels touch."},
             {"match",
              "Past and present sites that are nearest to each other, or have the same name, are the same bubble: "
              "\xCE\xA6."},
             {"trigger",
              "Past rows are translated by \xCE\xA6 and sorted; a bubble whose rows differ is active, and any active "
              "bubble sets the global trigger."},
             {"events",
              "Links between active bubbles that are in one frame only are lost or created contacts; those that are "
              "adjacent make an event."}},
            {{"bubbles", "bubbles of this frame", true},
             {"links", "pairs of neighbours of this frame", true},
             {"matched", "bubbles that have a partner in the past frame", true},
             {"appeared", "bubbles without a past partner, left out of the comparison"},
             {"vanished", "past bubbles without a present partner, left out of the comparison"},
             {"active", "bubbles whose neighbours have changed"},
             {"lost contacts", "links of the past frame only, \xCE\xA6(E_P) \\ E_N (breaking)", false, true},
             {"created contacts", "links of the present frame only, E_N \\ \xCE\xA6(E_P) (arising)", false, true},
             {"T1 events", "events in the interior (bulk)", false, true},
             {"boundary events", "events on the boundary of the triangulation", false, true},
             {"mixed events", "events of links of both kinds"},
             {"unmatched events",
              "events beside a bubble that appeared or vanished: the others make room, or close the gap"},
             {"unclear events", "events that neither rule explains, such as holes of the lattice's graph"}}};
        made.takes = {InputKind::kPoints, InputKind::kFields, InputKind::kTracks, InputKind::kNothing};
        made.makes_triangles = false;
        made.detects = "event";
        made.breakpoint = "events are found, other than unmatched ones";
        made.example = "";
        return made;
    }();
    return info;
}

void EventsLab::parameters(ParameterVisitor& visitor) {
    EventsParameters& p = requested_;
    visitor.group("Source");
    visit_source_parameters(visitor, p.source);
    visitor.group("Bubbles");
    visitor.choice("field", "Frames hold", "What the numbers of recorded frames are.", p.source.values,
                   {{"auto", "labels where they look like it (and auto_threshold is on), else brightness"},
                    {"threshold", "brightness: bubbles lie past a threshold"},
                    {"labels", "whole numbers: 0 is background, each other one a cell, also where cells touch"}});
    visitor.decided_by(only_of_frames);
    visitor.toggle("auto_threshold", "Usual threshold",
                   "Uses a threshold that suits the source's field (Otsu's for recorded frames), not the one below.",
                   p.auto_threshold);
    visitor.decided_by(tracks_have_no_field);
    visitor.decided_by(labels_have_no_threshold);
    visitor.number("threshold", "Threshold", "Where bubbles end, in the unit of the field; an image goes from 0 to 1.",
                   p.threshold, -1e9, 1e9);
    visitor.decided_by(tracks_have_no_field);
    visitor.decided_by(labels_have_no_threshold);
    visitor.decided_by(usual_threshold_counts);
    visitor.choice(
        "polarity", "Bubbles are", "On which side of the threshold bubbles lie.", p.polarity,
        {{"above", "where the field is above the threshold"}, {"below", "where it is below: the paper's text"}});
    visitor.decided_by(tracks_have_no_field);
    visitor.decided_by(labels_have_no_threshold);
    visitor.group("Comparison");
    visitor.integer("interval", "Interval",
                    "Steps of the source, or frames, from one comparison to the next; auto: as suits the source.",
                    p.interval, 1, 1000000);
    visitor.or_word("auto");
    visitor.integer("comparisons", "Comparisons", "The number of them; a recording may end earlier.", p.comparisons, 1,
                    1000000);
    visitor.group("Means over time");
    visitor.integer("warmup", "Warm-up",
                    "Steps, or frames, that are left out of means and sums over time: the flow profile, events across "
                    "x, directions of links. Each of these says when it begins to count, and the profile whether it "
                    "is stationary.",
                    p.source.warmup, 0, 1000000000);
    visitor.integer("mean_window", "Window of means",
                    "The number of latest steps, or frames, that these means and sums cover; all: since the warm-up.",
                    p.source.mean_window, 1, 1000000000);
    visitor.or_word("all");
    visitor.group("Graph");
    visitor.choice("graph", "Graph", "Which graph gives the links.", p.graph,
                   {{"lattice", "cells of the coloured lattice that meet at a corner: the paper's"},
                    {"delaunay", "the Delaunay triangulation of the sites"},
                    {"labels", "cells of a label image that touch along sides of pixels"},
                    {"auto", "delaunay for tracks, whose places are exact; else lattice"}});
    visitor.decided_by(particles_have_graph);
    visit_colouring_method(visitor, p.method);
    visitor.choice("measure", "Centres of mass", "How areas and centres of mass are summed up; the result is the same.",
                   p.measure,
                   {{"atomics", "every run of pixels adds to its bubble's sums"},
                    {"sorting", "runs sorted by bubble, and differences of cumulative sums: the paper's other way"}});
    visitor.decided_by(tracks_have_no_field);
    visitor.decided_by(labels_have_no_threshold);
    visitor.group("Matching");
    visitor.choice("matching", "Same bubble", "How bubbles of the last frame and of this one are matched.", p.matching,
                   {{"auto", "by name where the source gives names, else nearest"},
                    {"nearest", "mutual nearest sites, not farther apart than the cap"},
                    {"names", "by the names that tracks and particles have, or by labels"}});
    visitor.number("cap", "Cap of matching",
                   "The greatest distance allowed. Sites farther apart are not matched, in mean distances.", p.cap, 0,
                   100);
    visitor.decided_by(names_need_no_cap);
    visit_stencil_rules(visitor, p.rules, only_of_lattice_graph);
    visit_block_size(visitor, p.block_size);
}

Scene EventsLab::scene() const {
    Scene scene;
    if (!source_) return scene;
    const Lattice& lattice = chain_.lattice();
    scene.low = {-0.5, -0.5};
    scene.high = {lattice.width - 0.5, lattice.height - 0.5};
    scene.point_count = drawing_.site_count();
    const auto on_lattice = [&](const char* id, const char* title, const char* sentence, bool shown) -> LatticeLayer& {
        scene.layers.push_back({id, title, sentence, shown, LatticeLayer{lattice.width, lattice.height}});
        return std::get<LatticeLayer>(scene.layers.back().shape);
    };
    LatticeLayer& cells = on_lattice("cells", "Cells", "The cells in their tints, and the borders between them", true);
    if (!shows_labels() && now_.graph != static_cast<int>(GraphKind::kLabels))
        cells.colours = &chain_.colouring().colours();
    else
        cells.colours = drawing_.labels().empty() ? &chain_.components().labels() : &drawing_.labels();
    cells.wraps = lattice.periodic;
    if (source_ && source_->units()) cells.units = *source_->units();
    // Within a step the labels are of this frame, and the sites of the one before.
    if (at_rest()) cells.site_count = std::min(drawing_.site_count(), drawing_.mesh().vertex_count);
    // Names belong to the labels of the frame only once it is matched.
    if (at_rest() || state_.last == kMatch || state_.last == kTrigger) cells.names = &present().names();
    if (at_rest() && !ids_[current_].empty()) cells.ids = &ids_[current_];
    if (cells.ids && input_ && input_->tracks) cells.first_track_place = input_->tracks->starts[source_->steps()];
    scene.in_input_units = uses_input_units();
    // Before anything is made of it, the field itself is what there is to see.
    const bool untouched = state_.last == kNone;
    LatticeLayer& field = on_lattice("field", "Field", "The numbers on the lattice, in place of the cells' tints",
                                     untouched && chain_.has_field());
    scene.layers.back().scale = {ColourScale::Kind::kImage, "field", "", field_low_, field_high_};
    if (chain_.has_field()) field.field = source_->field();
    LatticeLayer& marks = on_lattice("marks", "Marked pixels", "The pixels that the legend lists", true);
    const Buffer<State>& states = chain_.lattice_graph().pixel_states();
    const bool has_marks = chain_.on_lattice() && !states.empty();
    if (has_marks) marks.states = &states;
    const auto states_of = [](const Buffer<State>& words) { return words.empty() ? nullptr : &words; };
    const auto lines_of = [&](const Linework& lines) {
        return SegmentsLayer{&lines.positions, nullptr, lines.vertex_count,          &lines.edges,
                             lines.edge_count, {},      states_of(lines.edge_states)};
    };
    scene.layers.push_back({"links", "Links", "The links between neighbouring cells", true, lines_of(drawing_.mesh())});
    scene.layers.push_back({"earlier", "Earlier contacts", "Links that changed in the comparisons before", true,
                            lines_of(drawing_.earlier())});
    scene.layers.push_back(
        {"overlay", "Overlay", "What else the legend lists, over the links", true, lines_of(drawing_.over())});
    PointsLayer sites{&drawing_.mesh().positions, nullptr,
                      std::min(drawing_.site_count(), drawing_.mesh().vertex_count),
                      states_of(drawing_.mesh().vertex_states)};
    if (untouched) sites = {&first_sites_, nullptr, static_cast<uint32_t>(first_sites_.size())};
    if (untouched) scene.point_count = sites.count;
    scene.layers.push_back({"points", "Points", "The sites of the cells", true, sites});
    using E = LegendEntry::Element;
    std::vector<LegendEntry> legend = {{E::kEdge, 0, Role::kPlain, "link", "Two cells that touch."}};
    for (uint32_t age = 0; age < kAges; ++age)
        legend.push_back({E::kEdge, State(kLostState << age), Role::kLostContact, age ? "" : "lost contact",
                          "A link that is gone (breaking); paler with every comparison since.", kStrength[age]});
    for (uint32_t age = 0; age < kAges; ++age)
        legend.push_back({E::kEdge, State(kCreatedState << age), Role::kCreatedContact, age ? "" : "created contact",
                          "A link that is new (arising); paler with every comparison since.", kStrength[age]});
    legend.push_back({E::kEdge, kVanishedState, Role::kUnmatched, "vanished",
                      "A bubble of the past frame without a partner in the present one."});
    legend.push_back({E::kVertex, kActiveState, Role::kActive, "active", "Its neighbours have changed."});
    legend.push_back(
        {E::kVertex, kAppearedState, Role::kUnmatched, "appeared", "A bubble without a partner in the past frame."});
    if (has_marks)
        legend.insert(legend.end(),
                      {{E::kPixel, kPixelIsland, Role::kOdd, "island", "No pixel around it has its colour."},
                       {E::kPixel, kPixelProlonged, Role::kProlonged, "prolonged",
                        "Its colour crosses the stencil in a single line."},
                       {E::kPixel, kPixelCorner, Role::kCorner, "corner", "Cells meet here: links are searched for."}});
    scene.set_legend(legend);
    return scene;
}

// ---- what is told of an element, results and arrays -----------------------------------------------------------------

namespace {

constexpr double kPi = 3.14159265358979323846;

}  // namespace

int64_t EventsLab::id_of(uint32_t label) const {
    const std::vector<int64_t>& ids = ids_[current_];
    return label < ids.size() ? ids[label] : int64_t(present().names().read(label));
}

std::vector<Point> EventsLab::host_sites() const {
    std::vector<Point> sites(state_.made ? present().read_count() : 0);
    present().site_buffer().download(sites.data(), sites.size());
    return sites;
}

// ---- one element ----------------------------------------------------------------------------------------------------

Element EventsLab::pick(const Probe& probe) const {
    if (!source_) return {};
    const Lattice& lattice = chain_.lattice();
    if (drawing_.mesh().vertex_count > 0) {
        const Element found = pick_element(*context_, drawing_.mesh(), drawing_.site_count(), probe);
        if (found.id != kNone) return found;
    }
    const double x = std::floor(probe.place.x + 0.5), y = std::floor(probe.place.y + 0.5);
    if (!(x >= 0 && y >= 0 && x < lattice.width && y < lattice.height)) return {};
    return {ElementKind::kPixel, lattice.pixel(static_cast<uint32_t>(x), static_cast<uint32_t>(y)), probe.part};
}

Report EventsLab::inspect(Element element) const {
    Report report;
    if (element.id == kNone || !source_) return report;
    if (element.kind == ElementKind::kPixel && element.id < chain_.lattice().pixel_count())
        inspect_pixel(element.id, report);
    if (!at_rest()) return report;  // what is drawn is the frame before
    Properties properties;
    if (element.kind == ElementKind::kVertex && element.id < drawing_.site_count())
        inspect_site(element.id, properties, report.highlights);
    if (element.kind == ElementKind::kEdge && element.id < drawing_.mesh().edge_count)
        inspect_link(element.id, properties, report.highlights);
    report.add(std::move(properties));
    return report;
}

SeenGraph EventsLab::seen_graph() const {
    return {chain_.lattice(),
            present().starts(),
            present().neighbours(),
            present().site_buffer(),
            drawing_.links(),
            drawing_.mesh().edge_count,
            [this](uint32_t label) { return bubble_name(label); }};
}

void EventsLab::inspect_site(uint32_t label, Properties& properties, std::vector<Highlight>& highlights) const {
    const Point at = present().site_buffer().read(label);
    properties.add("Bubble", bubble_name(label), "label " + std::to_string(label) + " of this frame");
    properties.add("x, y", Value(at, "lattice units"));
    if (const auto given = units()) properties.add("In the input", in_input_units(given->as_given(at), given->unit));
    if (chain_.has_field()) {
        const uint32_t area = const_cast<EventsLab*>(this)->chain_.components().areas().read(label);
        properties.add("Area", Value::count(area, "pixel", "pixels"));
        if (const uint32_t winding = chain_.components().windings().read(label))
            properties.add(chain_.lattice().periodic.both() ? "Winds around the torus" : "Winds around the cylinder",
                           winding == (kWindsInX | kWindsInY) ? "in x and y"
                           : winding == kWindsInX             ? "in x"
                                                              : "in y",
                           "so it has no centre of mass in that direction; the mean of its coordinates is used");
    }
    explain_site(seen_graph(), label, properties, highlights);
    if (state_.round == 0) return;
    const uint32_t before = matching_.to_past_buffer().read(label);
    if (before == kNone) {
        properties.add("Before", "not there", "no past bubble is its partner: left out of the comparison");
        return;
    }
    const Point was = past().site_buffer().read(before);
    properties.add("Before", Value(was, "lattice units"),
                   "moved by " + format_short(std::sqrt(chain_.lattice().squared_distance(was, at))) +
                       " lattice units; its label was " + std::to_string(before));
    if (!detector_.local_trigger().read(before)) {
        properties.add("Active", false, "the same neighbours as before");
        return;
    }
    const uint32_t kinds = detector_.vertex_kinds().read(before);
    properties.add("Active", name_of(event_kind(kinds)),
                   (kinds & kT1) && (kinds & kBoundary)
                       ? "three active neighbours or more, and an active neighbour on the boundary, as it is"
                   : kinds & kT1       ? "three active neighbours or more, before or now"
                   : kinds & kBoundary ? "on the boundary, with an active neighbour on the boundary"
                                       : "fewer than three active neighbours, and none on the boundary");
}

void EventsLab::inspect_link(uint32_t edge, Properties& properties, std::vector<Highlight>& highlights) const {
    const auto [a, b] = drawing_.link(edge);
    const Point from = present().site_buffer().read(a), to = present().site_buffer().read(b);
    const Point d = chain_.lattice().difference(from, to);
    double angle = std::atan2(d.y, d.x) * 180 / kPi;
    if (angle < 0) angle += 180;
    properties.add("Link", bubble_name(a) + " – " + bubble_name(b), "neighbours in this frame");
    explain_link(seen_graph(), edge, properties, highlights);
    properties.add("Length", Value(std::sqrt(d.x * d.x + d.y * d.y), "lattice units"));
    properties.add("Direction", Value(angle, "°"), "from the x axis");
    if (state_.round == 0) return;
    const uint32_t p = matching_.to_past_buffer().read(a), q = matching_.to_past_buffer().read(b);
    if (p == kNone || q == kNone) {
        properties.add("Before", "unknown", "one of the two was not there");
        return;
    }
    const uint32_t begin = past().starts().read(p), end = past().starts().read(p + 1);
    std::vector<uint32_t> row(end - begin);
    past().neighbours().download(row.data(), row.size(), begin);
    const bool was = std::binary_search(row.begin(), row.end(), q);
    properties.add("Before", was ? "linked, too" : "not linked", was ? "" : "a created contact");
}

void EventsLab::inspect_pixel(uint32_t pixel, Report& report) const {
    const Lattice& lattice = chain_.lattice();
    const uint32_t colour = chain_.colouring().colours().read(pixel);
    Properties properties;
    if (chain_.on_lattice() && at_rest() && state_.counts.now > 0)
        describe_stencil(inspect_stencil(lattice, chain_.colouring().colours(), host_sites(), pixel, now_.rules),
                         now_.rules, report, [this](uint32_t label) { return seen_graph().link(label); });
    else
        properties.add("Pixel", std::vector<int64_t>{lattice.x_of(pixel), lattice.y_of(pixel)});
    if (at_rest() && colour < state_.counts.now)
        properties.list.push_back({"Cell of bubble", bubble_name(colour), {}, {seen_graph().link(colour)}});
    if (colour == kMaxLink) properties.add("Obstacle", true, "its colour is MAXLINK");
    if (chain_.has_field()) {
        const uint32_t label = chain_.components().labels().read(pixel);
        properties.add("Field", double(source_->field()->read(pixel)));
        if (!chain_.has_labels()) properties.add("Threshold", chain_.threshold_value(), "of the field");
        properties.add("In a bubble", label != kNone);
    }
    report.add(std::move(properties));
}

// ---- numbers and arrays ---------------------------------------------------------------------------------------------

std::vector<Detection> EventsLab::detections(size_t first) const {
    std::vector<Detection> detections;
    for (size_t i = first; i < log_.size(); ++i) detections.push_back(log_.detection(i));
    return detections;
}

/// Where the lattice lies in the file, whose y may go down.
std::optional<LatticeUnits> EventsLab::units() const {
    std::optional<LatticeUnits> units = source_->units();
    if (units && input_ && input_->tracks && input_->tracks->y_down) {
        units->origin.y = -units->origin.y;
        units->unit.y = -units->unit.y;
    }
    return units;
}

DetectionUnits EventsLab::detection_units() const {
    if (!source_) return {};
    if (input_ && input_->tracks) return {input_->tracks->time_unit, input_->tracks->unit};
    if (!source_->units()) return {source_->time_unit(), "px"};
    return {source_->time_unit(), uses_input_units() ? input_->unit : std::string()};
}

/// Sources of our own have a lattice or a box of their own, where the input's unit has no meaning.
bool EventsLab::uses_input_units() const { return input_ && (input_->tracks || input_->field); }

/// The first step that counts in means and sums over time.
uint64_t EventsLab::averaged_from() const {
    const auto warmup = static_cast<uint64_t>(std::max(0, now_.source.warmup));
    const auto window = static_cast<uint64_t>(std::max(0, now_.source.mean_window));
    const uint64_t steps = source_->steps();
    return std::max(warmup, window > 0 && steps > window ? steps - window : 0);
}

Report EventsLab::statistics() const {
    Report report;
    if (!state_.made) return report;
    const uint64_t from = averaged_from(), interval = chosen_interval();
    // A comparison counts when all of it lies in the window.
    for (Distribution& one :
         log_.distributions(static_cast<uint32_t>(std::min<uint64_t>(1 + (from + interval - 1) / interval, kNone)),
                            from > 0 ? " Counted from step " + std::to_string(from) + " on." : ""))
        report.add(std::move(one));
    if (std::optional<Curve> flow = flow_curve()) report.add(std::move(*flow));
    return report;
}

/// Mean speeds across the channel, of sources that have them.
std::optional<Curve> EventsLab::flow_curve() const {
    const FlowProfile profile = source_->profile();
    if (profile.points.size() < 2) return {};
    Curve flow;
    flow.name = "flow across the channel";
    flow.sentence =
        "Mean speed along the channel, relative to that in the middle, from the left wall (-1/2) to the right one "
        "(1/2). "
        "The middle part that flows as one is the plug; it widens with the concentration.";
    flow.x_name = "x / width of the channel";
    flow.y_name = "speed / speed in the middle";
    flow.low = -0.5;
    flow.high = 0.5;
    for (const ProfilePoint& at : profile.points) {
        flow.x.push_back(at.place);
        flow.y.push_back(at.speed);
    }
    if (const auto found = concentration(); found && found->open > 0)
        flow.label = "φ = " + format_short(std::round(1e3 * double(found->inside) / double(found->open)) / 1e3);
    flow.remark = sentence_of(profile);
    if (!std::isnan(profile.drift)) flow.stationary = profile.stationary();
    return flow;
}

/// Nothing where sites are given, or where bubbles have not been measured at this frame.
std::optional<EventsLab::Concentration> EventsLab::concentration() const {
    const bool measured =
        state_.last != kNone && state_.last != kAdvance && state_.last != kThreshold && state_.last != kLabel;
    if (!chain_.has_field() || !measured) return {};
    const uint32_t count = chain_.components().read_count(*context_);
    std::vector<uint32_t> areas(count);
    chain_.components().areas().download(areas.data(), areas.size());
    Concentration found;
    for (const uint32_t area : areas) found.inside += area;
    found.open = open_pixels_;
    found.all = chain_.lattice().pixel_count();
    return found;
}

Result EventsLab::result() const {
    Result result;
    if (!source_) return result;
    result.points = state_.counts.now;
    result.edges = state_.counts.now_links;
    const char* const so_far = "so far";
    Properties& numbers = result.numbers;
    numbers.add_number("time", source_->time_unit(), source_->time());
    const uint32_t compared = at_rest() ? state_.round : state_.round ? state_.round - 1 : 0;
    numbers.add_number("comparisons", "", double(compared));
    numbers.add_number("bubbles", "in this frame", double(state_.counts.now));
    numbers.add_number("links", "in this frame", double(state_.counts.now_links));
    numbers.add_number("names given so far", "", double(state_.next_name));
    numbers.add_number("lost contacts", so_far, double(state_.lost));
    numbers.add_number("created contacts", so_far, double(state_.created));
    for (const EventKind kind :
         {EventKind::kT1, EventKind::kBoundary, EventKind::kMixed, EventKind::kUnmatched, EventKind::kUnclear})
        numbers.add_number(std::string(name_of(kind)) + " events", so_far, double(state_.kinds[size_t(kind)]));
    const bool has_gaps = !last_seen_.empty();
    const std::pair<CellChange, const char*> changes[] = {
        {CellChange::kBirth, "births"}, {CellChange::kDeath, "deaths"},       {CellChange::kSplit, "splits"},
        {CellChange::kMerge, "merges"}, {CellChange::kMissing, "gaps begun"}, {CellChange::kBack, "gaps ended"}};
    for (const auto& [change, name] : changes)
        if (has_gaps ? change != CellChange::kSplit && change != CellChange::kMerge : change < CellChange::kMissing)
            numbers.add_number(name, so_far, double(state_.changes[size_t(change)]));
    if (chain_.has_labels()) {
        const auto& contacts = source_->cells()->contacts;
        const auto along = std::count_if(contacts.begin(), contacts.end(), [](const auto& c) { return c.sides > 0; });
        numbers.add_number("touching labels",
                           source_->cells()->across_lines ? "across lines of one pixel, in this frame"
                                                          : "along sides of pixels, in this frame",
                           double(along));
        numbers.add_number("labels that meet at corners only", "", double(contacts.size()) - double(along));
    } else if (chain_.has_field()) {
        numbers.add_number("threshold", "in the unit of the field", chain_.threshold_value());
    }
    if (const auto found = concentration()) {
        const auto share = [&](uint64_t of) { return of > 0 ? double(found->inside) / double(of) : 0; };
        const bool walled = found->open != found->all;
        numbers.add_number("concentration φ",
                           walled ? "of the pixels that are no obstacles are in bubbles, in this frame"
                                  : "of the pixels are in bubbles, in this frame",
                           share(found->open));
        if (walled) numbers.add_number("φ of all pixels", "with the obstacles, as in the paper", share(found->all));
    }
    if (const auto packing = source_->packing())
        numbers.add_number("packing", "of the open area, if the droplets were round", *packing);
    if (const FlowProfile profile = source_->profile(); profile.samples > 0) {
        numbers.add_number("flow in the middle", "pixels per step, mean", profile.middle);
        numbers.add_number("flow mean from", "steps", double(profile.from));
        numbers.add_number("flow mean to", "steps", double(profile.to));
        numbers.add_number("flow drift", "of the flow in the middle, between the halves of that time", profile.drift);
    }
    const Lattice& lattice = chain_.lattice();
    if (const auto given = units()) result.lattice = {lattice.width, lattice.height, lattice.periodic, *given};
    if (const auto trouble = source_->trouble()) result.trouble = sentence_of(*trouble);
    return result;
}

TriangleSoup EventsLab::soup() const {
    TriangleSoup soup;
    soup_points_ = host_sites();
    soup.points = &soup_points_;
    return soup;
}

std::vector<ArrayInfo> EventsLab::arrays() const {
    return {
        {"field", "(height, width) the field of this frame; nothing where sites are given"},
        {"labels", "(height, width) the bubble each pixel belongs to; 4294967295: none"},
        {"colours", "(height, width) the label of each pixel's nearest site; 2004318071 is an obstacle"},
        {"sites",
         "(bubbles, 2) x and y, of tracks in the units of their file, of particles in theirs, else lattice units; the "
         "row is the label"},
        {"contacts",
         "(touching labels, 3) of a label image: names of two cells that touch, and how many sides of pixels they "
         "share; 0: corners only"},
        {"names", "(bubbles) what stays the same of each label over time: the bubble's name"},
        {"links", "(links, 2) labels of cells that are neighbours, the lower first"},
        {"profile",
         "(positions, 2) x across the channel, from -1/2 to 1/2, and the mean speed relative to that in the middle, "
         "within the window of time"},
        {"events",
         "(events, 5) time, comparison, kind (0 unclear, 1 T1, 2 boundary, 3 mixed, 4 unmatched, 5 birth, 6 death, "
         "7 split, 8 merge, 9 missing, 10 back), x, y as of sites"},
        {"changes", "(changed links, 4) event, 1 a lost or 0 a created contact, and the names of both ends"}};
}

Array EventsLab::array(const std::string& name) const {
    using Type = Array::Type;
    const Lattice& lattice = chain_.lattice();
    const std::vector<size_t> shape{lattice.height, lattice.width};
    const bool field = chain_.has_field();
    if (name == "profile") {
        std::vector<double> values;
        if (source_)
            for (const ProfilePoint& at : source_->profile().points) values.insert(values.end(), {at.place, at.speed});
        return make_array(Type::kFloat64, {values.size() / 2, 2}, values);
    }
    if (name == "field")
        return make_array(Type::kFloat32, field ? shape : std::vector<size_t>{0, 0},
                          field ? source_->field()->download() : std::vector<float>{});
    if (name == "labels")
        return make_array(Type::kUint32, field ? shape : std::vector<size_t>{0, 0},
                          field ? chain_.components().labels().download() : std::vector<uint32_t>{});
    if (name == "colours") return make_array(Type::kUint32, shape, chain_.colouring().colours().download());
    std::vector<Point> sites = host_sites();
    if (name == "sites") {
        for (Point& at : sites) at = as_given(at);
        return make_array(Type::kFloat64, {sites.size(), 2}, sites);
    }
    if (name == "names") {
        std::vector<int64_t> names(sites.size());
        for (uint32_t q = 0; q < names.size(); ++q) names[q] = id_of(q);
        return make_array(Type::kInt64, {names.size()}, names);
    }
    if (name == "links") {
        std::vector<uint32_t> flat, starts(sites.size() + 1), row;
        if (!sites.empty()) {
            present().starts().download(starts.data(), starts.size());
            row.resize(starts.back());
            present().neighbours().download(row.data(), row.size());
        }
        for (uint32_t a = 0; a < sites.size(); ++a)
            for (uint32_t e = starts[a]; e < starts[a + 1]; ++e)
                if (a < row[e]) flat.insert(flat.end(), {a, row[e]});
        return make_array(Type::kUint32, {flat.size() / 2, 2}, flat);
    }
    if (name == "contacts") {
        std::vector<int64_t> flat;
        if (const LabelCells* cells = source_ ? source_->cells() : nullptr)
            for (const LabelContact& contact : cells->contacts)
                flat.insert(flat.end(), {cells->names[contact.a], cells->names[contact.b], int64_t(contact.sides)});
        return make_array(Type::kInt64, {flat.size() / 3, 3}, flat);
    }
    if (name == "events") {
        std::vector<double> flat;
        for (const LoggedEvent& event : log_.events()) {
            const Point at = as_given(event.place);
            const uint32_t kind =
                event.is_plastic() ? uint32_t(event_kind(event.kinds)) : uint32_t(EventKind::kKinds) + event.change;
            flat.insert(flat.end(), {event.time, double(event.round), double(kind), at.x, at.y});
        }
        return make_array(Type::kFloat64, {log_.size(), 5}, flat);
    }
    if (name == "changes") {
        std::vector<int64_t> flat;
        for (size_t i = 0; i < log_.size(); ++i) {
            const LoggedEvent& event = log_.events()[i];
            for (const LoggedLink *link = log_.links_of(event), *end = link + event.links; link != end; ++link)
                flat.insert(flat.end(), {int64_t(i), int64_t(link->lost), link->ids[0], link->ids[1]});
        }
        return make_array(Type::kInt64, {flat.size() / 4, 4}, flat);
    }
    throw std::logic_error("the Events lab has no array \"" + name + "\"");
}

// ---- tables -------------------------------------------------------------------------------------------------------

EventsLab::TrackedFrame EventsLab::tracked_frame() const {
    const uint32_t count = present().read_count();
    TrackedFrame frame;
    frame.time = source_->time();
    if (input_ && input_->tracks) frame.first_place = input_->tracks->starts[source_->steps()];
    frame.ids = ids_[current_];
    if (frame.ids.empty()) {
        std::vector<uint32_t> names(count);
        present().names().download(names.data(), count);
        frame.ids.assign(names.begin(), names.end());
    }
    std::vector<Point> sites(count);
    present().site_buffer().download(sites.data(), count);
    std::vector<uint32_t> starts(size_t(count) + 1), row(present().read_entries());
    if (count > 0) present().starts().download(starts.data(), starts.size());
    present().neighbours().download(row.data(), row.size());
    const CellAreas areas = host_areas(current_);
    const auto given = units().value_or(LatticeUnits{});
    const AdjacencyView graph{{starts.data(), starts.size()}, {row.data(), row.size()}, count};
    RegularLook look;
    for (uint32_t q = 0; q < count; ++q) {
        look();
        frame.places.push_back(given.as_given(sites[q]));
        frame.areas.push_back(area_of(areas, q) * std::fabs(given.unit.x * given.unit.y));
        frame.degrees.push_back(starts[q + 1] - starts[q]);
        bool inside = frame.degrees.back() > 0;
        uint32_t apexes[2];
        for (uint32_t e = starts[q]; inside && e < starts[q + 1]; ++e)
            inside = empty_triangles(graph, {sites.data(), sites.size()}, chain_.lattice(), q, row[e], apexes) >= 2;
        frame.on_boundary.push_back(!source_->graph_is_closed() && !inside);
    }
    return frame;
}

/// Of every comparison up to now, the first frame included. Where they were not kept all steps are made again.
std::vector<EventsLab::TrackedFrame> EventsLab::tracked_frames() const {
    if (!state_.made) return {};
    const uint32_t rounds = at_rest() ? state_.round : state_.round - 1;
    const auto is_kept = [](const TrackedFrame& frame) { return !std::isnan(frame.time); };
    if (tracked_.size() > rounds && std::all_of(tracked_.begin(), tracked_.begin() + rounds + 1, is_kept))
        return {tracked_.begin(), tracked_.begin() + rounds + 1};
    EventsLab again;
    again.requested_ = now_;
    again.wants_tracks_ = true;
    again.set_records_states(false);
    again.reset(*context_, input_);
    while (!again.done() && again.tracked_.size() <= rounds) again.finish_round({});
    return std::move(again.tracked_);
}

std::vector<ArrayInfo> EventsLab::tables() const {
    return {
        {"changes",
         "of each lost and created contact: its event, time, the cells at its ends and beside it, its middle, length "
         "and angle"},
        {"tracks",
         "of each bubble in each frame: time, id, x, y, area (of tracks that of its cell), degree, whether it is on "
         "the boundary, and the columns of the input"}};
}

Table EventsLab::table(const std::string& name) const {
    if (name == "changes") return log_.changed_links(detection_units());
    if (name != "tracks") throw std::logic_error("the Events lab has no table \"" + name + "\"");
    const auto frames = std::make_shared<const std::vector<TrackedFrame>>(tracked_frames());
    const DetectionUnits units = detection_units();
    Table table;
    table.columns = {{"time", "of the frame", {}, 0, units.time},
                     {"id", "what stays the same over time"},
                     {"place", "the centre", {}, 2, units.length},
                     {"area", "", {}, 0, units.length.empty() ? "" : units.length + "\xC2\xB2"},
                     {"degree", "how many neighbours"},
                     {"boundary", "1: on the boundary of the graph"}};
    const std::vector<Attribute>* const attributes = input_ && input_->tracks ? &input_->tracks->attributes : nullptr;
    for (size_t k = 0; attributes && k < attributes->size(); ++k) {
        const std::string& own = (*attributes)[k].name;
        const bool taken = std::any_of(table.columns.begin(), table.columns.end(),
                                       [&](const Table::Column& column) { return column.name == own; });
        table.columns.push_back({taken ? "input " + own : own, "", {}, 0, (*attributes)[k].unit});
    }
    std::vector<size_t> starts{0};
    for (const TrackedFrame& frame : *frames) starts.push_back(starts.back() + frame.ids.size());
    table.row_count = starts.back();
    table.row = [frames, starts, attributes](size_t i) {
        const auto f = static_cast<size_t>(std::upper_bound(starts.begin(), starts.end(), i) - starts.begin() - 1);
        const TrackedFrame& frame = (*frames)[f];
        const size_t q = i - starts[f];
        Table::Row row;
        row.cells.push_back(Value::exactly(frame.time));
        row.cells.emplace_back(frame.ids[q]);
        row.cells.emplace_back(frame.places[q]);
        row.cells.push_back(std::isnan(frame.areas[q]) ? Value() : Value::exactly(frame.areas[q]));
        row.cells.emplace_back(frame.degrees[q]);
        row.cells.emplace_back(int64_t(frame.on_boundary[q]));
        for (size_t k = 0; attributes && k < attributes->size(); ++k) {
            const Attribute& column = (*attributes)[k];
            const double value = column.values[frame.first_place + q];
            row.cells.push_back(std::isnan(value)           ? Value()
                                : column.categories.empty() ? Value::exactly(value)
                                                            : Value(column.categories[static_cast<size_t>(value)]));
        }
        return row;
    };
    return table;
}

// ---- detail views of events -----------------------------------------------------------------------------------------

namespace {

using Shape = Diagram::Shape;

/// A convex cell, and across which site each of its edges lies (that from corner k to the next).
struct Cell {
    std::vector<Point> corners;
    std::vector<uint32_t> across;
};

/// Keeps the side of `own` of the line halfway between it and `other`.
void cut(Cell& cell, Point own, Point other, uint32_t label) {
    const Point d{other.x - own.x, other.y - own.y}, middle{(own.x + other.x) / 2, (own.y + other.y) / 2};
    if (d == Point{}) return;
    Cell kept;
    const size_t n = cell.corners.size();
    for (size_t k = 0; k < n; ++k) {
        const Point a = cell.corners[k], b = cell.corners[(k + 1) % n];
        const double at_a = (a.x - middle.x) * d.x + (a.y - middle.y) * d.y;
        const double at_b = (b.x - middle.x) * d.x + (b.y - middle.y) * d.y;
        const double t = at_a / (at_a - at_b);
        const Point between{a.x + t * (b.x - a.x), a.y + t * (b.y - a.y)};
        if (at_a <= 0) {
            kept.corners.push_back(a);
            kept.across.push_back(cell.across[k]);
        }
        if (at_a <= 0 && at_b > 0) {
            kept.corners.push_back(between);
            kept.across.push_back(label);
        } else if (at_a > 0 && at_b <= 0) {
            kept.corners.push_back(between);
            kept.across.push_back(cell.across[k]);
        }
    }
    cell = std::move(kept);
}

/// Pixels of obstacles, seen from the place of an event.
struct Rectangle {
    Point low, high;
    /// As look_along() has it: a place is covered when one of the four pixels around it is an obstacle.
    bool covers(Point p) const {
        return p.x > low.x - 0.5 && p.y > low.y - 0.5 && p.x < high.x + 0.5 && p.y < high.y + 0.5;
    }
};

/// The obstacles that lie within `reach` of a place along both axes, as few rectangles. obstacles: (h, w) or empty.
std::vector<Rectangle> obstacles_around(const Lattice& lattice, const std::vector<uint8_t>& obstacles, Point place,
                                        double reach) {
    std::vector<Rectangle> found;
    if (obstacles.empty()) return found;
    const auto is_obstacle = [&](int64_t x, int64_t y) {
        const int64_t w = lattice.width, h = lattice.height;
        if (lattice.periodic.x) x = (x % w + w) % w;
        if (lattice.periodic.y) y = (y % h + h) % h;
        return x >= 0 && y >= 0 && x < w && y < h &&
               obstacles[lattice.pixel(static_cast<uint32_t>(x), static_cast<uint32_t>(y))] != 0;
    };
    const auto nearest = [](double at) { return static_cast<int64_t>(std::floor(at + 0.5)); };
    const int64_t left = nearest(place.x - reach), right = nearest(place.x + reach);
    std::vector<size_t> below, here;  // rectangles that end at the row before, and at this one
    for (int64_t y = nearest(place.y - reach); y <= nearest(place.y + reach); ++y) {
        here.clear();
        for (int64_t x = left; x <= right; ++x) {
            if (!is_obstacle(x, y)) continue;
            const int64_t first = x;
            while (x < right && is_obstacle(x + 1, y)) ++x;
            const auto seen = [&](double value, double from) { return std::clamp(value - from, -reach, reach); };
            const Rectangle run{{seen(double(first) - 0.5, place.x), seen(double(y) - 0.5, place.y)},
                                {seen(double(x) + 0.5, place.x), seen(double(y) + 0.5, place.y)}};
            const auto same = std::find_if(below.begin(), below.end(), [&](size_t i) {
                return found[i].low.x == run.low.x && found[i].high.x == run.high.x;
            });
            if (same == below.end()) {
                here.push_back(found.size());
                found.push_back(run);
            } else {
                here.push_back(*same);
                found[*same].high.y = run.high.y;
            }
        }
        std::swap(below, here);
    }
    return found;
}

/// One of the two frames around an event, seen from its place.
struct Still {
    std::vector<uint32_t> names;  // of the corners: the first sites
    std::vector<int64_t> ids;
    std::vector<Point> sites;
    std::vector<Cell> cells;  // of the corners
    std::vector<Rectangle> obstacles;

    uint32_t find(uint32_t name) const {
        const auto at = std::find(names.begin(), names.end(), name);
        return at == names.end() ? kNone : static_cast<uint32_t>(at - names.begin());
    }
};

/// Two corners, the lower index first.
using Pair = std::pair<uint32_t, uint32_t>;
Pair pair_of(uint32_t a, uint32_t b) { return {std::min(a, b), std::max(a, b)}; }

void add_link(const Still& still, Pair pair, Role role, std::vector<Shape>& shapes) {
    shapes.push_back({Shape::Kind::kLine, {still.sites[pair.first], still.sites[pair.second]}, role, kNone, ""});
}

/// The edge that two cells share; empty: they share none, or one of no length.
std::vector<Point> shared_edge(const Still& still, Pair pair, double least) {
    const Cell& cell = still.cells[pair.first];
    for (size_t k = 0; k < cell.corners.size(); ++k) {
        const Point a = cell.corners[k], b = cell.corners[(k + 1) % cell.corners.size()];
        if (cell.across[k] == pair.second && std::hypot(b.x - a.x, b.y - a.y) > least) return {a, b};
    }
    return {};
}

/// Of an edge of cells, what obstacles leave of it.
struct FreeEdge {
    std::vector<std::array<Point, 2>> pieces;
    bool blocked = false;  // too little for a contact, by the rule that links go by: see FreePart
};
FreeEdge free_of(const Still& still, const std::vector<Point>& edge) {
    constexpr double kPart = 0.125;  // lattice units
    FreeEdge free;
    if (edge.empty()) return free;
    const Point from = edge[0], d{edge[1].x - from.x, edge[1].y - from.y};
    const double length = std::hypot(d.x, d.y);
    const auto parts = static_cast<uint32_t>(std::ceil(std::min(length / kPart, 1e5))) + 1;
    const auto at = [&](uint32_t part) { return Point{from.x + d.x * part / parts, from.y + d.y * part / parts}; };
    bool covered = false, open = false;
    double longest = 0;
    for (uint32_t part = 0; part < parts; ++part) {
        const Point a = at(part), b = at(part + 1), middle{(a.x + b.x) / 2, (a.y + b.y) / 2};
        const bool hidden = std::any_of(still.obstacles.begin(), still.obstacles.end(),
                                        [&](const Rectangle& each) { return each.covers(middle); });
        covered = covered || hidden;
        if (hidden)
            open = false;
        else if (open)
            free.pieces.back()[1] = b;
        else
            free.pieces.push_back({a, b}), open = true;
        if (open) longest = std::max(longest, std::hypot(b.x - free.pieces.back()[0].x, b.y - free.pieces.back()[0].y));
    }
    free.blocked = covered && longest < kLeastContact;
    return free;
}

/// Equally far from all three; not finite for three in a line.
Point circumcentre(Point a, Point b, Point c) {
    const Point ab{b.x - a.x, b.y - a.y}, ac{c.x - a.x, c.y - a.y};
    const double twice = 2 * cross(ab, ac), bb = ab.x * ab.x + ab.y * ab.y, cc = ac.x * ac.x + ac.y * ac.y;
    return {a.x + (ac.y * bb - ab.y * cc) / twice, a.y + (ab.x * cc - ac.x * bb) / twice};
}

/// Where an edge of no length lies: between the centres of the circles through the link's ends and its apexes, which
/// are one point when the four cells meet.
std::vector<Point> meeting_point(const Still& still, const LoggedLink& link, double reach) {
    const uint32_t a = still.find(link.names[0]), b = still.find(link.names[1]);
    Point sum{};
    int count = 0;
    for (int k = 2; k < 4; ++k) {
        const uint32_t c = link.names[k] == kNone ? kNone : still.find(link.names[k]);
        if (c == kNone) continue;
        const Point middle = circumcentre(still.sites[a], still.sites[b], still.sites[c]);
        sum = {sum.x + middle.x, sum.y + middle.y};
        ++count;
    }
    const Point p{sum.x / count, sum.y / count};
    if (count == 0 || !(std::abs(p.x) < reach) || !(std::abs(p.y) < reach)) return {};
    return {p};
}

/// The other two of its four cells; kNone: it has no such.
Pair apexes_of(const Still& still, const LoggedLink& link) {
    if (link.names[2] == kNone || link.names[3] == kNone) return {kNone, kNone};
    return pair_of(still.find(link.names[2]), still.find(link.names[3]));
}

/// What is drawn of the links at one frame: first the quiet ones, then those that changed, and over them the edges of
/// the cells, or the points where an edge has no length.
void add_links(const Still& still, const LoggedLink* links, uint32_t count, int frame, double reach,
               std::vector<Shape>& shapes) {
    const double least = 1e-6 * reach;
    std::set<Pair> quiet, changed;
    for (uint32_t l = 0; l < count; ++l) {
        const LoggedLink& link = links[l];
        uint32_t at[4];
        for (int k = 0; k < 4; ++k) at[k] = link.names[k] == kNone ? kNone : still.find(link.names[k]);
        if (at[0] != kNone && at[1] != kNone) changed.insert(pair_of(at[0], at[1]));
        if ((link.lost != 0) != (frame == 0)) continue;
        for (int k = 2; k < 4; ++k)  // its triangles
            for (int end = 0; end < 2; ++end)
                if (at[end] != kNone && at[k] != kNone) quiet.insert(pair_of(at[end], at[k]));
    }
    for (uint32_t own = 0; own < still.names.size(); ++own)
        for (const uint32_t other : still.cells[own].across)
            if (other < still.names.size() && own < other)
                if (const auto edge = shared_edge(still, {own, other}, least);
                    !edge.empty() && !free_of(still, edge).blocked)
                    quiet.insert({own, other});
    for (const Pair& pair : quiet)
        if (!changed.contains(pair)) add_link(still, pair, Role::kPlain, shapes);
    for (uint32_t l = 0; l < count; ++l) {
        const uint32_t a = still.find(links[l].names[0]), b = still.find(links[l].names[1]);
        if (a == kNone || b == kNone || (links[l].lost != 0) != (frame == 0)) continue;
        add_link(still, pair_of(a, b), links[l].lost ? Role::kLostContact : Role::kCreatedContact, shapes);
    }
    for (uint32_t l = 0; l < count; ++l) {
        const uint32_t a = still.find(links[l].names[0]), b = still.find(links[l].names[1]);
        if (a == kNone || b == kNone) continue;
        const Pair across = apexes_of(still, links[l]);
        const bool linked = (links[l].lost != 0) == (frame == 0);
        if (const std::vector<Point> edge = shared_edge(still, pair_of(a, b), least); !edge.empty()) {
            const FreeEdge free = free_of(still, edge);
            if (free.blocked && !linked) continue;  // an obstacle is between them
            for (const auto& [from, to] : free.pieces)
                shapes.push_back({Shape::Kind::kLine, {from, to}, Role::kExact, kNone, ""});
        } else if (changed.contains(across) && !shared_edge(still, across, least).empty()) {
            continue;  // it is the end of that edge, which is drawn
        } else if (std::vector<Point> point = meeting_point(still, links[l], reach); !point.empty()) {
            shapes.push_back({Shape::Kind::kPoint, std::move(point), Role::kExact, kNone, ""});
        }
    }
}

}  // namespace

std::vector<Diagram> EventLog::diagrams(size_t i, const std::vector<uint8_t>& obstacles) const {
    const LoggedEvent& event = events().at(i);
    if (!event.is_plastic()) return diagrams_of_cells(event);
    const LoggedLink* links = links_of(event);
    Still stills[2];
    double reach = 0;
    const auto seen = [&](Point p) { return lattice_.difference(event.place, p); };
    for (int frame = 0; frame < 2; ++frame) {
        Still& still = stills[frame];
        for (uint32_t l = 0; l < event.links; ++l)
            for (int k = 0; k < 4; ++k) {
                if (!(links[l].there[frame] >> k & 1) || still.find(links[l].names[k]) != kNone) continue;
                still.names.push_back(links[l].names[k]);
                still.ids.push_back(links[l].ids[k]);
                still.sites.push_back(seen(frame == 0 ? links[l].before[k] : links[l].after[k]));
                reach = std::max({reach, std::abs(still.sites.back().x), std::abs(still.sites.back().y)});
            }
        for (uint32_t l = 0; l < event.links; ++l) {
            const Point* around = around_.data() + links[l].first_around + (frame == 0 ? 0 : links[l].past_around);
            const uint32_t count = frame == 0 ? links[l].past_around : links[l].now_around;
            for (uint32_t k = 0; k < count; ++k)
                if (const Point p = seen(around[k]);
                    std::find(still.sites.begin(), still.sites.end(), p) == still.sites.end())
                    still.sites.push_back(p);
        }
    }
    reach = 1.9 * std::max(reach, 1.0);

    std::vector<Diagram> diagrams;
    for (int frame = 0; frame < 2; ++frame) {
        Still& still = stills[frame];
        Diagram diagram;
        diagram.title = frame == 0 ? "Before" : "After";
        diagram.low = {event.place.x - reach, event.place.y - reach};
        diagram.high = {event.place.x + reach, event.place.y + reach};
        const double far = reach;  // cells end where the picture does
        still.obstacles = obstacles_around(lattice_, obstacles, event.place, reach);
        for (uint32_t own = 0; own < still.names.size(); ++own) {
            Cell cell{{{-far, -far}, {far, -far}, {far, far}, {-far, far}}, {kNone, kNone, kNone, kNone}};
            for (uint32_t other = 0; other < still.sites.size(); ++other)
                if (other != own) cut(cell, still.sites[own], still.sites[other], other);
            still.cells.push_back(cell);
            if (cell.corners.size() >= 3)
                diagram.shapes.push_back({Shape::Kind::kPolygon, cell.corners, Role::kPlain, still.names[own], ""});
        }
        for (const auto& [low, high] : still.obstacles)
            diagram.shapes.push_back(
                {Shape::Kind::kPolygon, {low, {high.x, low.y}, high, {low.x, high.y}}, Role::kObstacle, kNone, ""});
        uint32_t gone = 0, come = 0;
        for (uint32_t l = 0; l < event.links; ++l) (links[l].lost ? gone : come) += 1;
        add_links(still, links, event.links, frame, reach, diagram.shapes);
        for (uint32_t own = 0; own < still.names.size(); ++own)
            diagram.shapes.push_back(
                {Shape::Kind::kPoint, {still.sites[own]}, Role::kPlain, kNone, std::to_string(still.ids[own])});
        for (Shape& shape : diagram.shapes)
            for (Point& p : shape.corners) p = {p.x + event.place.x, p.y + event.place.y};
        diagram.sentence =
            frame == 0 ? gone ? "The contacts that will be lost, and across each the edge that two cells share: "
                                "it shrinks to nothing. A diamond marks where an edge will form."
                              : "No contact is lost. A diamond marks where the edge will form."
            : come     ? "The contacts that are created, and across each the edge that the two cells share now. "
                         "A diamond marks where an edge has shrunk to nothing."
                       : "No contact is created. A diamond marks where the edge has shrunk to nothing.";
        if (!still.obstacles.empty())
            diagram.sentence += " Of edges, what obstacles leave free is drawn; behind one, cells do not touch.";
        diagrams.push_back(std::move(diagram));
    }
    return diagrams;
}

std::vector<Diagram> EventLog::diagrams_of_cells(const LoggedEvent& event) const {
    static constexpr const char* kSentences[] = {"The bubble that was born, among its neighbours.",
                                                 "The bubble that died, among its neighbours.",
                                                 "The parts of the bubble that split, among their neighbours.",
                                                 "The bubbles that merged, among their neighbours.",
                                                 "The point that is missing next, among its neighbours.",
                                                 "The point that is back, among its neighbours."};
    std::vector<Point> sites;
    double reach = 1;
    const auto add = [&](Point place) {
        const Point p = lattice_.difference(event.place, place);
        if (std::find(sites.begin(), sites.end(), p) != sites.end()) return;
        sites.push_back(p);
        reach = std::max({reach, std::abs(p.x), std::abs(p.y)});
    };
    const DrawnCell* const drawn = drawn_.data() + event.first_drawn;
    for (uint32_t k = 0; k < event.drawn; ++k) add(drawn[k].site);
    for (uint32_t k = 0; k < event.around; ++k) add(around_[event.first_around + k]);
    reach *= 1.2;
    Diagram diagram;
    diagram.title = event.is_after ? "After" : "Before";
    diagram.sentence = kSentences[event.change];
    diagram.low = {event.place.x - reach, event.place.y - reach};
    diagram.high = {event.place.x + reach, event.place.y + reach};
    const auto at_place = [&](Point p) { return Point{p.x + event.place.x, p.y + event.place.y}; };
    for (uint32_t k = 0; k < event.drawn; ++k) {
        const Point own = lattice_.difference(event.place, drawn[k].site);
        Cell cell{{{-reach, -reach}, {reach, -reach}, {reach, reach}, {-reach, reach}}, {kNone, kNone, kNone, kNone}};
        for (const Point other : sites)
            if (!(other == own)) cut(cell, own, other, kNone);
        for (Point& corner : cell.corners) corner = at_place(corner);
        if (cell.corners.size() >= 3)
            diagram.shapes.push_back({Shape::Kind::kPolygon, cell.corners, Role::kPlain, drawn[k].name, ""});
    }
    for (const Point p : sites) diagram.shapes.push_back({Shape::Kind::kPoint, {at_place(p)}, Role::kPlain, kNone, ""});
    for (uint32_t k = 0; k < event.drawn; ++k)
        diagram.shapes.push_back({Shape::Kind::kPoint,
                                  {at_place(lattice_.difference(event.place, drawn[k].site))},
                                  Role::kUnmatched,
                                  kNone,
                                  std::to_string(drawn[k].id)});
    return {std::move(diagram)};
}

Report EventsLab::report_of_detection(size_t i) const {
    const Buffer<uint8_t>& obstacles = chain_.colouring().obstacles();
    Report report;
    report.add(log_.diagrams(i, obstacles.empty() ? std::vector<uint8_t>{} : obstacles.download()));
    return report;
}

// ---- check ----------------------------------------------------------------------------------------------------------

namespace {

using LinkEnds = std::array<uint32_t, 2>;

/// Components over 8 neighbours, numbered in the order of their lowest pixels.
std::vector<uint32_t> flood_fill(const Lattice& lattice, const std::vector<uint8_t>& inside) {
    std::vector<uint32_t> labels(inside.size(), kNone), stack;
    uint32_t count = 0;
    RegularLook look;
    for (uint32_t seed = 0; seed < inside.size(); ++seed) {
        look();
        if (!inside[seed] || labels[seed] != kNone) continue;
        labels[seed] = count;
        stack.assign(1, seed);
        while (!stack.empty()) {
            look();
            const uint32_t pixel = stack.back();
            stack.pop_back();
            for (int dy = -1; dy <= 1; ++dy)
                for (int dx = -1; dx <= 1; ++dx) {
                    int64_t x = int64_t(lattice.x_of(pixel)) + dx, y = int64_t(lattice.y_of(pixel)) + dy;
                    const int64_t w = lattice.width, h = lattice.height;
                    if (lattice.periodic.x) x = (x + w) % w;
                    if (lattice.periodic.y) y = (y + h) % h;
                    if (x < 0 || y < 0 || x >= w || y >= h) continue;
                    const uint32_t other = lattice.pixel(uint32_t(x), uint32_t(y));
                    if (!inside[other] || labels[other] != kNone) continue;
                    labels[other] = count;
                    stack.push_back(other);
                }
        }
        ++count;
    }
    return labels;
}

/// Links of a frame, and whose rows are not ascending and symmetric.
std::set<LinkEnds> links_of(const LinkedFrame& frame, std::set<uint32_t>& expected_lost) {
    std::set<LinkEnds> links;
    const uint32_t count = frame.read_count();
    if (count == 0) return links;
    std::vector<uint32_t> starts(size_t(count) + 1), row(frame.read_entries());
    frame.starts().download(starts.data(), starts.size());
    frame.neighbours().download(row.data(), row.size());
    std::set<LinkEnds> directed;
    RegularLook look;
    for (uint32_t a = 0; a < count; ++a)
        for (uint32_t e = starts[a]; e < starts[a + 1]; ++e) {
            look();
            if ((e > starts[a] && row[e - 1] >= row[e]) || row[e] >= count || row[e] == a) expected_lost.insert(a);
            directed.insert({a, row[e]});
            if (a < row[e]) links.insert({a, row[e]});
        }
    for (const LinkEnds& entry : directed) {
        look();
        if (!directed.count({entry[1], entry[0]})) expected_lost.insert(entry[0]);
    }
    return links;
}

}  // namespace

CheckReport EventsLab::check() const {
    CheckReport report;
    if (!at_rest()) {
        report.passed = report.checked = false;
        report.sentence = "a comparison is under way: there is nothing to check before it is finished";
        return report;
    }
    std::string faults;
    const auto fault = [&](const std::string& sentence) {
        report.passed = false;
        faults += (faults.empty() ? "" : " ") + sentence;
    };
    const std::vector<Point> sites = host_sites();
    const auto at_pixel = [&](const char* code, uint32_t pixel, const std::string& says) {
        const uint32_t x = chain_.lattice().x_of(pixel), y = chain_.lattice().y_of(pixel);
        add_failure(report, {code,
                             "pixel " + std::to_string(x) + ", " + std::to_string(y) + " " + says,
                             {{ElementKind::kPixel, pixel}},
                             {},
                             {{double(x), double(y), 0}}});
    };
    const auto at_bubbles = [&](const char* code, const std::string& sentence, std::initializer_list<uint32_t> labels) {
        CheckFailure failure{code, sentence, {}, {}, {}};
        for (const uint32_t label : labels) {
            if (label >= sites.size()) continue;
            failure.elements.push_back({ElementKind::kVertex, label});
            failure.places.push_back({sites[label].x, sites[label].y, 0});
        }
        add_failure(report, std::move(failure));
    };
    const Lattice& lattice = chain_.lattice();
    RegularLook look;
    if (chain_.has_field()) {
        const std::vector<float> field = source_->field()->download();
        const std::vector<uint8_t> obstacles = chain_.colouring().obstacles().empty()
                                                   ? std::vector<uint8_t>(field.size(), 0)
                                                   : chain_.colouring().obstacles().download();
        std::vector<uint8_t> inside(field.size());
        const bool below = now_.polarity == static_cast<int>(Polarity::kBelow);
        for (size_t pixel = 0; pixel < field.size(); ++pixel) {
            look();
            inside[pixel] = !obstacles[pixel] &&
                            (below ? field[pixel] < chain_.threshold_value() : field[pixel] > chain_.threshold_value());
        }
        const std::vector<uint32_t> labels = chain_.components().labels().download(),
                                    plain =
                                        chain_.has_labels() ? source_->cells()->pixels : flood_fill(lattice, inside);
        const auto label_text = [](uint32_t label) { return label == kNone ? "none" : std::to_string(label); };
        uint64_t wrong = 0;
        for (uint32_t pixel = 0; pixel < labels.size(); ++pixel) {
            look();
            if (labels[pixel] == plain[pixel]) continue;
            ++wrong;
            at_pixel("wrong-label", pixel,
                     "has label " + label_text(labels[pixel]) + ", and a flood fill says " + label_text(plain[pixel]));
        }
        if (wrong) fault(count_text(wrong, "pixel has", "pixels have") + " another label than a flood fill gives.");
    }
    if (chain_.has_graph()) {
        const CheckReport own = source_->check_graph();
        if (!own.passed) fault(own.sentence);
        for (const CheckFailure& failure : own.failures) add_failure(report, failure);
    }
    const bool coloured = !chain_.has_graph();  // else colours are the picture's alone
    const uint64_t wrong = coloured ? chain_.colouring().count_errors(*context_) : 0;
    const bool floods = now_.method == static_cast<int>(ColouringMethod::kJumpFlooding);
    if (wrong && !floods) {
        fault(count_text(wrong, "pixel has", "pixels have") + " another colour than the nearest site's.");
        const std::vector<uint32_t> colours = chain_.colouring().colours().download(),
                                    exact = chain_.colouring().exact_colours().download();
        for (uint32_t pixel = 0; pixel < colours.size(); ++pixel) {
            look();
            if (colours[pixel] != exact[pixel])
                at_pixel("wrong-colour", pixel, "has another colour than its nearest site's");
        }
    }

    std::set<uint32_t> broken_rows, broken_before;
    const std::set<LinkEnds> links = links_of(present(), broken_rows), before = links_of(past(), broken_before);
    const auto bubble = [&](uint32_t label) { return "bubble " + bubble_name(label); };
    if (!broken_rows.empty() || !broken_before.empty()) fault("Rows of neighbours are not ascending and symmetric.");
    for (const uint32_t label : broken_rows)
        at_bubbles("broken-row", "the neighbours of " + bubble(label) + " are not ascending and symmetric", {label});
    for (const uint32_t label : broken_before)
        at_bubbles(
            "broken-row",
            "the neighbours of label " + std::to_string(label) + " of the frame before are not ascending and symmetric",
            {});
    if (links.size() != state_.counts.now_links) {
        fault(std::to_string(links.size()) + " links, and " + std::to_string(state_.counts.now_links) +
              " were counted.");
        at_bubbles("link-count", "the number of links is not the one that was counted", {});
    }

    std::vector<uint32_t> to_now(state_.counts.past), to_past(state_.counts.now);
    matching_.to_now_buffer().download(to_now.data(), to_now.size());
    matching_.to_past_buffer().download(to_past.data(), to_past.size());
    uint64_t matched = 0, one_sided = 0;
    const auto not_mutual = [&](const std::string& whose, uint32_t label) {
        ++one_sided;
        at_bubbles("one-sided-partner", "the partner of " + whose + " is not mutual", {label});
    };
    for (uint32_t p = 0; p < to_now.size(); ++p) {
        if (to_now[p] == kNone) continue;
        ++matched;
        if (to_past.at(to_now[p]) != p) not_mutual("label " + std::to_string(p) + " of the frame before", to_now[p]);
    }
    for (uint32_t q = 0; q < to_past.size(); ++q)
        if (to_past[q] != kNone && to_now.at(to_past[q]) != q) not_mutual(bubble(q), q);
    if (one_sided) fault(count_text(one_sided, "partner is", "partners are") + " not mutual.");
    if (matched != state_.counts.matched) {
        fault(std::to_string(matched) + " partners, and " + std::to_string(state_.counts.matched) + " were counted.");
        at_bubbles("partner-count", "the number of partners is not the one that was counted", {});
    }

    std::set<LinkEnds> translated, common, lost, created;
    const auto ordered = [](uint32_t a, uint32_t b) { return a < b ? LinkEnds{a, b} : LinkEnds{b, a}; };
    for (const LinkEnds& link : before) {
        look();
        if (to_now[link[0]] != kNone && to_now[link[1]] != kNone)
            translated.insert(ordered(to_now[link[0]], to_now[link[1]]));
    }
    for (const LinkEnds& link : links) {
        look();
        if (to_past[link[0]] != kNone && to_past[link[1]] != kNone) common.insert(link);
    }
    for (const ChangedLink& link : detector_.found()->links())
        (link.lost ? lost : created).insert(ordered(link.now[0], link.now[1]));
    const auto difference = [](const std::set<LinkEnds>& from, const std::set<LinkEnds>& without) {
        std::set<LinkEnds> rest;
        std::set_difference(from.begin(), from.end(), without.begin(), without.end(), std::inserter(rest, rest.end()));
        return rest;
    };
    const std::set<LinkEnds> expected_lost = difference(translated, common),
                             expected_created = difference(common, translated);
    const auto compare = [&](const char* code, const char* what, const std::set<LinkEnds>& listed,
                             const std::set<LinkEnds>& expected) {
        if (listed == expected) return;
        fault(std::to_string(listed.size()) + " contacts are listed as " + what +
              ", and the difference of the sets has " + std::to_string(expected.size()) + ".");
        const auto list = [&](const std::set<LinkEnds>& differ, const char* says) {
            for (const LinkEnds& link : differ)
                at_bubbles(code,
                           "the contact of bubbles " + bubble_name(link[0]) + " and " + bubble_name(link[1]) + " " +
                               says + " " + what,
                           {link[0], link[1]});
        };
        list(difference(listed, expected), "is listed and not");
        list(difference(expected, listed), "is not listed, and is");
    };
    compare("lost-contacts", "lost", lost, expected_lost);
    compare("created-contacts", "created", created, expected_created);

    if (!report.passed) {
        report.sentence = faults;
        return report;
    }
    report.sentence = std::string(chain_.has_labels()  ? "Labels are those of the image, "
                                  : chain_.has_field() ? "Labels are those of a flood fill, "
                                                       : "") +
                      (!coloured ? std::string("The triangulation is Delaunay and has these links, ")
                       : floods  ? count_text(wrong, "pixel has", "pixels have") + " a wrong colour by jump flooding, "
                                 : std::string(chain_.has_field() ? "colours" : "Colours") + " the nearest, ") +
                      "rows symmetric, partners mutual; " + std::to_string(lost.size()) + " lost and " +
                      count_text(created.size(), "created contact", "created contacts") +
                      " of the last comparison, as the plain difference of " + std::to_string(translated.size()) +
                      " past and " + std::to_string(common.size()) + " present links says.";
    return report;
}

}  // namespace flipscope
