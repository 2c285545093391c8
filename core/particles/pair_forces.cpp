#include "particles/pair_forces.h"

#include <cmath>

#include "compute/error.h"
#include "compute/text.h"
#include "particles/all_pairs.h"
#include "particles/near_pairs.h"

namespace flipscope {

struct PairForces::Impl {
    Context* context = nullptr;
    ForceLaw law = ForceLaw::kNone;
    uint32_t count = 0;
    AllPairs all;
    ShortRange near;
};

PairForces::PairForces() : impl_(std::make_unique<Impl>()) {}
PairForces::~PairForces() = default;
PairForces::PairForces(PairForces&&) noexcept = default;
PairForces& PairForces::operator=(PairForces&&) noexcept = default;

void PairForces::reset(Context& context, const TorusBox& box, const ParticleModel& model, uint32_t count) {
    // Negated, so that NaN throws as well.
    if (model.force == ForceLaw::kShortRange && !(model.cutoff > 0 && model.cutoff <= box.shorter() / 2))
        throw Error("cutoff " + format_short(model.cutoff) +
                    (model.cutoff > 0 ? ": the box has a side of " + format_short(box.shorter()) +
                                            ", and beyond half of it a particle would meet two images of another; "
                                            "choose a cutoff of at most " +
                                            format_short(box.shorter() / 2) + ", more particles or a lower density"
                                      : std::string(": expected a length above 0")));
    Impl& impl = *impl_;
    impl.context = &context;
    impl.count = count;
    impl.law = model.force;
    if (impl.law == ForceLaw::kLongRange) impl.all.reset(context, box, model, count);
    if (impl.law == ForceLaw::kShortRange) impl.near.reset(context, box, model, count);
}

void PairForces::look(View<const Point> positions, View<const uint8_t> species, Extent count, View<uint64_t> sums) {
    if (impl_->law == ForceLaw::kShortRange) impl_->near.look(positions, species, count, sums);
}

void PairForces::compute(View<const Point> positions, View<const uint8_t> species, View<Point> forces,
                         std::optional<bool> moved_far) {
    Impl& impl = *impl_;
    if (impl.count == 0) return;
    switch (impl.law) {
        case ForceLaw::kNone:
            impl.context->fill(forces.data, 0, impl.count * sizeof(Point));
            break;
        case ForceLaw::kLongRange:
            impl.all.compute(positions, species, forces);
            break;
        case ForceLaw::kShortRange:
            impl.near.compute(positions, species, forces, moved_far);
            break;
    }
}

}  // namespace flipscope
