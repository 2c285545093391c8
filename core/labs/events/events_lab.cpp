// The Events lab, pass by pass. The first moment has no past, so there is only its graph; then one round is
//
//   advance → threshold → label → measure → colour → corners → link → arrange → match → trigger → events
//
// where tracks begin with colour, and "delaunay" stands in for corners, link and arrange when the graph is to be that
// of the centres themselves. step() runs one pass and may ask the device how much there is; finish() runs the same
// kernels and waits once a comparison, for the counters and, on CUDA, what was found with them. What is not in
// Standing, the source, the log, the names of tracks or the two moments is a function of these, so a snapshot holds no
// more.
#include "labs/events/events_lab.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "compute/error.h"
#include "compute/text.h"

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
    std::unique_ptr<Source> source = make_source(context, requested_.source, input);
    if (requested_.matching == static_cast<int>(MatchBy::kNames) && source->field())
        throw Error("matching=names needs a source that gives names, such as tracks; use matching=nearest");
    context.set_block_size(static_cast<uint32_t>(requested_.block_size) / 32 * 32);
    context_ = &context;
    input_ = std::move(input);
    source_ = std::move(source);
    now_ = requested_;
    watched_ = wants_states_;
    const Lattice lattice = source_->lattice();
    chain_.reset(context, now_, *source_, watched_);
    for (Moment& moment : moments_) moment.reset(context, lattice);
    for (std::vector<int64_t>& ids : ids_) ids.clear();
    named_ids_.clear();
    names_of_ids_.clear();
    current_ = 0;
    matching_ = {};
    detection_.reset(context, lattice);
    log_.clear(lattice);
    drawing_.reset(context, lattice, watched_);
    field_low_ = 0;
    field_high_ = 1;
    if (chain_.has_field()) {
        const auto [low, high] = range_of(*source_->field());
        if (low < high) field_low_ = low, field_high_ = high;
    }
    const View<const Point> centres = chain_.has_field() ? View<const Point>{} : source_->centres();
    first_centres_.upload(context, centres.data, centres.count);
    open_sites_ = lattice.site_count();
    if (!chain_.colouring().obstacles().empty())
        for (const uint8_t blocked : chain_.colouring().obstacles().download()) open_sites_ -= blocked != 0;
    state_ = {};
    state_.next = first_graph_pass();
    greeting_ = "Source: " + source_->sentence() + ".";
    if (const auto units = source_->units())
        greeting_ += " A lattice unit is " + format_short(units->unit.x) +
                     " of the file's units, in which positions of events and sites are written.";
    if (chain_.has_field())
        greeting_ += std::string(" Bubbles are where the field is ") +
                     (now_.polarity == int(Polarity::kAbove) ? "above " : "below ") +
                     format_short(chain_.threshold_value()) +
                     (now_.auto_threshold ? source_->about_threshold() : std::string()) + ".";
    if (const std::string remark = source_->remark(); !remark.empty()) greeting_.append(" ").append(remark);
    if (chain_.has_field() && now_.auto_threshold && now_.threshold != EventsParameters{}.threshold)
        greeting_ += " The threshold that was set, " + format_short(now_.threshold) +
                     ", is for auto_threshold=off; this is the usual one.";
    if (const std::string unused = set_without_effect(); !unused.empty()) greeting_.append(" ").append(unused);
    const bool makes_bubbles = now_.source.kind == SourceParameters::kBubbles;
    if (input_ && !input_->points.empty() && !input_->field && !input_->tracks && makes_bubbles)
        greeting_ +=
            " The points are not used: they are the first positions of droplets, of which a random field has "
            "none; take source=shear, channel, rolls or emulsion.";
}

bool EventsLab::by_names() const { return now_.matching != static_cast<int>(MatchBy::kNearest) && !chain_.has_field(); }

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
    if (pass == kArrange) return kMatch;
    return pass + 1;
}

void EventsLab::run_graph_pass(uint32_t pass, bool wait) {
    switch (pass) {
        case kThreshold:
            chain_.threshold(*source_, wait);
            break;
        case kLabel:
            chain_.label();
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
            else
                chain_.delaunay();
            chain_.give(*source_, present());
            ids_[current_] = source_->names();
            break;
    }
}

