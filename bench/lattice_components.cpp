#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <random>

#include "bench/experiments.h"
#include "compute/disjoint_sets.h"
#include "voronoi/components/components.h"

namespace flipscope::bench {

namespace {

constexpr double kThreshold = 0.5;
constexpr uint32_t kBubbleCell = 32;  // pixels: 2048 bubbles on 2048 x 1024, of the paper's droplet size

/// Bubbles with a radius of 13 pixels, slightly displaced, some across the borders.
std::vector<float> bubbles(const Lattice& lattice, uint64_t seed) {
    std::mt19937_64 random(seed);
    std::vector<float> field(lattice.pixel_count(), 1.0f);
    const uint32_t w = lattice.width, h = lattice.height, half = kBubbleCell / 2;
    for (uint32_t y = 0; y + kBubbleCell <= h; y += kBubbleCell)
        for (uint32_t x = 0; x + kBubbleCell <= w; x += kBubbleCell) {
            const double off_x = double(random() % 5) - 2, off_y = double(random() % 5) - 2;
            for (uint32_t j = 0; j < kBubbleCell; ++j)
                for (uint32_t i = 0; i < kBubbleCell; ++i) {
                    const double r = std::hypot(double(i) - half - off_x, double(j) - half - off_y);
                    field[size_t((y + j + half) % h) * w + (x + i + half) % w] = float(r / 13 * kThreshold);
                }
        }
    return field;
}
std::vector<float> noise(const Lattice& lattice, uint64_t seed) {
    std::mt19937_64 random(seed);
    std::vector<float> field(lattice.pixel_count());
    for (float& value : field) value = float(double(random() >> 11) * 0x1p-53);
    return field;
}

/// The longest possible component: rings of one pixel, each opened and joined to the next.
bool on_spiral(uint32_t x, uint32_t y, const Lattice& lattice) {
    const uint32_t depth = std::min(std::min(x, lattice.width - 1 - x), std::min(y, lattice.height - 1 - y));
    const bool gap = x == depth && y == depth + 1;
    return depth % 2 == 0 ? !gap : gap;
}

std::vector<float> field_of(const std::string& kind, const Lattice& lattice, uint64_t seed) {
    if (kind == "bubbles") return bubbles(lattice, seed);
    if (kind == "noise") return noise(lattice, seed);
    std::vector<float> field(lattice.pixel_count(), 0.0f);
    for (uint32_t y = 0; y < lattice.height; ++y)
        for (uint32_t x = 0; x < lattice.width; ++x) {
            const bool belongs = kind == "checkers" ? (x + y) % 2 == 0
                                 : kind == "comb"   ? x % 2 == 0 || y + 1 == lattice.height
                                 : kind == "spiral" ? on_spiral(x, y, lattice)
                                                    : true;
            field[lattice.pixel(x, y)] = belongs ? 0.0f : 1.0f;
        }
    return field;
}

/// Threshold, labels and measures, with its own context.
class Finder {
  public:
    Finder(const Task& task, const Lattice& lattice, const std::vector<float>& field, MeasureMethod method)
        : context_(task.device, task.threads), method_(method) {
        field_.upload(context_, field.data(), field.size());
        components_.reset(context_, lattice);
    }
    void run() {
        components_.threshold(context_, field_.view(), kThreshold, true, {});
        components_.label(context_);
        components_.measure(context_, method_);
        context_.synchronize();
    }

    std::vector<uint32_t> labels() const { return components_.labels().download(); }
    std::vector<uint32_t> areas() { return counted(components_.areas()); }
    std::vector<Point> centres() { return counted(components_.centres_of_mass()); }

