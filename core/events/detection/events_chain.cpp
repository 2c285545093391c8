#include "events/detection/events_chain.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include "compute/cancel.h"
#include "voronoi/graph/exact_graph.h"
#include "voronoi/graph/radical_graph.h"

namespace flipscope {

void EventsChain::reset(Context& context, const EventsParameters& parameters, Source& source, bool records_states) {
    context_ = &context;
    parameters_ = parameters;
    lattice_ = source.lattice();
    has_field_ = source.field() != nullptr;
    has_labels_ = source.cells() != nullptr;
    has_graph_ = source.has_graph();
    longest_ = {parameters.contact_distance, source.units().value_or(LatticeUnits{}).unit};
    given_graph_ = nullptr;
    given_sites_ = {};
    threshold_ = parameters.auto_threshold ? source.usual_threshold() : parameters.threshold;
    if (has_field_) {
        components_.reset(context, lattice_);
        source.set_threshold(context, threshold_, bubbles_below());
    }
    colouring_.reset(context, lattice_);
    const View<const uint8_t> obstacles = source.obstacles();
    colouring_.obstacles().resize(context, obstacles.count, false);
    if (obstacles.count) context.copy(colouring_.obstacles().view().data, obstacles.data, obstacles.count);
    colouring_.colours().fill(context, lattice_.pixel_count(), 0xFF);
    graph_.set_records_states(records_states);
    if (on_lattice()) graph_.reset(context, lattice_);
    clamped_.resize(context, 1);
    room_ = known_ = 0;
    count_known_ = guessed_ = false;
}

View<const Point> EventsChain::sites() {
    if (held_count_ > 0) return joined_.view();
    if (!has_field_) return given_sites_;
    return components_.centres_of_mass().view();
}

void EventsChain::threshold(Source& source, bool show) {
    components_.threshold(*context_, source.field()->view(), threshold_, bubbles_below(), source.obstacles());
    if (show) components_.show_threshold(*context_);
}

void EventsChain::label(const Source& source) {
    if (has_labels_)
        components_.take(*context_, *source.cells());
    else
        components_.label(*context_);
}

void EventsChain::measure(Source& source, bool wait) {
    guessed_ = false;
    held_count_ = 0;
    held_radii_.clear();
    held_links_.clear();
    if (!has_field_) {
        given_sites_ = source.sites();
        known_ = static_cast<uint32_t>(given_sites_.count);
        count_known_ = true;
        return;
    }
    if (has_labels_) {  // counted and measured already
        known_ = static_cast<uint32_t>(source.cells()->names.size());
        count_known_ = true;
        return;
    }
    // On CPU threads counts are available at once, and the Delaunay graph needs the host anyway.
    count_known_ = wait || !(context_->on_cuda() || guesses_) || !on_lattice() || room_ == 0;
    const MeasureMethod method = static_cast<MeasureMethod>(parameters_.measure);
    components_.measure(*context_, method, count_known_ ? View<uint32_t>() : clamped_.view(1), room_);
    if (count_known_) {
        known_ = components_.read_count(*context_);
        room_ = std::min(components_.most(), 2 * known_ + 1024);
    } else {
        guessed_ = room_ < components_.most();
    }
}

void EventsChain::hold(const HeldBubbles& held, const std::vector<double>& radii) {
    if (held.size() == 0) return;
    std::vector<Point> all = download(*context_, sites().first(known_));
    all.insert(all.end(), held.places.begin(), held.places.end());
    joined_.upload(*context_, all.data(), all.size());
    held_radii_ = radii;
    held_links_ = held.links;
    held_count_ = static_cast<uint32_t>(held.size());
    known_ += held_count_;
}

void EventsChain::colour() {
    colouring_.colour(*context_, static_cast<ColouringMethod>(parameters_.method), sites(), count());
}

void EventsChain::corners() { graph_.find_corners(*context_, colouring_.colours().view(), parameters_.rules); }

void EventsChain::link() {
    graph_.link(*context_, colouring_.colours().view(), colouring_.bins().view(), count(), parameters_.rules);
}

void EventsChain::arrange(bool wait) {
    graph_.arrange(*context_);
    // Colours that are not a Voronoi diagram may make more links than there is room for, which only this call detects.
    if (wait || !context_->on_cuda() || parameters_.method == static_cast<int>(ColouringMethod::kJumpFlooding))
        graph_.read_counts(*context_);
}

void EventsChain::delaunay(const Source& source) {
    if (parameters_.graph == static_cast<int>(GraphKind::kLabels)) {
        ExactGraph touching;
        touching.lattice = lattice_;
        touching.count = known_;
        if (std::isnan(parameters_.film_width))
            contacts_ = source.cells()->contacts;
        else
            contacts_ = film_contacts(lattice_, components_.labels().download(), colouring_.obstacles().download(),
                                      parameters_.film_width);
        for (const LabelContact& contact : contacts_)
            if (contact.sides > 0) touching.edges.push_back({contact.a, contact.b});
        touching.edges.insert(touching.edges.end(), held_links_.begin(), held_links_.end());  // they have no pixels
        sort_distinct_or_cancel(touching.edges);
        delaunay_ = touching.adjacency(*context_);
        return;
    }
    const std::vector<Point> places = download(*context_, sites().first(known_));
    if (parameters_.graph == static_cast<int>(GraphKind::kRadical)) {
        radii_ = radii_of(source);
        const RadicalGraph found = radical_graph(places, radii_, lattice_);
        hidden_ = found.hidden.size();
        delaunay_ = found.graph.adjacency(*context_);
        return;
    }
    delaunay_ = exact_graph(*context_, places, lattice_).adjacency(*context_);
}

/// Of bubbles those of discs of the same area.
std::vector<double> EventsChain::radii_of(const Source& source) const {
    std::vector<double> radii;
    if (!has_field_) radii = source.site_radii();
    if (has_field_)
        for (const uint32_t area : components_.areas().download(found_count()))
            radii.push_back(std::sqrt(area / std::numbers::pi));
    radii.insert(radii.end(), held_radii_.begin(), held_radii_.end());
    return radii;
}

void EventsChain::edges(Source& source) {
    measure(source, false);
    given_graph_ = &source.graph(*context_);
}

void EventsChain::give(Source& source, LinkedFrame& frame) {
    std::shared_ptr<const SiteBins> bins = colouring_.share_bins();
    if (has_graph_) {  // not coloured
        bins.reset();
        if (parameters_.matching == static_cast<int>(MatchBy::kNearest)) {
            const auto made = std::make_shared<SiteBins>();
            made->build(*context_, lattice_, sites(), count());
            bins = made;
        }
    }
    frame.take(*context_, sites(), count(), graph().view(), std::move(bins), longest_);
    frame.use_names(*context_, names(source));
}

std::vector<int64_t> EventsChain::names(const Source& source) const {
    if (parameters_.matching == static_cast<int>(MatchBy::kAssignment)) return {};
    const bool last = source.labels_last() || parameters_.matching == static_cast<int>(MatchBy::kNames);
    return has_labels_ && !last ? std::vector<int64_t>() : source.names();
}

}  // namespace flipscope