/// The whole graph of the present moment. `wait`: the host may ask how much there is.
void EventsLab::make_graph(bool wait) {
    for (uint32_t pass = first_graph_pass(); pass != kMatch; pass = after(pass)) run_graph_pass(pass, wait);
}

/// Again from the centres on, with room for all of them.
void EventsLab::remake_graph() {
    for (uint32_t pass = kMeasure; pass != kMatch; pass = after(pass)) run_graph_pass(pass, true);
}

/// Steps of the source from one comparison to the next.
uint32_t EventsLab::chosen_interval() const {
    return std::max(1u, now_.interval > 0 ? static_cast<uint32_t>(now_.interval) : source_->usual_interval());
}

/// False: the source is in trouble, and the run ends with the moment before.
bool EventsLab::advance(StepResult& result) {
    const uint32_t steps = chosen_interval();
    const uint32_t went = source_->advance(*context_, steps);
    if (!source_->trouble().empty()) {
        result.pass = kAdvance;
        result.message = source_->trouble();
        result.ended = Level::kEnd;
        result.round = state_.round;
        result.next = state_.next = kNone;
        return false;
    }
    if (went < steps)
        result.message = "The recording ends here: this comparison is over " + count_text(went, "frame", "frames") +
                         ", not " + std::to_string(steps) + ".";
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

void EventsLab::compare() { detection_.compare(*context_, past(), present(), matching_); }

/// Only launches; who has a new name is counted by count_names() when the host knows how many appeared.
void EventsLab::name_everybody() {
    if (by_names())
        name_by_ids();
    else
        matching_.pass_on_names(*context_, past(), present(), state_.next_name);
}

/// Here the host knows everything.
void EventsLab::name_by_ids() {
    const std::vector<int64_t>& ids = ids_[current_];
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
        state_.counts = detection_.read();
        result.counters[kActive] = static_cast<int64_t>(state_.counts.active);
    } else if (pass == kEvents) {
        find_events(result);
    } else {
        run_graph_pass(pass, true);
        if (pass == kMeasure || (pass == kColour && !chain_.has_field())) {
            const uint32_t count = chain_.count().bound;
            result.counters[kBubbles] = count;
            tell_few_bubbles(count, result);
        }
        if (pass == kArrange || pass == kDelaunay) result.counters[kLinks] = present().read_entries() / 2;
    }
    state_.last = pass;
    state_.next = after(pass);
    if (!state_.made && !greeting_.empty()) {
        result.message = greeting_ + (result.message.empty() ? "" : " ") + result.message;
        greeting_.clear();
    }
    if (!state_.made && state_.next == kMatch) {  // there is nothing to compare the first frame with
        match();
        compare();
        state_.counts = detection_.read();
        name_everybody();
        count_names();
        state_.made = 1;
        end_round(result);
        if (watched_) draw();
    } else if (pass == kEvents) {
        end_round(result);
        if (watched_) draw();
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
        detection_.extract(*context_, past(), present(), matching_, state_.counts);
        kinds = log_.add(source_->time(), state_.round, detection_.found(), ids_[1 - current_], ids_[current_]);
        for (size_t k = 0; k < kinds.size(); ++k)
            if (k != size_t(EventKind::kUnmatched) && kinds[k] > 0) result.notable = true;
    }
    for (size_t k = 0; k < kinds.size(); ++k) state_.kinds[k] += kinds[k];
    state_.breaking += state_.counts.breaking;
    state_.arising += state_.counts.arising;
    result.counters[kBreaking] = static_cast<int64_t>(state_.counts.breaking);
    result.counters[kArising] = static_cast<int64_t>(state_.counts.arising);
    const auto count = [&](EventKind kind) { return static_cast<int64_t>(kinds[size_t(kind)]); };
    result.counters[kBulkEvents] = count(EventKind::kBulk);
    result.counters[kBoundaryEvents] = count(EventKind::kBoundary);
    result.counters[kMixedEvents] = count(EventKind::kMixed);
    result.counters[kUnmatchedEvents] = count(EventKind::kUnmatched);
    result.counters[kUnclearEvents] = count(EventKind::kUnclear);
}

