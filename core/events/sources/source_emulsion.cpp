#include "events/sources/source_emulsion.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <numeric>

#include "compute/error.h"
#include "compute/text.h"
#include "compute/work.h"
#include "events/sources/source_droplets.h"
#include "events/sources/source_parts.h"

namespace flipscope {

namespace {

constexpr uint32_t kSampledEmulsion = 100;  // steps between samples of the profile
constexpr uint32_t kMeanBlocks = 8;         // of the sums of the fields
constexpr float kStartFilm = 2.5f;          // half the film between two droplets at the start, pixels
constexpr float kStartHalfInterface = 3;    // of a droplet at the start, pixels
constexpr double kEmulsionPi = 3.14159265358979;
constexpr double kUsualSpeed = 0.03;  // of walls that move, at most, pixels per step
constexpr double kUsualRate = 5e-5;   // 1 per step: droplets keep apart

/// So little that droplets keep apart, and that the flow stays slower than 0.05 pixels per step: in a channel one fluid
/// reaches Σ W/(4ρν) in the middle, and an emulsion at most (1 − packing)² times as much.
double usual_stress(double across, double packing) {
    const double slow = 0.04 * 4 * (Emulsion::kDense + Emulsion::kThin) * Emulsion::kViscosity / across;
    return std::min(1e-4 * (1 + std::min(1.0, std::sqrt(2048 / across))), slow / ((1 - packing) * (1 - packing)));
}

/// The two greatest depths below droplets' surfaces at a pixel.
struct Nearest {
    float first = -1e9f, second = -1e9f;
    void take(float depth) {
        second = std::max(second, std::min(first, depth));
        first = std::max(first, depth);
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
                nearest[lattice.pixel(pixel_x, pixel_y)].take(
                    static_cast<float>(radius - std::sqrt(dx * dx + dy * dy)));
            }
        }
    }
    return nearest;
}

}  // namespace

Emulsion::Emulsion(Context& context, const SourceParameters& parameters, const std::vector<Point>& start)
    : context_(&context), channel_(parameters.vessel == SourceParameters::kPosts) {
    SourceParameters still = parameters;
    still.kind = channel_ ? SourceParameters::kChannel : SourceParameters::kFourRolls;
    still.periodic = true;
    if (parameters.drive == SourceParameters::kRate) still.posts = 0;  // walls that move are flat
    const Droplets droplets(context, still, start);
    notes_ = droplets.notes();
    packing_ = droplets.packing();
    lattice_ = droplets.lattice();
    count_ = droplets.radii().size();
    radius_ = std::accumulate(droplets.radii().begin(), droplets.radii().end(), 0.0) / static_cast<double>(count_);
    if (radius_ < kLeastRadius) {
        char found[32];
        std::snprintf(found, sizeof found, "%.3g", radius_);
        throw Error(count_text(count_, "droplet", "droplets") + " of an emulsion on " + size_text(lattice_) +
                    " would have radii of " + found +
                    " pixels, and they dissolve below 6; take fewer droplets, more packing or a larger lattice");
    }

    EmulsionFluid::Start fluid;
    fluid.width = lattice_.width, fluid.height = lattice_.height;
    const std::vector<Nearest> nearest = nearest_of(droplets);
    const size_t pixels = nearest.size();
    fluid.densities.resize(2 * pixels);
    if (channel_) fluid.obstacles.resize(pixels);
    double mass = 0, open = 0;
    CancelPoll poll;
    for (uint32_t k = 0; k < pixels; ++k) {
        poll();
        const float share = nearest[k].share();
        fluid.densities[k] = kDense - (kDense - kThin) * share;
        fluid.densities[pixels + k] = kThin + (kDense - kThin) * share;
        if (channel_ && droplets.vessel().blocked(lattice_.place(k)))
            fluid.obstacles[k] = 1;
        else
            ++open, mass += double(fluid.densities[k]) + fluid.densities[pixels + k];
    }
    if (channel_) {
        const Vessel& vessel = droplets.vessel();
        first_ = static_cast<uint32_t>(std::ceil(vessel.low_x));
        wide_ = vessel.high_x - vessel.low_x;
    } else {
        first_ = lattice_.height * 3 / 4;  // the force is greatest in the middle of the profile
        wide_ = lattice_.height;
    }
    const double slowest = kEmulsionPi * (channel_ ? 1 : 2) / wide_;  // wave number
    settling_ = 1 / (slowest * slowest * kViscosity);
    drive(parameters, mass / open, fluid);
    const auto wetting = static_cast<float>(parameters.wetting), away = std::fabs(wetting);
    fluid.walls.density[0] = (1 - away) * kAtWall + away * (wetting < 0 ? kDense : kThin);
    fluid.walls.density[1] = (1 - away) * kAtWall + away * (wetting < 0 ? kThin : kDense);
    fluid.strengths.between = parameters.repulsion;
    fluid_.reset(context, fluid);
    const auto warmup = static_cast<uint64_t>(std::max(0, parameters.warmup)),
               window = static_cast<uint64_t>(std::max(0, parameters.mean_window));
    for (FlowRecord* record : {&record_, &latest_record_}) record->reset(context, kSampledEmulsion, warmup, window);
    for (SumsOverTime* means : {&means_, &latest_means_})
        means->reset(context, parameters.mean_fields ? FlowFields::kParts * pixels : 0, kMeanBlocks, kSampledEmulsion,
                     warmup, window);
    show(context);
}

