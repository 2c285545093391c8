#include "voronoi/components/label_cells.h"

#include <algorithm>
#include <cmath>

#include "compute/cancel.h"

namespace flipscope {

namespace {

/// The nearest labelled pixel to a pixel.
struct NearestLabelled {
    int32_t dx = 0, dy = 0;  // to it, pixels
    uint32_t label = kNone;  // kNone: none within reach
    int64_t squared() const { return int64_t(dx) * dx + int64_t(dy) * dy; }
    void consider(const NearestLabelled& other) {
        if (other.label == kNone) return;
        if (label == kNone || other.squared() < squared() || (other.squared() == squared() && other.label < label))
            *this = other;
    }
};

/// First along columns, then along rows; both passes keep the labels within reach.
std::vector<NearestLabelled> nearest_labelled(const Lattice& lattice, std::span<const uint32_t> labels, int reach) {
    const auto width = static_cast<int>(lattice.width), height = static_cast<int>(lattice.height);
    const auto place = [](int x, int size, bool wraps) { return wraps ? ((x % size) + size) % size : x; };
    std::vector<NearestLabelled> above(labels.size()), nearest(labels.size());
    CancelPoll poll;
    for (int y = 0; y < height; ++y)
        for (int dy = -reach; dy <= reach; ++dy) {
            poll();
            const int from = place(y + dy, height, lattice.periodic.y);
            if (from < 0 || from >= height) continue;
            for (int x = 0; x < width; ++x)
                above[size_t(y) * width + x].consider({0, dy, labels[size_t(from) * width + x]});
        }
    for (int y = 0; y < height; ++y)
        for (int dx = -reach; dx <= reach; ++dx) {
            poll();
            for (int x = 0; x < width; ++x) {
                const int from = place(x + dx, width, lattice.periodic.x);
                if (from < 0 || from >= width) continue;
                NearestLabelled found = above[size_t(y) * width + from];
                found.dx = dx;
                nearest[size_t(y) * width + x].consider(found);
            }
        }
    return nearest;
}

}  // namespace

std::vector<LabelContact> film_contacts(const Lattice& lattice, std::span<const uint32_t> labels,
                                        std::span<const uint8_t> obstacles, double width) {
    const auto reach = static_cast<int>(std::ceil(width / 2)) + 1;
    const std::vector<NearestLabelled> nearest = nearest_labelled(lattice, labels, reach);
    const double most = (width + 1) * (width + 1);
    std::vector<uint64_t> pairs;  // the lower label in the upper half
    CancelPoll poll;
    for (uint32_t y = 0; y < lattice.height; ++y) {
        poll();
        for (uint32_t x = 0; x < lattice.width; ++x)
            for (const bool up : {false, true}) {
                const uint32_t right = up ? x : x + 1 < lattice.width ? x + 1 : 0;
                const uint32_t above = !up ? y : y + 1 < lattice.height ? y + 1 : 0;
                if ((right < x && !lattice.periodic.x) || (above < y && !lattice.periodic.y)) continue;
                const uint32_t here = lattice.pixel(x, y), there = lattice.pixel(right, above);
                const NearestLabelled a = nearest[here], b = nearest[there];
                if (a.label == b.label || a.label == kNone || b.label == kNone) continue;
                if (!obstacles.empty() && (obstacles[here] || obstacles[there])) continue;
                const double dx = b.dx - a.dx + !up, dy = b.dy - a.dy + up;
                if (dx * dx + dy * dy <= most)
                    pairs.push_back(uint64_t{std::min(a.label, b.label)} << 32 | std::max(a.label, b.label));
            }
    }
    sort_or_cancel(pairs.begin(), pairs.end());
    std::vector<LabelContact> contacts;
    for (const uint64_t pair : pairs) {
        const auto a = static_cast<uint32_t>(pair >> 32), b = static_cast<uint32_t>(pair);
        if (contacts.empty() || contacts.back().a != a || contacts.back().b != b) contacts.push_back({a, b, 0});
        ++contacts.back().sides;
    }
    return contacts;
}

}  // namespace flipscope
