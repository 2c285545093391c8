// The Events lab's answers: about one element, in numbers, and as arrays to be saved.
#include <algorithm>
#include <cmath>

#include "compute/array.h"
#include "compute/text.h"
#include "events/detection/triangles.h"
#include "geometry/places.h"
#include "labs/events/events_lab.h"
#include "labs/voronoi/stencil_inspect.h"
#include "voronoi/graph/graph_comparison.h"

namespace flipscope {

namespace {

constexpr size_t kMostNamed = 16;  // neighbours in one line
constexpr double kPi = 3.14159265358979323846;

}  // namespace

int64_t EventsLab::id_of(uint32_t label) const {
    const std::vector<int64_t>& ids = ids_[current_];
    return label < ids.size() ? ids[label] : int64_t(present().names().read(label));
}

std::vector<Point> EventsLab::host_centres() const {
    std::vector<Point> centres(state_.made ? present().read_count() : 0);
    present().centre_buffer().download(centres.data(), centres.size());
    return centres;
}

// ---- one element ----------------------------------------------------------------------------------------------------

Element EventsLab::pick(const Probe& probe) const {
    if (!source_) return {};
    const Lattice& lattice = chain_.lattice();
    if (drawing_.mesh().vertex_count > 0) {
        const Element found = pick_element(*context_, drawing_.mesh(), drawing_.centre_count(), probe);
        if (found.id != kNone) return found;
    }
    const double x = std::floor(probe.place.x + 0.5), y = std::floor(probe.place.y + 0.5);
    if (!(x >= 0 && y >= 0 && x < lattice.width && y < lattice.height)) return {};
    return {ElementKind::kSite, lattice.site(static_cast<uint32_t>(x), static_cast<uint32_t>(y)), probe.part};
}

std::vector<Fact> EventsLab::inspect(Element element) const {
    std::vector<Fact> facts;
    if (element.id == kNone || !source_) return facts;
    if (element.kind == ElementKind::kSite && element.id < chain_.lattice().site_count())
        inspect_site(element.id, facts);
    if (!at_rest()) return facts;  // what is drawn is the moment before
    if (element.kind == ElementKind::kVertex && element.id < drawing_.centre_count()) inspect_centre(element.id, facts);
    if (element.kind == ElementKind::kEdge && element.id < drawing_.mesh().edge_count) inspect_link(element.id, facts);
    return facts;
}

void EventsLab::inspect_centre(uint32_t label, std::vector<Fact>& facts) const {
    const Point at = present().centre_buffer().read(label);
    facts.push_back({"Bubble", bubble_name(label), "label " + std::to_string(label) + " of this frame"});
    facts.push_back({"x, y", place_text(at), "lattice units"});
    if (const auto units = source_->units())
        facts.push_back({"In the input", given_text(units->as_given(at), units->unit), "units of the input"});
    if (chain_.has_field()) {
        const uint32_t area = const_cast<EventsLab*>(this)->chain_.components().areas().read(label);
        facts.push_back({"Area", count_text(area, "pixel", "pixels"), ""});
        if (const uint32_t winding = chain_.components().windings().read(label))
            facts.push_back({"Winds around the torus",
                             winding == (kWindsInX | kWindsInY) ? "in x and y"
                             : winding == kWindsInX             ? "in x"
                                                                : "in y",
                             "so it has no centre of mass in that direction; the mean of its coordinates is used"});
    }
    const uint32_t begin = present().starts().read(label), end = present().starts().read(label + 1);
    std::vector<uint32_t> row(end - begin);
    present().neighbours().download(row.data(), row.size(), begin);
    std::string text;
    for (size_t k = 0; k < std::min(row.size(), kMostNamed); ++k) text += (k ? ", " : "") + bubble_name(row[k]);
    facts.push_back({"Neighbours", std::to_string(row.size()), text + (row.size() > kMostNamed ? ", …" : "")});
    if (state_.round == 0) return;
    const uint32_t before = matching_.to_past_buffer().read(label);
    if (before == kNone) {
        facts.push_back({"Before", "not there", "no past bubble is its partner: left out of the comparison"});
        return;
    }
    const Point was = past().centre_buffer().read(before);
    facts.push_back({"Before", place_text(was),
                     "moved by " + format_short(std::sqrt(chain_.lattice().squared_distance(was, at))) +
                         " lattice units; its label was " + std::to_string(before)});
    if (!detection_.local_trigger().read(before)) {
        facts.push_back({"Active", "no", "the same neighbours as before"});
        return;
    }
    const uint32_t kinds = detection_.vertex_kinds().read(before);
    facts.push_back({"Active", name_of(event_kind(kinds)),
                     (kinds & kBulk) && (kinds & kBoundary)
                         ? "three active neighbours or more, and an active neighbour on the boundary, as it is"
                     : kinds & kBulk     ? "three active neighbours or more, before or now"
                     : kinds & kBoundary ? "on the boundary, with an active neighbour on the boundary"
                                         : "fewer than three active neighbours, and none on the boundary"});
}

void EventsLab::inspect_link(uint32_t edge, std::vector<Fact>& facts) const {
    const auto [a, b] = drawing_.link(edge);
    const Point from = present().centre_buffer().read(a), to = present().centre_buffer().read(b);
    const Point d = chain_.lattice().difference(from, to);
    double angle = std::atan2(d.y, d.x) * 180 / kPi;
    if (angle < 0) angle += 180;
    facts.push_back({"Link", bubble_name(a) + " – " + bubble_name(b), "neighbours in this frame"});
    facts.push_back({"Length", format_short(std::sqrt(d.x * d.x + d.y * d.y)), "lattice units"});
    facts.push_back({"Direction", format_short(angle) + "°", "from the x axis"});
    if (state_.round == 0) return;
    const uint32_t p = matching_.to_past_buffer().read(a), q = matching_.to_past_buffer().read(b);
    if (p == kNone || q == kNone) {
        facts.push_back({"Before", "unknown", "one of the two was not there"});
        return;
    }
    const uint32_t begin = past().starts().read(p), end = past().starts().read(p + 1);
    std::vector<uint32_t> row(end - begin);
    past().neighbours().download(row.data(), row.size(), begin);
    const bool was = std::binary_search(row.begin(), row.end(), q);
    facts.push_back({"Before", was ? "linked, too" : "not linked", was ? "" : "a created contact"});
}

void EventsLab::inspect_site(uint32_t site, std::vector<Fact>& facts) const {
    const Lattice& lattice = chain_.lattice();
    const uint32_t colour = chain_.colouring().colours().read(site);
    if (chain_.on_lattice() && at_rest() && state_.counts.now > 0)
        facts = describe_stencil(
            inspect_stencil(lattice, chain_.colouring().colours(), host_centres(), site, now_.rules), now_.rules);
    else
        facts.push_back({"Pixel", std::to_string(lattice.x_of(site)) + ", " + std::to_string(lattice.y_of(site)), ""});
    if (at_rest() && colour < state_.counts.now) facts.push_back({"Cell of bubble", bubble_name(colour), ""});
    if (colour == kMaxLink) facts.push_back({"Obstacle", "yes", "its colour is MAXLINK"});
    if (!chain_.has_field()) return;
    const float value = source_->field()->read(site);
    const uint32_t label = chain_.components().labels().read(site);
    facts.push_back({"Field", format_short(value), "threshold " + format_short(chain_.threshold_value())});
    facts.push_back({"In a bubble", label == kNone ? "no" : "yes", ""});
}

std::vector<Sketch> EventsLab::sketches(Element element) const {
    if (element.kind != ElementKind::kSite || !source_ || !at_rest() || !chain_.on_lattice()) return {};
    if (element.id >= chain_.lattice().site_count() || state_.counts.now == 0) return {};
    return draw_stencil(
        inspect_stencil(chain_.lattice(), chain_.colouring().colours(), host_centres(), element.id, now_.rules),
        now_.rules);
}

// ---- numbers and arrays ---------------------------------------------------------------------------------------------

std::vector<Finding> EventsLab::findings(size_t first) const {
    std::vector<Finding> findings;
    for (size_t i = first; i < log_.size(); ++i) {
        findings.push_back(log_.finding(i));
        if (source_->units()) findings.back().given = source_->as_given(findings.back().place);
    }
    return findings;
}

/// The first step that counts in means and sums over time.
uint64_t EventsLab::averaged_from() const {
    const auto warmup = static_cast<uint64_t>(std::max(0, now_.source.warmup));
    const auto window = static_cast<uint64_t>(std::max(0, now_.source.mean_window));
    const uint64_t steps = source_->steps();
    return std::max(warmup, window > 0 && steps > window ? steps - window : 0);
}

std::vector<Histogram> EventsLab::histograms() const {
    if (!state_.made) return {};
    const uint64_t from = averaged_from(), interval = chosen_interval();
    // A comparison counts when all of it lies in the window.
    return log_.histograms(static_cast<uint32_t>(std::min<uint64_t>(1 + (from + interval - 1) / interval, kNone)),
                           from > 0 ? " Counted from step " + std::to_string(from) + " on." : "");
}

std::vector<Curve> EventsLab::curves() const {
    if (!source_) return {};
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
    flow.remark = profile.sentence();
    if (!std::isnan(profile.drift)) flow.stationary = profile.stationary();
    return {std::move(flow)};
}

/// Nothing where centres are given, or where bubbles have not been measured at this moment.
std::optional<EventsLab::Concentration> EventsLab::concentration() const {
    const bool measured =
        state_.last != kNone && state_.last != kAdvance && state_.last != kThreshold && state_.last != kLabel;
    if (!chain_.has_field() || !measured) return {};
    const uint32_t count = chain_.components().read_count(*context_);
    std::vector<uint32_t> areas(count);
    chain_.components().areas().download(areas.data(), areas.size());
    Concentration found;
    for (const uint32_t area : areas) found.inside += area;
    found.open = open_sites_;
    found.all = chain_.lattice().site_count();
    return found;
}

Result EventsLab::result() const {
    Result result;
    if (!source_) return result;
    result.points = state_.counts.now;
    result.edges = state_.counts.now_links;
    const char* const so_far = "so far";
    result.numbers = {{"time", source_->time_unit(), source_->time()},
                      {"comparisons", "",
                       double(at_rest()      ? state_.round
                              : state_.round ? state_.round - 1
                                             : 0)},
                      {"bubbles", "in this frame", double(state_.counts.now)},
                      {"links", "in this frame", double(state_.counts.now_links)},
                      {"names given so far", "", double(state_.next_name)},
                      {"lost contacts", so_far, double(state_.breaking), "breaking links"},
                      {"created contacts", so_far, double(state_.arising), "arising links"}};
    for (const EventKind kind :
         {EventKind::kBulk, EventKind::kBoundary, EventKind::kMixed, EventKind::kUnmatched, EventKind::kUnclear})
        result.numbers.push_back({std::string(name_of(kind)) + " events", so_far, double(state_.kinds[size_t(kind)]),
                                  kind == EventKind::kBulk ? "bulk events" : ""});
    if (chain_.has_field())
        result.numbers.push_back({"threshold", "in the unit of the field", chain_.threshold_value()});
    if (const auto found = concentration()) {
        const auto share = [&](uint64_t of) { return of > 0 ? double(found->inside) / double(of) : 0; };
        const bool walled = found->open != found->all;
        result.numbers.push_back({"concentration φ",
                                  walled ? "of the pixels that are no obstacles are in bubbles, in this frame"
                                         : "of the pixels are in bubbles, in this frame",
                                  share(found->open)});
        if (walled)
            result.numbers.push_back(
                {"φ of all pixels", "with the obstacles, as in the paper", share(found->all), "φ of all sites"});
    }
    for (const Source::Number& each : source_->numbers()) result.numbers.push_back({each.name, each.unit, each.value});
    if (const FlowProfile profile = source_->profile(); profile.samples > 0) {
        result.numbers.insert(
            result.numbers.end(),
            {{"flow in the middle", "pixels per step, mean", profile.middle},
             {"flow mean from", "steps", double(profile.from)},
             {"flow mean to", "steps", double(profile.to)},
             {"flow drift", "of the flow in the middle, between the halves of that time", profile.drift}});
    }
    const Lattice& lattice = chain_.lattice();
    if (const auto units = source_->units()) result.lattice = {lattice.width, lattice.height, lattice.periodic, *units};
    return result;
}

TriangleSoup EventsLab::soup() const {
    TriangleSoup soup;
    soup_points_ = host_centres();
    soup.points = &soup_points_;
    return soup;
}

std::vector<ArrayInfo> EventsLab::arrays() const {
    return {
        {"field", "(height, width) the field of this frame; nothing where sites are given"},
        {"labels", "(height, width) the bubble each pixel belongs to; 4294967295: none"},
        {"colours", "(height, width) the label of each pixel's nearest site; 2004318071 is an obstacle"},
        {"sites",
         "(bubbles, 2) x and y, of tracks in the units of their file, else lattice units; the row is the label",
         "centres"},
        {"names", "(bubbles) what stays the same of each label over time: the bubble's name"},
        {"links", "(links, 2) labels of cells that are neighbours, the lower first"},
        {"profile",
         "(positions, 2) x across the channel, from -1/2 to 1/2, and the mean speed relative to that in the middle, "
         "within the window of time"},
        {"events",
         "(events, 5) time, comparison, kind (0 unclear, 1 T1, 2 boundary, 3 mixed, 4 unmatched), x, y as of sites"},
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
    std::vector<Point> centres = host_centres();
    if (name == "sites") {
        for (Point& at : centres) at = source_->as_given(at);
        return make_array(Type::kFloat64, {centres.size(), 2}, centres);
    }
    if (name == "names") {
        std::vector<int64_t> names(centres.size());
        for (uint32_t q = 0; q < names.size(); ++q) names[q] = id_of(q);
        return make_array(Type::kInt64, {names.size()}, names);
    }
    if (name == "links") {
        std::vector<uint32_t> flat, starts(centres.size() + 1), row;
        if (!centres.empty()) {
            present().starts().download(starts.data(), starts.size());
            row.resize(starts.back());
            present().neighbours().download(row.data(), row.size());
        }
        for (uint32_t a = 0; a < centres.size(); ++a)
            for (uint32_t e = starts[a]; e < starts[a + 1]; ++e)
                if (a < row[e]) flat.insert(flat.end(), {a, row[e]});
        return make_array(Type::kUint32, {flat.size() / 2, 2}, flat);
    }
    if (name == "events") {
        std::vector<double> flat;
        for (const LoggedEvent& event : log_.events()) {
            const Point at = source_->as_given(event.place);
            flat.insert(flat.end(), {event.time, double(event.round), double(event_kind(event.kinds)), at.x, at.y});
        }
        return make_array(Type::kFloat64, {log_.size(), 5}, flat);
    }
    if (name == "changes") {
        std::vector<int64_t> flat;
        for (size_t i = 0; i < log_.size(); ++i) {
            const LoggedEvent& event = log_.events()[i];
            for (const LoggedLink *link = log_.links_of(event), *end = link + event.links; link != end; ++link)
                flat.insert(flat.end(), {int64_t(i), int64_t(link->breaking), link->ids[0], link->ids[1]});
        }
        return make_array(Type::kInt64, {flat.size() / 4, 4}, flat);
    }
    throw std::logic_error("the Events lab has no array \"" + name + "\"");
}

}  // namespace flipscope
