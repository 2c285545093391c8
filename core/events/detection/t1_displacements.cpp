#include "events/detection/t1_displacements.h"

#include <algorithm>
#include <cmath>

#include "compute/cancel.h"

namespace flipscope {

void T1Displacements::reset(double reach) {
    reach_ = reach;
    ends_.clear();
    samples_.clear();
}

void T1Displacements::observe(const EventLog& log, const ComparedSites& sites) {
    const Lattice& lattice = log.lattice();
    const std::vector<LoggedEvent>& events = log.events();
    const double square = double(lattice.pixel_count()) / std::max<double>(1, double(sites.past.size()));
    const double scale = 1 / std::sqrt(square);
    CancelPoll poll;
    for (size_t e = ends_.size(); e < events.size(); ++e) {
        const LoggedLink *lost = nullptr, *created = nullptr;
        for (const LoggedLink& link : log.links_of(events[e])) (link.lost ? lost : created) = &link;
        if (events[e].links == 2 && lost && created && event_kind(events[e].kinds) == EventKind::kT1) {
            const Point origin = lost->before[0];
            const Point ends[4] = {origin, lost->before[1], created->before[0], created->before[1]};
            const Point after[4] = {lost->after[0], lost->after[1], created->after[0], created->after[1]};
            Point middle, drift;
            for (int k = 0; k < 4; ++k) {
                const Point at = lattice.difference(origin, ends[k]), moved = lattice.difference(ends[k], after[k]);
                middle = {middle.x + at.x / 4, middle.y + at.y / 4};
                drift = {drift.x + moved.x / 4, drift.y + moved.y / 4};
            }
            const Point along = lattice.difference(ends[0], ends[1]);
            const double length = std::sqrt(along.x * along.x + along.y * along.y);
            const Point unit{along.x / length, along.y / length};
            const auto in_frame = [&](Point d, float& x, float& y) {
                x = static_cast<float>((d.x * unit.x + d.y * unit.y) * scale);
                y = static_cast<float>((d.y * unit.x - d.x * unit.y) * scale);
            };
            for (size_t p = 0; p < sites.past.size() && length > 0; ++p) {
                poll();
                Point at = lattice.difference(origin, sites.past[p]);
                at = {at.x - middle.x, at.y - middle.y};
                if (sites.to_now[p] == kNone || at.x * at.x + at.y * at.y > reach_ * reach_ * square) continue;
                const Point moved = lattice.difference(sites.past[p], sites.now[sites.to_now[p]]);
                Sample sample;
                in_frame(at, sample.x, sample.y);
                in_frame({moved.x - drift.x, moved.y - drift.y}, sample.dx, sample.dy);
                samples_.push_back(sample);
            }
        }
        ends_.push_back(samples_.size());
    }
}

std::span<const T1Displacements::Sample> T1Displacements::samples_of(size_t event) const {
    if (event >= ends_.size()) return {};
    const uint64_t first = event > 0 ? ends_[event - 1] : 0;
    return std::span(samples_).subspan(first, ends_[event] - first);
}

void T1Displacements::save(Snapshot& snapshot) const {
    put_values(snapshot, ends_.data(), ends_.size());
    put_values(snapshot, samples_.data(), samples_.size());
}

size_t T1Displacements::load(const Snapshot& snapshot, size_t first) {
    ends_ = load_vector<uint64_t>(snapshot, first);
    samples_ = load_vector<Sample>(snapshot, first + 1);
    return first + 2;
}

}  // namespace flipscope