/// The body force, or the speed of the walls.
void Emulsion::drive(const SourceParameters& parameters, double density, EmulsionFluid::Start& fluid) {
    fluid.push.resize(lattice_.height, {0, 0});
    if (parameters.drive == SourceParameters::kRate && channel_) {
        const double usual = std::min(2 * kUsualSpeed / wide_, kUsualRate);
        const double rate = std::isnan(parameters.shear_rate) ? usual : parameters.shear_rate;
        wall_speed_ = 0.5 * rate * wide_;
        fluid.walls.left = static_cast<float>(-wall_speed_);
        fluid.walls.right = static_cast<float>(wall_speed_);
    } else if (parameters.drive == SourceParameters::kStress) {
        stress_ = std::isnan(parameters.stress) ? usual_stress(wide_, std::clamp(packing_.value_or(0), 0.0, 0.9))
                                                : parameters.stress;
        // In a channel the force on half the width is the stress at the wall; in the box a force that varies as
        // Flow::wave between −1 and 1 adds up to H/6 between where it is none and where it is greatest.
        const double force = (channel_ ? 2 : 6) * stress_ / wide_ / density;
        for (uint32_t y = 0; y < lattice_.height; ++y) {
            const double wave = Flow::wave((y + 0.5) / lattice_.height);
            fluid.push[y] = channel_ ? EmulsionFluid::Pair{0, static_cast<float>(force)}
                                     : EmulsionFluid::Pair{static_cast<float>(force * wave), 0};
        }
    }
    is_driven_ = stress_ > 0 || wall_speed_ > 0;
}

uint32_t Emulsion::advance(Context& context, uint32_t steps) {
    context_ = &context;
    if (wrong_ > 0 || steps == 0) return 0;
    bool sampled = false;
    WorkStage stage("steps of the fluid", steps);
    for (uint32_t k = 0; k < steps; ++k) {
        stage.advance();
        if (is_driven_ && latest_record_.due(steps_ + k)) {
            fluid_.sample(context, first_, latest_record_.open(context), latest_means_.open(context));
            sampled = true;
        }
        fluid_.step(context);
    }
    wrong_ = show(context);
    if (wrong_ > 0) return 0;
    if (sampled) {
        record_.copy(context, latest_record_);
        means_.copy(context, latest_means_);
    }
    steps_ += steps;
    return steps;
}

/// Returns the number of pixels without a density; if there are any, the field stays unchanged.
uint64_t Emulsion::show(Context& context) {
    const EmulsionFluid::Findings found = fluid_.show(context, latest_);
    field_.resize(context, latest_.size(), false);
    if (found.unsound > 0) return found.unsound;
    greatest_speed_ = found.greatest_speed;
    context.copy(field_.view().data, latest_.view().data, latest_.size() * sizeof(float));
    return 0;
}

FlowProfile Emulsion::profile() const {
    FlowProfile profile = record_.profile(wall_speed_);
    profile.settling = settling_;
    profile.walls_move = wall_speed_ > 0;
    profile.width = wide_;
    profile.axis = channel_ ? 'x' : 'y';
    return profile;
}

SourceDescription Emulsion::description() const {
    using Place = SourceDescription::Place;
    SourceDescription it{SourceDescription::Kind::kEmulsion, channel_ ? Place::kChannel : Place::kBox};
    it.count = count_, it.diameter = 2 * radius_;
    it.stress = stress_, it.shear_rate = wide_ > 0 ? 2 * wall_speed_ / wide_ : 0;
    return it;
}

void Emulsion::save(Snapshot& snapshot) const {
    fluid_.save(snapshot);
    put_values(snapshot, &steps_, 1);
    put_values(snapshot, &wrong_, 1);
    put_values(snapshot, &greatest_speed_, 1);
    record_.save(snapshot);
    means_.save(snapshot);
    put_block(snapshot, field_, wrong_ > 0 ? field_.size() : 0);
}

size_t Emulsion::load(Context& context, const Snapshot& snapshot, size_t first_block) {
    context_ = &context;
    const size_t block = fluid_.load(context, snapshot, first_block);
    const size_t record = block + 3, means = record + SumsOverTime::kBlocksOfSnapshot,
                 field = means + SumsOverTime::kBlocksOfSnapshot;
    load_values(snapshot, block, &steps_, 1);
    load_values(snapshot, block + 1, &wrong_, 1);
    load_values(snapshot, block + 2, &greatest_speed_, 1);
    for (FlowRecord* each : {&record_, &latest_record_}) each->load(context, snapshot, record);
    for (SumsOverTime* each : {&means_, &latest_means_}) each->load(context, snapshot, means);
    if (wrong_ > 0)
        load_block(context, snapshot, field, field_);
    else
        show(context);
    return field + 1;
}

// NaNs differ between devices, and so does the fluid to which they have spread.
uint64_t Emulsion::hash() const { return hash_words({steps_, wrong_ > 0 ? 1 : fluid_.hash(*context_)}); }

}  // namespace flipscope
