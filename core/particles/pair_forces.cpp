#include "particles/pair_forces.h"

#include "compute/error.h"
#include "compute/text.h"
#include "particles/repulsion.h"

namespace flipscope {

void PairForces::reset(Context& context, const TorusBox& box, const ParticleModel& model, uint32_t count,
                       double largest) {
    // Negated, so that NaN throws as well.
    if (model.force == ForceLaw::kShortRange && !(model.cutoff > 0 && model.cutoff <= box.shorter() / 2))
        throw Error("cutoff " + format_short(model.cutoff) +
                    (model.cutoff > 0 ? ": the box has a side of " + format_short(box.shorter()) +
                                            ", and beyond half of it a particle would meet two images of another; "
                                            "choose a cutoff of at most " +
                                            format_short(box.shorter() / 2) + ", more particles or a lower density"
                                      : std::string(": expected a length above 0")));
    if (largest == 0) largest = largest_diameter(model);
    const double reach = Repulsion::of(model, largest).reach;
    if (!(reach <= box.shorter() / 2))
        throw Error("discs of diameter " + format_short(largest) + " repel each other up to a distance of " +
                    format_short(reach) + ", more than half the box's shorter side, " + format_short(box.shorter()) +
                    ", beyond which a particle would meet two images of another; choose more particles, a lower "
                    "density or a larger box");
    context_ = &context;
    count_ = count;
    law_ = model.force;
    if (law_ == ForceLaw::kLongRange) all_.reset(context, box, model, count);
    if (law_ == ForceLaw::kShortRange) near_.reset(context, box, model, count);
    repels_ = reach > 0;
    if (repels_) repulsion_.reset_repulsion(context, box, model, count, largest);
}

void PairForces::look(View<const Point> positions, View<const uint8_t> species, Extent count, View<uint64_t> sums) {
    if (law_ == ForceLaw::kShortRange) near_.look(positions, species, count, sums);
    if (repels_) repulsion_.look(positions, species, count, sums);
}

void PairForces::compute(View<const Point> positions, View<const uint8_t> species, View<Point> forces,
                         std::optional<bool> moved_far, View<const double> diameters) {
    if (count_ == 0) return;
    switch (law_) {
        case ForceLaw::kNone:
            context_->fill(forces.data, 0, count_ * sizeof(Point));
            break;
        case ForceLaw::kLongRange:
            all_.compute(positions, species, forces);
            break;
        case ForceLaw::kShortRange:
            near_.compute(positions, species, forces, moved_far);
            break;
    }
    if (repels_) repulsion_.compute(positions, species, forces, moved_far, diameters);
}

}  // namespace flipscope
