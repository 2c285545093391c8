#include "events/sources/source_emulsion.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <numeric>
#include <stdexcept>

#include "compute/error.h"
#include "compute/work.h"
#include "events/sources/source_droplets.h"
#include "events/sources/source_parts.h"

namespace flipscope {

namespace {

constexpr uint32_t kSampledEmulsion = 50;  // steps between samples of the profile
constexpr float kStartFilm = 2.5f;         // half the film between two droplets at the start, pixels
constexpr float kStartHalfInterface = 3;   // of a droplet at the start, pixels
constexpr double kEmulsionPi = 3.14159265358979;

EmulsionFluid::Mixture mixture_of(const SourceParameters& parameters) {
    EmulsionFluid::Mixture mixture;
    mixture.relaxed = static_cast<float>(1 / (0.5 + 3 * parameters.viscosity));
    mixture.between = static_cast<float>(parameters.repulsion);
    mixture.apart = static_cast<float>(parameters.film);
    return mixture;
}

/// The two greatest depths below droplets' surfaces at a pixel, and the owner of the first.
struct Nearest {
    float first = -1e9f, second = -1e9f;
    uint32_t owner = 0;
    void take(float depth, uint32_t droplet) {
        second = std::max(second, std::min(first, depth));
        if (depth > first) first = depth, owner = droplet;
    }
    /// Share of the droplets' fluid, 0…1; droplets are cut back where they are close.
    float share() const {
        const float apart = 0.5f * (first - second) - kStartFilm;
        const float t = std::clamp(std::min(apart, first) / kStartHalfInterface, -1.f, 1.f);
        return 0.5f + t * (0.75f - 0.25f * t * t);
    }
};

std::vector<Nearest> nearest_of(const Droplets& droplets) {
    const Lattice lattice = droplets.lattice();
    std::vector<Nearest> nearest(lattice.pixel_count());
    const std::vector<Point> places = droplets.places();
    const int64_t wide = lattice.width, tall = lattice.height;
    CancelPoll poll(64);  // polled at rows of pixels
    for (size_t i = 0; i < places.size(); ++i) {
        const Point middle = places[i];
        const double radius = droplets.radii()[i];
        const auto reach = static_cast<int64_t>(radius + 2 * kStartFilm + kStartHalfInterface + 2);
        const auto column = static_cast<int64_t>(std::floor(middle.x)),
                   row = static_cast<int64_t>(std::floor(middle.y));
        const int64_t reach_x = std::min(reach, (wide - 1) / 2), reach_y = std::min(reach, (tall - 1) / 2);
        for (int64_t y = row - reach_y; y <= row + reach_y; ++y) {
            poll();
            for (int64_t x = column - reach_x; x <= column + reach_x; ++x) {
                const double dx = static_cast<double>(x) - middle.x, dy = static_cast<double>(y) - middle.y;
                const auto pixel_x = static_cast<uint32_t>((x + wide) % wide),
                           pixel_y = static_cast<uint32_t>((y + tall) % tall);
                nearest[lattice.pixel(pixel_x, pixel_y)].take(static_cast<float>(radius - std::sqrt(dx * dx + dy * dy)),
                                                              static_cast<uint32_t>(i) + 1);
            }
        }
    }
    return nearest;
}

}  // namespace

Emulsion::Emulsion(Context& context, const SourceParameters& parameters, const std::vector<Point>& start)
    : context_(&context), channel_(parameters.vessel == SourceParameters::kPosts), kept_apart_(parameters.film > 0) {
    SourceParameters still = parameters;
    still.kind = channel_ ? SourceParameters::kChannel : SourceParameters::kFourRolls;
    still.periodic = true;
    const Droplets droplets(context, still, start, false);
    notes_ = droplets.notes();
    packing_ = droplets.packing();
    lattice_ = droplets.lattice();
    count_ = droplets.radii().size();
    radius_ = std::accumulate(droplets.radii().begin(), droplets.radii().end(), 0.0) / static_cast<double>(count_);
    if (radius_ < kLeastRadius) {
        char found[32];
        std::snprintf(found, sizeof found, "%.3g", radius_);
        throw Error(std::to_string(count_) + " droplets of an emulsion on " + size_text(lattice_) +
                    " would have radii of " + found +
                    " pixels, and they dissolve below 6; take fewer droplets, more packing or a larger lattice");
    }

    EmulsionFluid::Start fluid;
    fluid.width = lattice_.width, fluid.height = lattice_.height;
    const std::vector<Nearest> nearest = nearest_of(droplets);
    const size_t pixels = nearest.size();
    fluid.densities.resize(2 * pixels);
    fluid.owners.resize(pixels);
    CancelPoll poll;
    for (size_t k = 0; k < pixels; ++k) {
        poll();
        const float share = nearest[k].share();
        fluid.densities[k] = kThin + (kDense - kThin) * share;
        fluid.densities[pixels + k] = kDense - (kDense - kThin) * share;
        fluid.owners[k] = nearest[k].owner;
    }
    fluid.push.resize(lattice_.height);
    const auto force = static_cast<float>(parameters.force * 1e-6);
    for (uint32_t y = 0; y < lattice_.height; ++y) {
        const auto wave = static_cast<float>(Flow::wave((y + 0.5) / lattice_.height));
        fluid.push[y] = channel_ ? emulsion::Pair{0, force} : emulsion::Pair{force * wave, 0};
    }
    if (channel_) {
        const Vessel& vessel = droplets.vessel();
        fluid.obstacles.resize(pixels);
        for (uint32_t pixel = 0; pixel < pixels; ++pixel) {
            poll();
            fluid.obstacles[pixel] = vessel.blocked(lattice_.place(pixel));
        }
        first_ = static_cast<uint32_t>(std::ceil(vessel.low_x));
        const double wide = vessel.high_x - vessel.low_x;
        settling_ = wide * wide / (kEmulsionPi * kEmulsionPi * parameters.viscosity);
    }
    fluid.wall[0] = kThin, fluid.wall[1] = kDense;
    fluid.mixture = mixture_of(parameters);
    fluid_.reset(context, fluid);
    for (FlowRecord* record : {&record_, &latest_record_})
        record->reset(context, kSampledEmulsion, static_cast<uint64_t>(std::max(0, parameters.warmup)),
                      static_cast<uint64_t>(std::max(0, parameters.mean_window)));
    show(context);
}

uint32_t Emulsion::advance(Context& context, uint32_t steps) {
    context_ = &context;
    if (wrong_ > 0 || steps == 0) return 0;
    bool sampled = false;
    WorkStage stage("steps of the fluid", steps);
    for (uint32_t k = 0; k < steps; ++k) {
        stage.advance();
        if (channel_ && latest_record_.due(steps_ + k)) {
            fluid_.sample(context, first_, latest_record_.open(context));
            sampled = true;
        }
        fluid_.step(context);
    }
    wrong_ = show(context);
    if (wrong_ > 0) return 0;
    if (sampled) record_.copy(context, latest_record_);
    steps_ += steps;
    return steps;
}

/// Returns the number of pixels without a density; if there are any, the field stays unchanged.
uint32_t Emulsion::show(Context& context) {
    const uint32_t wrong = fluid_.show(context, latest_);
    field_.resize(context, latest_.size(), false);
    if (wrong == 0) context.copy(field_.view().data, latest_.view().data, latest_.size() * sizeof(float));
    return wrong;
}

FlowProfile Emulsion::profile() const {
    FlowProfile profile = record_.profile();
    profile.settling = settling_;
    return profile;
}

SourceDescription Emulsion::description() const {
    using Place = SourceDescription::Place;
    return {SourceDescription::Kind::kEmulsion,
            channel_ ? Place::kChannel : Place::kBox,
            {},
            count_,
            2 * radius_,
            !kept_apart_,
            {}};
}

void Emulsion::save(Snapshot& snapshot) const {
    fluid_.save(snapshot);
    put_values(snapshot, &steps_, 1);
    put_values(snapshot, &wrong_, 1);
    record_.save(snapshot);
    put_block(snapshot, field_, wrong_ > 0 ? field_.size() : 0);
}

size_t Emulsion::load(Context& context, const Snapshot& snapshot, size_t first_block) {
    context_ = &context;
    const size_t block = fluid_.load(context, snapshot, first_block);
    const size_t field = block + 2 + FlowRecord::kBlocksOfSnapshot;
    load_values(snapshot, block, &steps_, 1);
    load_values(snapshot, block + 1, &wrong_, 1);
    record_.load(context, snapshot, block + 2);
    latest_record_.load(context, snapshot, block + 2);
    if (wrong_ > 0)
        load_block(context, snapshot, field, field_);
    else
        show(context);
    return field + 1;
}

// NaNs differ between devices, and so does the fluid to which they have spread.
uint64_t Emulsion::hash() const { return hash_words({steps_, wrong_ > 0 ? 1 : fluid_.hash(*context_)}); }

}  // namespace flipscope
