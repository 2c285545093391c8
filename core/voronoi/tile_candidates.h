// The centres that can be nearest to the sites of a small tile, compared four sites at a time in single precision: what
// the exact colouring on CPU threads does most of its time. Whoever leads by more than all rounding together is nearest
// by Lattice::squared_distance too; the rest is decided by that. For tile_painter.cpp and strip_painter.h alone.
#pragma once

#include <algorithm>
#include <cstring>

#include "voronoi/bins.h"

namespace flipscope {

// What every x86-64 has registers for.
using TwoDoubles = double __attribute__((vector_size(16)));
using TwoMasks = int64_t __attribute__((vector_size(16)));
using FourFloats = float __attribute__((vector_size(16)));
using FourWords = uint32_t __attribute__((vector_size(16)));

inline TwoDoubles both(Point p) { return TwoDoubles{p.x, p.y}; }

/// Sites (x, y) are `x` < kFours * 4 and `y` < kRows from the first of the tile.
template <uint32_t kFours, uint32_t kRows>
class TileCandidates {
  public:
    static constexpr uint32_t kMost = 64;
    static constexpr float kNoLimit = 2e28f;  // but what single precision is good for

    uint32_t size() const { return size_; }
    bool full() const { return size_ == kMost; }
    uint32_t label(uint32_t k) const { return labels_[k]; }

    /// `off`: from the first site of the tile. What is no number is far away.
    void add(TwoDoubles off, uint32_t label) {
        const TwoDoubles far = TwoDoubles{} + kFar;
        off = off > -far ? off : -far;
        off = off < far ? off : far;
        x_[size_] = static_cast<float>(off[0]);
        y_[size_] = static_cast<float>(off[1]);
        labels_[size_++] = label;
    }
    /// After the last add().
    void prepare() {
        for (uint32_t k = 0; k < size_; ++k)
            for (uint32_t i = 0; i < kFours; ++i) {
                const float first = static_cast<float>(4 * i);
                const FourFloats d = x_[k] - (FourFloats{0, 1, 2, 3} + first);
                across_[k][i] = d * d + kOffset;
            }
    }

    /// The nearest and the next to four sites each: squared distance and kOffset, less than kMargin of that wrong, the
    /// last bits replaced by the place in the list.
    struct Row {
        FourFloats best[kFours], second[kFours];

        /// Sites 4 i… of the row: whether all of them are decided, and nearer than `limit`.
        bool certain(uint32_t i, float limit) const {
            const FourWords doubtful = reinterpret_cast<FourWords>(best[i] * (1 + kMargin) >= second[i]) |
                                       reinterpret_cast<FourWords>(best[i] >= FourFloats{} + limit);
            uint64_t halves[2];
            std::memcpy(halves, &doubtful, sizeof(halves));
            return (halves[0] | halves[1]) == 0;
        }
        bool certain(uint32_t i, uint32_t k, float limit) const {
            return best[i][k] * (1 + kMargin) < second[i][k] && best[i][k] < limit;
        }
    };
    Row compare(uint32_t y) const {
        Row row;
        for (uint32_t i = 0; i < kFours; ++i) row.best[i] = row.second[i] = FourFloats{} + kNowhere;
        for (uint32_t k = 0; k < size_; ++k) {
            const float d = y_[k] - static_cast<float>(y);
            const float up = d * d;
            for (uint32_t i = 0; i < kFours; ++i) {
                const FourWords bits = reinterpret_cast<FourWords>(across_[k][i] + up);
                const FourFloats key = reinterpret_cast<FourFloats>((bits & ~(kMost - 1)) | k);
                const FourFloats worse = row.best[i] > key ? row.best[i] : key;
                row.second[i] = row.second[i] < worse ? row.second[i] : worse;
                row.best[i] = row.best[i] < key ? row.best[i] : key;
            }
        }
        return row;
    }
    FourWords labels(FourFloats best) const {
        const FourWords place = reinterpret_cast<FourWords>(best) & (kMost - 1);
        return FourWords{labels_[place[0]], labels_[place[1]], labels_[place[2]], labels_[place[3]]};
    }
    /// Decided in double precision.
    uint32_t nearest(const BinsView& bins, Point site) const {
        Nearest best;
        for (uint32_t k = 0; k < size_; ++k)
            best.consider(bins.lattice.squared_distance(site, bins.centres[labels_[k]]), labels_[k]);
        return best.label;
    }
    /// Less than this has who is nearer than `squared`, and not too far for single precision.
    static float limit(double squared) {
        return static_cast<float>(lesser(squared + kOffset, kNoLimit) * (1 - kMargin));
    }

    // The bits for the place in the list are worth 2^-17. Coordinates lose 2^-24 each: of a centre farther than twice
    // the tile that is 2^-22 of its distance; of a nearer one at most 2^-20 of the squared distance and 2^-19 of
    // kOffset, which is there for that. The sums lose another 2^-22, and two centres are compared.
    static constexpr float kMargin = 1.0f / 32768;
    static constexpr float kOffset = (kRows > 4 * kFours ? kRows * kRows : 16 * kFours * kFours) / 64.0f;

  private:
    static constexpr double kFar = 1e15;
    static constexpr float kNowhere = 1e29f;

    uint32_t size_ = 0;
    float x_[kMost], y_[kMost];
    FourFloats across_[kMost][kFours];  // along x, squared
    uint32_t labels_[kMost];
};

}  // namespace flipscope
