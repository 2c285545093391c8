#include "particles/stress.h"

#include <algorithm>
#include <cmath>

#include "compute/launch.h"
#include "compute/portable_math.h"
#include "particles/repulsion.h"
#include "statistics/point_grid.h"

namespace flipscope {

namespace {

/// Of one particle: half of the sum of r F over its pairs, and F · u.
struct ShareOfStress {
    double xx = 0, xy = 0, yy = 0, along = 0;
};

/// Partners come in the order of the grid, so sums have a fixed order.
struct SumStress {
    NearPoints near;
    TorusBox box;
    Repulsion repulsion;
    View<const uint8_t> species;
    SpeciesTable table;
    View<const double> orientations;  // empty: passive
    View<ShareOfStress> shares;       // (n) by id
    FLIPSCOPE_HD void operator()(uint32_t rank) const {
        const uint32_t i = near.grid.ids[rank];
        const Point p = near.grid.positions[rank];
        const double diameter = table.diameter_of(i, species);
        ShareOfStress share;
        Point force{0, 0};
        near.each(p, [&](uint32_t other) {
            if (other == rank) return;
            const Point d = box.shortest(near.grid.positions[other], p);
            const Repulsion::Units units =
                repulsion.force(d, (diameter + table.diameter_of(near.grid.ids[other], species)) / 2);
            const Point f{static_cast<double>(units.x) * repulsion.unit, static_cast<double>(units.y) * repulsion.unit};
            force = {force.x + f.x, force.y + f.y};
            share.xx += d.x * f.x / 2;
            share.xy += d.x * f.y / 2;
            share.yy += d.y * f.y / 2;
        });
        if (orientations) {
            const portable::SineCosine u = portable::sine_cosine(orientations[i]);
            share.along = force.x * u.cosine + force.y * u.sine;
        }
        shares[i] = share;
    }
};

}  // namespace

bool has_stress(const ParticleModel& model) { return model.force == ForceLaw::kNone && !model.overlaps; }

ParticleStress measure_stress(Context& context, const ParticleState& state, const ParticleModel& model,
                              View<const double> orientations) {
    ParticleStress stress;
    const uint32_t n = state.count();
    if (n == 0) return stress;
    const double area = state.box.area(), density = n / area;
    stress.ideal = density * model.diffusion / 2 * noise_variance(model.noise);
    double largest = state.table.greatest;
    for (const Species& each : model.species)
        if (!state.table.diameters) largest = std::max(largest, each.diameter);
    const Repulsion repulsion = Repulsion::of(model, largest);
    double along = 0;
    if (repulsion) {
        PointGrid grid;
        grid.build(context, window_of(state.box), state.positions, repulsion.reach);
        Buffer<ShareOfStress> shares("shares of the stress");
        shares.resize(context, n, false);
        launch(context, "measure.stress", n,
               SumStress{{grid.view(), repulsion.reach},
                         state.box,
                         repulsion,
                         state.species,
                         state.table,
                         model.speed > 0 ? orientations : View<const double>{},
                         shares.view()});
        for (const ShareOfStress& share : shares.download()) {
            stress.xx += share.xx / area;
            stress.xy += share.xy / area;
            stress.yy += share.yy / area;
            along += share.along / n;
        }
    }
    if (model.speed > 0)
        stress.swim = model.rotation > 0 ? density * model.speed * (model.speed + along) / (2 * model.rotation) : NAN;
    return stress;
}

}  // namespace flipscope
