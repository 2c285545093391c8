#include "events/sources/source_emulsion_fluid.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

#include "compute/launch.h"
#include "mesh/checks.h"

namespace flipscope {

using namespace emulsion;

namespace {

/// Extra stride between arrays: lattices are often powers of two, and the numbers of a pixel would share few cache
/// lines.
constexpr uint32_t kApart = 7 * 16;

/// A kernel at every pixel, with the force on its row, on CUDA by tiles of 32 × 4 pixels, whose neighbours share cache
/// lines. Where no neighbour lies over the border, their offsets are constants, which saves a sixth of all
/// instructions.
template <class Kernel>
struct EveryPixel {
    static constexpr bool kManyThreads = true;
    static constexpr uint32_t kWide = 32, kHigh = 4;
    Kernel kernel;
    Torus torus;
    View<const Pair> push;
    FLIPSCOPE_HD uint32_t columns() const { return (torus.width + kWide - 1) / kWide; }
    uint32_t threads() const { return columns() * ((torus.height + kHigh - 1) / kHigh) * kWide * kHigh; }
    FLIPSCOPE_HD void operator()(uint32_t thread) const {
        const uint32_t tile = thread / (kWide * kHigh);
        const uint32_t x = tile % columns() * kWide + thread % kWide;
        const uint32_t y = tile / columns() * kHigh + thread / kWide % kHigh;
        if (x >= torus.width || y >= torus.height) return;
        const Around a = torus.around(x, y);
        if (x >= 2 && x + 2 < torus.width)
            kernel.at(a.inside(x), push[y]);
        else
            kernel.at(a, push[y]);
    }
};

/// The same on CPU threads, by rows of pixels. Only the ends of a row test for the border, so that the compiler can
/// vectorise.
template <class Kernel>
struct EveryRow {
    static constexpr uint32_t kPixels = 4096;  // per chunk, at least
    EveryPixel<Kernel> pixels;