void EventsLab::end_round(StepResult& result) {
    const bool last = state_.round >= static_cast<uint32_t>(now_.comparisons) || source_->ended();
    state_.next = last ? kNone : static_cast<uint32_t>(kAdvance);
    result.ended = last ? Level::kEnd : Level::kRound;
    if (last && state_.round == 0)
        result.message += std::string(result.message.empty() ? "" : " ") +
                          "There is one frame only, so there is nothing to compare it with.";
}

void EventsLab::tell_few_bubbles(uint64_t count, StepResult& result) {
    if (count > 1 || state_.few_told >> count & 1) return;
    state_.few_told |= 1u << count;  // once is enough: what follows is often the same
    if (!result.message.empty()) result.message += " ";
    if (!chain_.has_field()) {
        result.message += count ? "There is one site only: no links." : "There are no sites in this frame.";
        return;
    }
    const bool above = now_.polarity == static_cast<int>(Polarity::kAbove);
    const auto [low, high] = range_of(*source_->field());
    const std::string where = std::string(above ? "above " : "below ") + format_short(chain_.threshold_value());
    const std::string range = low <= high ? "; it goes from " + format_short(low) + " to " + format_short(high)
                                          : std::string("; it has no numbers");
    if (count == 0)
        result.message += "There are no bubbles: the field is nowhere " + where + range +
                          ". Set auto_threshold=off and " + (above ? "a lower" : "a higher") +
                          " threshold, or the other polarity.";
    else
        result.message += "There is one bubble, so there are no links: what is " + where + " is connected" + range +
                          ". Set auto_threshold=off and " + (above ? "a higher" : "a lower") +
                          " threshold, or the other polarity.";
}

void EventsLab::finish(const std::function<void(const StepResult&)>& after_round) {
    while (!done() && state_.made && state_.next != kAdvance) step();  // a comparison that had begun
    while (!done()) {
        context_->throw_if_cancelled();
        if (!state_.made) state_.next = first_graph_pass();
        StepResult result = begin_step(kEvents);
        const bool first = !state_.made;
        if (!first && !advance(result)) {
            if (after_round) after_round(result);
            break;
        }
        make_graph(false);
        for (bool again = true; again;) {
            match();
            name_everybody();
            compare();
            if (!first) detection_.extract_ahead(*context_, past(), present(), matching_);
            log_.settle();  // that of the round before, while the device is busy with this one
            state_.counts = detection_.read();
            again = chain_.too_small(state_.counts.now);
            if (again) remake_graph();
        }
        count_names();
        result.counters[kBubbles] = static_cast<int64_t>(state_.counts.now);
        result.counters[kLinks] = static_cast<int64_t>(state_.counts.now_links);
        tell_few_bubbles(state_.counts.now, result);
        if (first) {
            state_.made = 1;
            state_.last = chain_.on_lattice() ? kArrange : kDelaunay;
            result.message = greeting_ + (result.message.empty() ? "" : " ") + result.message;
            greeting_.clear();
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
    if (state_.made) draw();
}

/// Labels know no obstacles, and the picture is to keep them.
void EventsLab::show_labels() {
    if (!watched_ || !shows_labels() || source_->obstacles().count == 0) return;
    drawing_.show_labels(*context_, chain_.components().labels(), source_->obstacles());
}

/// The picture of the present moment; it is no part of the state.
void EventsLab::draw() {
    if (chain_.on_lattice()) chain_.lattice_graph().read_counts(*context_);
    std::vector<Point> vanished;
    if (state_.round > 0 && state_.counts.vanished > 0) {
        std::vector<uint32_t> to_now(state_.counts.past);
        std::vector<Point> places(state_.counts.past);
        matching_.to_now_buffer().download(to_now.data(), to_now.size());
        past().centre_buffer().download(places.data(), places.size());
        for (size_t p = 0; p < places.size(); ++p)
            if (to_now[p] == kNone) vanished.push_back(places[p]);
    }
    drawing_.draw(*context_, present(), graph(), log_, state_.round,
                  state_.round > 0 ? matching_.to_past() : View<const uint32_t>{}, state_.next_name, vanished);
}

}  // namespace flipscope
