#include "events/events_machine.h"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <utility>

#include "compute/text.h"
#include "events/verify_events.h"
#include "mesh/hash.h"

namespace flipscope {

void EventsMachine::reset(Context& context, const EventsParameters& parameters, std::unique_ptr<Source> source,
                          bool records_states) {
    context_ = &context;
    parameters_ = parameters;
    source_ = std::move(source);
    records_states_ = records_states;
    const Lattice lattice = source_->lattice();
    chain_.reset(context, parameters_, *source_, records_states_);
    for (LinkedFrame& frame : frames_) frame.reset(context, lattice);
    for (std::vector<int64_t>& ids : ids_) ids.clear();
    named_ids_.clear();
    names_of_ids_.clear();
    current_ = advanced_ = 0;
    matching_ = {};
    detector_.reset(context, lattice, is_closed());
    log_.clear(lattice);
    watch_events({}, 0);
    for (Buffer<uint32_t>& areas : areas_) areas.resize(context, 0);
    overlaps_ = {};
    linked_to_.clear();
    held_ = {};
    held_areas_.clear();
    held_radii_.clear();
    is_loading_ = false;
    last_seen_ = by_names() ? source_->last_frames() : std::unordered_map<int64_t, uint64_t>{};
    state_ = {};
    state_.next = first_graph_pass();
}

bool EventsMachine::by_names() const {
    if (parameters_.matching == static_cast<int>(MatchBy::kNames)) return true;
    if (parameters_.matching == static_cast<int>(MatchBy::kNearest) || assigns()) return false;
    return chain_.has_labels() ? source_->labels_last() : !chain_.has_field();
}

uint32_t EventsMachine::interval() const {
    return std::max(1u,
                    parameters_.interval > 0 ? static_cast<uint32_t>(parameters_.interval) : source_->usual_interval());
}

uint32_t EventsMachine::after(uint32_t pass) const {
    if (pass == kAdvance) return first_graph_pass();
    if (pass == kColour && !chain_.on_lattice()) return kDelaunay;
    if (pass == kArrange || pass == kDelaunay) return kMatch;
    return pass + 1;
}

/// `wait`: the host may wait for counts.
void EventsMachine::run_graph_pass(uint32_t pass, bool wait) {
    switch (pass) {
        case kThreshold:
            chain_.threshold(*source_, wait);
            break;
        case kLabel:
            chain_.label(*source_);
            break;
        case kMeasure:
            chain_.measure(*source_, wait || assigns());
            link_sites();
            break;
        case kColour:
            if (!chain_.has_field()) {
                chain_.measure(*source_, wait || assigns());
                link_sites();
            }
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
                chain_.edges(*source_), link_sites();
            else
                chain_.delaunay(*source_);
            chain_.give(*source_, frames_[current_]);
            ids_[current_] = chain_.names(*source_);
            keep_areas();
            break;
    }
}

/// Makes the graph of the present frame, from this pass on.
void EventsMachine::make_graph(uint32_t first, bool wait) {
    for (uint32_t pass = first; pass != kMatch; pass = after(pass)) run_graph_pass(pass, wait);
}

void EventsMachine::keep_areas() {
    if (!parameters_.lists_changes) return;
    Buffer<uint32_t>& areas = areas_[current_];
    if (chain_.has_field()) {
        const Buffer<uint32_t>& measured = chain_.components().areas();
        areas.resize(*context_, measured.size(), false);
        if (!areas.empty()) context_->copy(areas.view().data, measured.view().data, areas.size() * sizeof(uint32_t));
        if (held_.size() > 0) {
            std::vector<uint32_t> all = areas.download(chain_.found_count());
            all.insert(all.end(), held_areas_.begin(), held_areas_.end());
            areas.upload(*context_, all.data(), all.size());
        }
    } else if (!chain_.has_graph()) {
        areas.resize(*context_, chain_.count().bound, false);
        count_colours(*context_, source_->lattice(), chain_.colouring().colours().view(), areas.view());
    }
}

CellAreas EventsMachine::host_areas(size_t frame) const {
    return areas_[frame].download(std::min<size_t>(areas_[frame].size(), frames_[frame].read_count()));
}

/// False: the source has failed, and the run ends with the frame before.
bool EventsMachine::advance(PassResult& result) {
    if (chain_.has_field()) overlaps_.keep(*context_, chain_.components().labels().view());
    is_loading_ = false;  // a load may have been cancelled
    state_.names_before = state_.next_name;
    advanced_ = source_->advance(*context_, interval());
    if (source_->trouble()) {
        result.pass = kAdvance;
        result.ended = Level::kEnd;
        result.round = state_.round;
        result.next = state_.next = kNone;
        return false;
    }
    current_ = 1 - current_;
    frames_[current_].give_bins_back();
    ++state_.round;
    return true;
}

/// Assigns the sites that were found to those of the past frame, and adds those that are held.
void EventsMachine::link_sites() {
    if (!assigns()) return;
    if (!is_loading_) {
        const uint32_t count = past().read_count();
        const std::vector<Point> before = past().site_buffer().download(count), now = chain_.found_sites();
        linked_to_ = assign_sites(chain_.lattice(), before, now, parameters_.cap);
        HeldBubbles held;
        if (parameters_.memory > 0 && count > 0 && !chain_.has_graph()) {
            const std::vector<uint32_t> starts = past().starts().download(size_t(count) + 1),
                                        rows = past().neighbours().download(past().read_entries());
            held = hold_lost(chain_.lattice(), {before, starts, rows, held_.ages}, now,
                             static_cast<uint32_t>(parameters_.memory), linked_to_);
        }
        const CellAreas areas = held.size() > 0 ? host_areas(1 - current_) : CellAreas{};
        held_areas_.clear();
        held_radii_.clear();
        for (const uint32_t p : held.past) {
            held_areas_.push_back(p < areas.size() ? areas[p] : 0);
            if (p < chain_.radii().size()) held_radii_.push_back(chain_.radii()[p]);
        }
        held_ = std::move(held);
    }
    chain_.hold(held_, held_radii_);
}

void EventsMachine::match() {
    if (assigns())
        matching_.match_given(*context_, past(), present(), linked_to_);
    else if (by_names())
        matching_.match_names(*context_, past(), present());
    else
        matching_.match_nearest(*context_, past(), present(), parameters_.cap);
}

/// Only launches; count_names() adds the new names once the host has their number.
void EventsMachine::pass_on_names() {
    if (by_names())
        name_by_ids();
    else
        matching_.pass_on_names(*context_, past(), frames_[current_], state_.next_name);
}

void EventsMachine::name_by_ids() {
    const std::vector<int64_t>& ids = ids_[current_];
    Buffer<uint32_t>& to = frames_[current_].names();
    if (state_.made && !ids.empty() && ids == ids_[1 - current_]) {  // unchanged
        context_->copy(to.view().data, past().names().view().data, ids.size() * sizeof(uint32_t));
        return;
    }
    std::vector<uint32_t> names(ids.size());
    for (size_t q = 0; q < ids.size(); ++q) {
        const auto [at, is_new] = names_of_ids_.try_emplace(ids[q], static_cast<uint32_t>(named_ids_.size()));
        if (is_new) named_ids_.push_back(ids[q]);
        names[q] = at->second;
    }
    to.upload(*context_, names.data(), names.size());
}

void EventsMachine::count_names() {
    if (by_names())
        state_.next_name = static_cast<uint32_t>(named_ids_.size());
    else
        state_.next_name += static_cast<uint32_t>(state_.counts.appeared());
}

void EventsMachine::report_match(PassResult& result) const {
    result.counters[kMatchedCount] = static_cast<int64_t>(state_.counts.matched);
    result.counters[kAppeared] = static_cast<int64_t>(state_.counts.appeared());
    result.counters[kVanished] = static_cast<int64_t>(state_.counts.vanished);
}

PassResult EventsMachine::step() {
    if (done()) throw std::logic_error("the comparison of frames is finished: reset it to start over");
    context_->throw_if_cancelled();
    const uint32_t pass = state_.next;
    PassResult result = PassResult::of(pass, kCounters);
    if (pass == kAdvance) {
        if (!advance(result)) return result;
    } else if (pass == kMatch) {
        match();
        // The counters of the trigger follow; these are known after the match.
        state_.counts.now = present().read_count();
        matching_.read(state_.counts.matched, state_.counts.vanished);
        pass_on_names();
        count_names();
        report_match(result);
    } else if (pass == kTrigger) {
        compare();
        state_.counts = detector_.read();
        result.counters[kActive] = static_cast<int64_t>(state_.counts.active);
    } else if (pass == kEvents) {
        find_events(result);
    } else {
        run_graph_pass(pass, true);
        if (pass == kMeasure || chain_.has_graph() || (pass == kColour && !chain_.has_field()))
            result.counters[kBubbles] = chain_.count().bound;
        if (pass == last_graph_pass()) result.counters[kLinks] = present().read_entries() / 2;
    }
    state_.last = pass;
    state_.next = after(pass);
    if (!state_.made && state_.next == kMatch) {  // the first frame is not compared
        match();
        compare();
        state_.counts = detector_.read();
        pass_on_names();
        count_names();
        state_.made = 1;
        end_round(result);
    } else if (pass == kEvents) {
        end_round(result);
    }
    result.next = state_.next;
    result.round = state_.round;
    return result;
}

/// Lists the changes and adds them to the log.
void EventsMachine::find_events(PassResult& result) {
    KindCounts kinds{};
    if (state_.counts.triggered()) {
        detector_.extract(*context_, past(), present(), matching_, state_.counts);
        kinds = log_.add(source_->time(), state_.round, detector_.found(),
                         {ids_[1 - current_], host_areas(1 - current_)}, {ids_[current_], host_areas(current_)});
    }
    if (parameters_.lists_changes && (state_.counts.vanished > 0 || state_.counts.appeared() > 0)) find_changes();
    if (contact_watch_.is_needed() || t1_displacements_.is_needed()) observe_events();
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

ComparedSites EventsMachine::compared_sites() const {
    return {past().site_buffer().download(state_.counts.past), present().site_buffer().download(state_.counts.now),
            matching_.to_now_buffer().download(state_.counts.past), present().names().download(state_.counts.now)};
}

void EventsMachine::observe_events() {
    const ComparedSites sites = compared_sites();
    if (contact_watch_.is_needed()) contact_watch_.observe(log_, state_.round, sites);
    if (t1_displacements_.is_needed()) t1_displacements_.observe(log_, sites);
}

/// Adds births, deaths, break-ups and coalescences to the log.
void EventsMachine::find_changes() {
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
        return Side{partners.download(count),
                    frame.names().download(count),
                    frame.site_buffer().download(count),
                    host_areas(which),
                    &ids_[which],
                    count ? frame.starts().download(count + 1) : std::vector<uint32_t>{0},
                    frame.neighbours().download(frame.read_entries())};
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
        // A bubble present in both frames is listed once.
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
                if (knows_gaps() && after.names[found.now[0]] < state_.names_before) out.change = CellChange::kBack;
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

void EventsMachine::end_round(PassResult& result) {
    const bool last = state_.round >= static_cast<uint32_t>(parameters_.comparisons) || source_->ended();
    state_.next = last ? kNone : static_cast<uint32_t>(kAdvance);
    result.ended = last ? Level::kEnd : Level::kRound;
}

void EventsMachine::finish(const std::function<void(const PassResult&)>& after_round) {
    while (!done() && state_.made && state_.next != kAdvance) step();  // finish the comparison in progress
    while (!done()) finish_round(after_round);
}

/// Starts between two rounds, or before the first.
void EventsMachine::finish_round(const std::function<void(const PassResult&)>& after_round) {
    context_->throw_if_cancelled();
    if (!state_.made) state_.next = first_graph_pass();
    PassResult result = PassResult::of(kEvents, kCounters);
    const bool first = !state_.made;
    if (!first && !advance(result)) {
        if (after_round) after_round(result);
        return;
    }
    make_graph(first_graph_pass(), false);
    for (bool again = true; again;) {
        match();
        pass_on_names();
        compare();
        if (!first) detector_.extract_ahead(*context_, past(), present(), matching_);
        log_.settle();  // the round before, while the device computes this one
        state_.counts = detector_.read();
        again = chain_.too_small(state_.counts.now);
        if (again) make_graph(kMeasure, true);  // from the sites on, with room for all of them
    }
    count_names();
    result.counters[kBubbles] = static_cast<int64_t>(state_.counts.now);
    result.counters[kLinks] = static_cast<int64_t>(state_.counts.now_links);
    if (first) {
        state_.made = 1;
        state_.last = last_graph_pass();
    } else {
        report_match(result);
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

std::vector<Point> EventsMachine::sites() const {
    return present().site_buffer().download(state_.made ? present().read_count() : 0);
}

std::vector<int64_t> EventsMachine::ids() const {
    if (!ids_[current_].empty()) return ids_[current_];
    const std::vector<uint32_t> names = present().names().download(state_.made ? present().read_count() : 0);
    return {names.begin(), names.end()};
}

int64_t EventsMachine::id_of(uint32_t label) const {
    const std::vector<int64_t>& ids = ids_[current_];
    return label < ids.size() ? ids[label] : int64_t(present().names().read(label));
}

// Everything except State, the source, the log, the names of tracks and the two frames is a function of these, so a
// snapshot holds only them.

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

uint64_t EventsMachine::state_hash() const {
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
    for (const uint32_t age : held_.ages) add(age);
    if (chain_.has_field()) {
        const Buffer<uint32_t>& labels = chain_.components().labels();
        hash = hash_words(*context_, words_of(labels, labels.size()), hash);
    }
    return hash;
}

Snapshot EventsMachine::save() const {
    Snapshot snapshot;
    put_values(snapshot, &state_, 1);
    log_.save(snapshot);
    save_frame(snapshot, past(), ids_[1 - current_]);
    save_frame(snapshot, present(), ids_[current_]);
    put_values(snapshot, &current_, 1);
    put_values(snapshot, named_ids_.data(), named_ids_.size());
    if (assigns()) {
        put_values(snapshot, linked_to_.data(), linked_to_.size());
        put_values(snapshot, held_.places.data(), held_.size());
        put_values(snapshot, held_.past.data(), held_.size());
        put_values(snapshot, held_.ages.data(), held_.size());
        put_values(snapshot, held_.links.data(), held_.links.size());
        put_values(snapshot, held_areas_.data(), held_areas_.size());
        put_values(snapshot, held_radii_.data(), held_radii_.size());
    }
    contact_watch_.save(snapshot);
    t1_displacements_.save(snapshot);
    source_->save(snapshot);
    return snapshot;
}

size_t EventsMachine::load(const Snapshot& snapshot) {
    load_values(snapshot, 0, &state_, 1);
    size_t block = log_.load(snapshot, 1);
    const size_t frames = block;
    block += 2 * kFrameBlocks;
    load_values(snapshot, block, &current_, 1);
    named_ids_ = load_vector<int64_t>(snapshot, block + 1);
    names_of_ids_.clear();
    for (uint32_t name = 0; name < named_ids_.size(); ++name) names_of_ids_[named_ids_[name]] = name;
    block += 2;
    if (assigns()) {
        linked_to_ = load_vector<uint32_t>(snapshot, block);
        held_.places = load_vector<Point>(snapshot, block + 1);
        held_.past = load_vector<uint32_t>(snapshot, block + 2);
        held_.ages = load_vector<uint32_t>(snapshot, block + 3);
        held_.links = load_vector<std::array<uint32_t, 2>>(snapshot, block + 4);
        held_areas_ = load_vector<uint32_t>(snapshot, block + 5);
        held_radii_ = load_vector<double>(snapshot, block + 6);
        block += 7;
    }
    block = t1_displacements_.load(snapshot, contact_watch_.load(snapshot, block));
    const size_t end = source_->load(*context_, snapshot, block);
    for (const size_t k : {size_t(0), size_t(1)}) {
        const size_t which = k == 0 ? 1 - current_ : current_, first = frames + k * kFrameBlocks;
        LinkedFrame& frame = frames_[which];
        frame.take(*context_, load_vector<Point>(snapshot, first), load_vector<uint32_t>(snapshot, first + 1),
                   load_vector<uint32_t>(snapshot, first + 2));
        const auto names = load_vector<uint32_t>(snapshot, first + 3);
        frame.names().upload(*context_, names.data(), names.size());
        ids_[which] = load_vector<int64_t>(snapshot, first + 4);
        frame.use_names(*context_, ids_[which]);
    }
    if (!state_.made) {
        chain_.reset(*context_, parameters_, *source_, records_states_);
        detector_.reset(*context_, chain_.lattice(), is_closed());
        return end;
    }
    const std::vector<uint32_t> names = present().names().download();
    is_loading_ = true;
    make_graph(first_graph_pass(), true);
    is_loading_ = false;
    frames_[current_].names().upload(*context_, names.data(), names.size());
    match();
    compare();
    if (state_.counts.triggered()) detector_.extract(*context_, past(), present(), matching_, state_.counts);
    return end;
}

namespace {

ComparisonOnHost::Frame on_host(uint32_t count, const Buffer<uint32_t>& starts, const Buffer<uint32_t>& neighbours) {
    ComparisonOnHost::Frame copy{count, {}, {}};
    if (count == 0) return copy;
    copy.starts = starts.download(size_t(count) + 1);
    copy.neighbours = neighbours.download(copy.starts.back());
    return copy;
}

}  // namespace

CheckReport EventsMachine::check() const {
    if (!at_rest()) return CheckReport::nothing("a comparison is running; it can be checked when it has finished");
    CheckReport report;
    const Lattice& lattice = chain_.lattice();
    CancelPoll poll;
    if (chain_.has_field()) {
        const std::vector<float> field = source_->field()->download();
        std::vector<uint8_t> obstacles = chain_.colouring().obstacles().download();
        obstacles.resize(field.size(), 0);  // may be empty
        std::vector<uint8_t> inside(field.size());
        const bool below = parameters_.polarity == static_cast<int>(Polarity::kBelow);
        for (size_t pixel = 0; pixel < field.size(); ++pixel) {
            poll();
            inside[pixel] = !obstacles[pixel] &&
                            (below ? field[pixel] < chain_.threshold_value() : field[pixel] > chain_.threshold_value());
        }
        verify_labels(lattice, chain_.components().labels().download(),
                      chain_.has_labels() ? source_->cells()->pixels : flood_labels(lattice, inside), report);
    }
    if (chain_.has_graph()) {
        const CheckReport own = source_->check_graph();
        if (!own.passed) add_fault(report, own.sentence);
        for (const CheckFailure& failure : own.failures) add_failure(report, failure);
    }
    const bool coloured = !chain_.has_graph();  // otherwise colours serve only the picture
    const uint64_t wrong = coloured ? chain_.colouring().count_errors(*context_) : 0;
    const bool floods = parameters_.method == static_cast<int>(ColouringMethod::kJumpFlooding);
    if (wrong && !floods) {
        add_fault(report, count_text(wrong, "pixel has", "pixels have") + " another colour than the nearest site's.");
        const std::vector<uint32_t> colours = chain_.colouring().colours().download(),
                                    exact = chain_.colouring().exact_colours().download();
        for (uint32_t pixel = 0; pixel < colours.size(); ++pixel) {
            poll();
            if (colours[pixel] != exact[pixel]) add_pixel_failure(report, "wrong-colour", lattice, pixel, kWrongColour);
        }
    }

    const std::shared_ptr<const FoundLinks> found = detector_.found();
    const ComparisonOnHost comparison{
        on_host(past().read_count(), past().starts(), past().neighbours()),
        on_host(present().read_count(), present().starts(), present().neighbours()),
        sites(),
        ids(),
        matching_.to_now_buffer().download(state_.counts.past),
        matching_.to_past_buffer().download(state_.counts.now),
        found->links(),
        state_.counts,
        lattice,
        chain_.longest_link(),
        on_host(present().read_count(), chain_.graph().starts, chain_.graph().neighbours)};
    const VerifiedComparison sets = verify_comparison(comparison, report);
    if (!report.passed) return report;
    report.sentence = std::string(chain_.has_labels()  ? "Labels are those of the image, "
                                  : chain_.has_field() ? "Labels are those of a flood fill, "
                                                       : "") +
                      (!coloured ? std::string("The triangulation is Delaunay and has these links, ") +
                                       (chain_.longest_link().is_any() ? "" : "none longer than contact_distance, ")
                       : floods ? count_text(wrong, "pixel has", "pixels have") + " a wrong colour by jump flooding, "
                                : std::string(chain_.has_field() ? "colours" : "Colours") + " the nearest, ") +
                      "rows symmetric, partners mutual; " + std::to_string(sets.lost.size()) + " lost and " +
                      count_text(sets.created.size(), "created contact", "created contacts") +
                      " of the last comparison, as the plain difference of " + std::to_string(sets.translated.size()) +
                      " past and " + std::to_string(sets.common.size()) + " present links says.";
    return report;
}

}  // namespace flipscope