    uint32_t rows() const { return (kPixels + pixels.torus.width - 1) / pixels.torus.width; }
    uint32_t chunks() const { return (pixels.torus.height + rows() - 1) / rows(); }
    void operator()(uint32_t chunk) const {
        const uint32_t begin = chunk * rows(), end = std::min(pixels.torus.height, begin + rows());
        for (uint32_t y = begin; y < end; ++y) row(pixels, y);
    }
    static void row(const EveryPixel<Kernel>& pixels, uint32_t y) {
        const Kernel kernel = pixels.kernel;
        const Pair push = pixels.push[y];
        const uint32_t width = pixels.torus.width;
        for (const uint32_t x : {0u, 1u, width - 2, width - 1}) kernel.at(pixels.torus.around(x, y), push);
        Around a = pixels.torus.around(0, y);
#pragma GCC ivdep
        for (size_t x = 2; x < width - 2; ++x) kernel.at(a.inside(x), push);
    }
};

template <class Kernel>
void at_every_pixel(Context& context, const char* label, const Kernel& kernel, const Torus& torus,
                    View<const Pair> push) {
    const EveryPixel<Kernel> every{kernel, torus, push};
    if (context.on_cuda()) {
        launch(context, label, every.threads(), every);
        return;
    }
    const EveryRow<Kernel> rows{every};
    Context::Stopwatch stopwatch(context, label, uint64_t(torus.width) * torus.height);
    context.run_chunks(rows.chunks(), rows);
}

/// The weights of 24 neighbours are isotropic up to eighth order (M. Sbragaglia and others, 2007).
Links links_of(double attraction, double repulsion) {
    return {static_cast<float>(attraction / 9 + repulsion * 4 / 63),
            static_cast<float>(attraction / 36 + repulsion * 4 / 135), static_cast<float>(repulsion / 180),
            static_cast<float>(repulsion * 2 / 945), static_cast<float>(repulsion / 15120)};
}

}  // namespace

void EmulsionFluid::reset(Context& context, const Start& start) {
    const size_t pixels = size_t(start.width) * start.height;
    if (start.width < 5 || start.height < 5 || start.densities.size() != 2 * pixels ||
        start.push.size() != start.height || (!start.obstacles.empty() && start.obstacles.size() != pixels))
        throw std::logic_error("EmulsionFluid: what it is to begin with does not fit its torus");
    torus_ = {start.width, start.height};
    stride_ = static_cast<uint32_t>(pixels + 15) / 16 * 16 + kApart;
    walls_ = start.walls;
    const Strengths& g = start.strengths;
    mixture_ = {static_cast<float>(g.between / (double(kReferenceDensity) * kReferenceDensity)),
                {links_of(g.attraction[0], g.repulsion[0]), links_of(g.attraction[1], g.repulsion[1])}};
    std::vector<float> densities;
    resize_or_cancel(densities, 2 * size_t(stride_));
    for (uint32_t c = 0; c < 2; ++c) {
        throw_if_cancelled();
        for (size_t k = 0; k < pixels; ++k) {
            const bool solid = !start.obstacles.empty() && start.obstacles[k];
            const double density = solid ? walls_.density[c] : start.densities[c * pixels + k];
            densities[c * size_t(stride_) + k] = static_cast<float>(std::round(density * 0x1p22) * 0x1p-22);
        }
    }
    densities_.upload(context, densities.data(), densities.size());
    find_effective(context, std::move(densities));
    next_densities_.fill(context, 2 * size_t(stride_), 0);  // with the gaps between the arrays
    velocities_.fill(context, 4 * size_t(stride_), 0);
    momenta_.fill(context, 2 * size_t(stride_), 0);
    obstacles_.release();
    if (!start.obstacles.empty()) obstacles_.upload(context, start.obstacles.data(), pixels);
    push_.upload(context, start.push.data(), start.push.size());
    findings_.resize(context, 2);
}

void EmulsionFluid::find_effective(Context& context, std::vector<float> densities) {
    for (float& density : densities) density = emulsion::effective(density);
    effective_.upload(context, densities.data(), densities.size());
}

Fields EmulsionFluid::fields() const {
    return {
        densities_.view(), velocities_.view(), momenta_.view(), effective_.view(), obstacles_.view(), stride_, walls_,
        mixture_};
}

void EmulsionFluid::step(Context& context) {
    const auto step = [&](auto walls) {
        constexpr bool kWalls = decltype(walls)::value;
        const Stream<kWalls> stream{fields(), next_densities_.view(), momenta_.view(), effective_.view()};
        at_every_pixel(context, "source.stream", stream, torus_, push_.view());
        std::swap(densities_, next_densities_);
        at_every_pixel(context, "source.collide", Collide<kWalls>{fields(), velocities_.view()}, torus_, push_.view());
    };
    if (obstacles_.size() > 0)
        step(std::true_type());
    else
        step(std::false_type());
}

EmulsionFluid::Findings EmulsionFluid::show(Context& context, Buffer<float>& field) {
    const uint32_t pixels = torus_.width * torus_.height;
    field.resize(context, pixels, false);
    const uint64_t none[] = {0, ShowDroplets::kFastest};
    context.copy(findings_.view().data, none, sizeof none);
    launch(context, "source.show", pixels, ShowDroplets{fields(), field.view(), findings_.view()});
    const std::vector<uint64_t> found = findings_.download();
    return {found[0], std::sqrt(static_cast<double>(none[1] - found[1]) * 0x1p-32)};
}

void EmulsionFluid::show_flow(Context& context, const SumsOverTime& means, FlowFields& flow) const {
    const uint32_t pixels = torus_.width * torus_.height;
    const TimeBlocks blocks = means.blocks();
    size_t shown = FlowFields::kParts;
    if (blocks.row > 0 && blocks.samples > 0) {
        shown = (blocks.full() < 2 ? 2 : 3) * FlowFields::kParts;
        flow.from = means.from(), flow.to = means.to();
    }
    for (size_t i = 0; i < FlowFields::kCount; ++i) flow.fields[i].resize(context, i < shown ? pixels : 0, false);
    Buffer<uint64_t> ranges("ranges of the flow");
    const std::vector<uint64_t> none(2 * FlowFields::kCount, ShowFlow<true>::kMost);
    ranges.upload(context, none.data(), none.size());
    const auto show = [&](auto walls) {
        ShowFlow<decltype(walls)::value> kernel{torus_,        fields(), {},
                                                ranges.view(), blocks,   static_cast<uint32_t>(shown)};
        for (size_t i = 0; i < shown; ++i) kernel.values[i] = flow.fields[i].view();
        launch(context, "source.flow", pixels, kernel);
    };
    if (obstacles_.size() > 0)
        show(std::true_type());
    else
        show(std::false_type());
    const std::vector<uint64_t> found = ranges.download();
    for (size_t i = 0; i < shown; ++i) {
        flow.low[i] = of_ordered(found[2 * i]);
        flow.high[i] = of_ordered(ShowFlow<true>::kMost - found[2 * i + 1]);
    }
}

void EmulsionFluid::sample(Context& context, uint32_t first, View<uint64_t> sums, View<uint64_t> means) {
    const auto sample = [&](const auto& kernel) { launch(context, "source.sample", kernel.count(), kernel); };
    if (obstacles_.size() > 0)
        sample(SampleFlow<true>{torus_, fields(), sums, means, first});
    else
        sample(SampleFlow<false>{torus_, fields(), sums, means, first});
}

std::vector<float> EmulsionFluid::densities() const {
    const std::vector<float> all = densities_.download();
    const auto pixels = static_cast<ptrdiff_t>(torus_.width * size_t(torus_.height));
    std::vector<float> both(all.begin(), all.begin() + pixels);
    both.insert(both.end(), all.begin() + stride_, all.begin() + stride_ + pixels);
    return both;
}

uint64_t EmulsionFluid::hash(Context& context) const {
    const uint64_t hash = hash_words(context, words_of(densities_, densities_.size()), 0);
    return hash_words(context, words_of(velocities_, velocities_.size()), hash);
}

void EmulsionFluid::save(Snapshot& snapshot) const {
    for (const Buffer<float>* each : {&densities_, &velocities_, &momenta_}) put_block(snapshot, *each, each->size());
}

size_t EmulsionFluid::load(Context& context, const Snapshot& snapshot, size_t first_block) {
    for (Buffer<float>* each : {&densities_, &velocities_, &momenta_}) {
        require_count<float>(snapshot, first_block, each->size());
        load_block(context, snapshot, first_block++, *each);
    }
    find_effective(context, densities_.download());
    return first_block;
}

}  // namespace flipscope