  private:
    template <class T>
    std::vector<T> counted(const Buffer<T>& buffer) {
        return buffer.download(components_.read_count(context_));
    }
    Context context_;
    MeasureMethod method_;
    Buffer<float> field_{"field"};
    Components components_;
};

/// Textbook algorithm, one thread: row by row, each pixel joined to its four earlier neighbours; then labels in order,
/// areas and sums. Labels across borders, but does not unwrap.
class Sequential {
  public:
    Sequential(const Lattice& lattice, const std::vector<float>& field) : lattice_(lattice), field_(field) {
        parents_.resize(field.size());
        labels.resize(field.size());
    }
    void run() {
        const uint32_t w = lattice_.width, h = lattice_.height;
        for (uint32_t y = 0; y < h; ++y)
            for (uint32_t x = 0; x < w; ++x) {
                const uint32_t pixel = y * w + x;
                parents_[pixel] = field_[pixel] < kThreshold ? pixel : kNone;
                if (parents_[pixel] == kNone) continue;
                if (x > 0) join(pixel, pixel - 1);
                if (y == 0) continue;
                if (x > 0) join(pixel, pixel - w - 1);
                join(pixel, pixel - w);
                if (x + 1 < w) join(pixel, pixel - w + 1);
            }
        if (lattice_.periodic.both()) join_borders();
        areas.clear();
        sums_.clear();
        for (uint32_t pixel = 0; pixel < labels.size(); ++pixel) {
            labels[pixel] = kNone;
            if (parents_[pixel] == kNone) continue;
            const uint32_t top = root_of(parents_, pixel);
            if (top == pixel) {
                labels[pixel] = static_cast<uint32_t>(areas.size());
                areas.push_back(0);
                sums_.push_back({0, 0});
            }
            const uint32_t label = labels[pixel] = labels[top];
            ++areas[label];
            sums_[label][0] += pixel % w;
            sums_[label][1] += pixel / w;
        }
        centres.resize(areas.size());
        for (size_t k = 0; k < areas.size(); ++k)
            centres[k] = {double(sums_[k][0]) / areas[k], double(sums_[k][1]) / areas[k]};
    }

    std::vector<uint32_t> labels, areas;
    std::vector<Point> centres;  // only on an open lattice

  private:
    void join(uint32_t a, uint32_t b) {
        if (parents_[b] != kNone) join_sets(parents_, a, b);
    }
    void join_borders() {
        const uint32_t w = lattice_.width, h = lattice_.height;
        const auto around = [](uint32_t at, uint32_t step, uint32_t n) { return (at + step + n - 1) % n; };
        for (uint32_t y = 0; y < h; ++y)
            for (uint32_t step = 0; step < 3; ++step)
                if (parents_[y * w] != kNone) join(y * w, around(y, step, h) * w + w - 1);
        for (uint32_t x = 0; x < w; ++x)
            for (uint32_t step = 0; step < 3; ++step)
                if (parents_[x] != kNone) join(x, (h - 1) * w + around(x, step, w));
    }
    Lattice lattice_;
    const std::vector<float>& field_;
    std::vector<uint32_t> parents_;
    std::vector<std::array<uint64_t, 2>> sums_;
};

}  // namespace

bool label_components(const Task& task, const Lattice& size, Json& json) {
    Table table(json, "Components of a field: threshold, labels, areas and centres, median ms", 9);
    bool agree = true;
    for (const std::string kind : {"bubbles", "noise", "full", "checkers", "comb", "spiral"}) {
        const std::vector<float> field = field_of(kind, size, task.seed);
        for (const bool periodic : {false, true}) {
            const Lattice lattice{size.width, size.height, periodic};
            Finder atomics(task, lattice, field, MeasureMethod::kAtomics),
                sorted(task, lattice, field, MeasureMethod::kSortAndDifferences);
            Sequential peer(lattice, field);
            const std::vector<Measurement> measured =
                measure({timed("atomics", [&] { atomics.run(); }), timed("sorted", [&] { sorted.run(); }),
                         timed("sequential", [&] { peer.run(); })},
                        task.patience);
            const bool same = atomics.labels() == peer.labels && atomics.areas() == peer.areas &&
                              (periodic || atomics.centres() == peer.centres) && sorted.labels() == peer.labels &&
                              sorted.areas() == atomics.areas() && sorted.centres() == atomics.centres();
            Json row{{"field", kind},
                     {"border", periodic ? "periodic" : "open"},
                     {"components", peer.areas.size()},
                     {"agree", same}};
            add_times(row, measured, "atomics");
            row["ns_per_site"] = measured[0].median() * 1e6 / (double(lattice.width) * lattice.height);
            table.add(std::move(row));
            if (!same) std::printf("  DIFFERENT: the sequential labelling comes to another result\n");
            agree &= same;
        }
    }
    return agree;
}

}  // namespace flipscope::bench
