#include "events/sources/source_emulsion_fluid.h"

#include <algorithm>
#include <stdexcept>

#include "compute/launch.h"
#include "mesh/checks.h"

namespace flipscope {

using namespace emulsion;

namespace {

/// Extra stride between directions: lattices are often powers of two, and the densities of a pixel would share few
/// cache lines.
constexpr uint32_t kApart = 7 * 16;

/// A kernel at every pixel, with the force on its row.
template <class Kernel>
struct EveryPixel {
    Kernel kernel;
    Torus torus;
    View<const Pair> push;
    FLIPSCOPE_HD void operator()(uint32_t pixel) const {
        const uint32_t y = pixel / torus.width;
        kernel.at(torus.around(pixel - y * torus.width, y), push[y]);
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
        for (size_t x = 2; x < width - 2; ++x)
            kernel.at({a.below2, a.below, a.row, a.above, a.above2, x - 2, x - 1, x, x + 1, x + 2}, push);
    }
};

template <class Kernel>
void at_every_pixel(Context& context, const char* label, const Kernel& kernel, const Torus& torus,
                    View<const Pair> push) {
    const EveryPixel<Kernel> every{kernel, torus, push};
    if (context.on_cuda()) {
        launch(context, label, torus.width * torus.height, every);
        return;
    }
    const EveryRow<Kernel> rows{every};
    Context::Stopwatch stopwatch(context, label, uint64_t(torus.width) * torus.height);
    context.run_chunks(rows.chunks(), rows);
}

}  // namespace

void EmulsionFluid::reset(Context& context, const Start& start) {
    const size_t pixels = size_t(start.width) * start.height;
    if (start.width < 5 || start.height < 5 || start.densities.size() != 2 * pixels || start.owners.size() != pixels ||
        start.push.size() != start.height || (!start.obstacles.empty() && start.obstacles.size() != pixels))
        throw std::logic_error("EmulsionFluid: what it is to begin with does not fit its torus");
    walls_ = !start.obstacles.empty();
    std::copy_n(start.wall, 2, wall_);
    mixture_ = start.mixture;
    half_push_ = 0.5f * start.push.front().y;
    torus_ = {start.width, start.height, static_cast<uint32_t>(pixels + 15) / 16 * 16 + kApart};
    std::vector<float> populations;
    resize_or_cancel(populations, 2 * kWays * size_t(torus_.stride));
    for (uint32_t component = 0; component < 2; ++component) {
        for (uint32_t way = 0; way < kWays; ++way) {
            throw_if_cancelled();
            const float weight = way == 0 ? 4.f / 9 : way < 5 ? 1.f / 9 : 1.f / 36;
            float* to = populations.data() + (component * kWays + way) * size_t(torus_.stride);
            const float* density = start.densities.data() + component * pixels;
            for (size_t k = 0; k < pixels; ++k) to[k] = walls_ && start.obstacles[k] ? 0 : weight * density[k];
        }
    }
    now_.upload(context, populations.data(), populations.size());
    next_.fill(context, populations.size(), 0);  // also the padding between directions
    densities_.resize(context, 2 * size_t(torus_.stride), false);
    owners_.upload(context, start.owners.data(), pixels);
    next_owners_.resize(context, pixels, false);
    obstacles_.release();
    if (walls_) obstacles_.upload(context, start.obstacles.data(), pixels);
    push_.upload(context, start.push.data(), start.push.size());
    wrong_.resize(context, 1);
}

void EmulsionFluid::step(Context& context) {
    const auto step = [&](auto walls) {
        constexpr bool kWalls = decltype(walls)::value;
        const FindDensities<kWalls> find{
            now_.view(), densities_.view(), obstacles_.view(), torus_.stride, {wall_[0], wall_[1]}};
        at_every_pixel(context, "source.densities", find, torus_, push_.view());
        const Collide<kWalls> collide{now_.view(),         next_.view(),      densities_.view(), owners_.view(),
                                      next_owners_.view(), obstacles_.view(), torus_.stride,     mixture_};
        at_every_pixel(context, "source.collide", collide, torus_, push_.view());
    };
    if (walls_)
        step(std::true_type());
    else
        step(std::false_type());
    std::swap(now_, next_);
    std::swap(owners_, next_owners_);
}

uint32_t EmulsionFluid::show(Context& context, Buffer<float>& field) {
    const uint32_t pixels = torus_.width * torus_.height;
    field.resize(context, pixels, false);
    wrong_.fill_bytes(0);
    launch(context, "source.show", pixels,
           ShowDroplets{torus_, now_.view(), obstacles_.view(), field.view(), wrong_.view()});
    return wrong_.read(0);
}

void EmulsionFluid::sample(Context& context, uint32_t first, View<uint64_t> sums) const {
    const SampleFlow sample{torus_, now_.view(), obstacles_.view(), sums, first, half_push_};
    launch(context, "source.sample", sample.count(), sample);
}

uint64_t EmulsionFluid::hash(Context& context) const {
    const uint64_t hash = hash_words(context, words_of(now_, now_.size()), 0);
    return hash_words(context, words_of(owners_, owners_.size()), hash);
}

void EmulsionFluid::save(Snapshot& snapshot) const {
    put_block(snapshot, now_, now_.size());
    put_block(snapshot, owners_, owners_.size());
}

size_t EmulsionFluid::load(Context& context, const Snapshot& snapshot, size_t first_block) {
    require_count<float>(snapshot, first_block, now_.size());
    require_count<uint32_t>(snapshot, first_block + 1, owners_.size());
    load_block(context, snapshot, first_block, now_);
    load_block(context, snapshot, first_block + 1, owners_);
    return first_block + 2;
}

std::vector<float> EmulsionFluid::populations() const {
    const std::vector<float> all = now_.download();
    const size_t pixels = size_t(torus_.width) * torus_.height;
    std::vector<float> ways;
    for (size_t k = 0; k < 2 * kWays; ++k) {
        throw_if_cancelled();
        const auto first = all.begin() + static_cast<ptrdiff_t>(k * torus_.stride);
        ways.insert(ways.end(), first, first + static_cast<ptrdiff_t>(pixels));
    }
    return ways;
}

}  // namespace flipscope
