// The orders in which a serial construction inserts its points, good ones and bad ones.
#pragma once

#include <cstdint>
#include <vector>

#include "delaunay/constructions/seed.h"

namespace flipscope {

/// kBiased: ever larger random samples, each along the Hilbert curve (Amenta, Choi and Rote 2003). kClicked and kFile:
/// by the numbers of the points, which are those of the file, then those of later clicks. kX: by x, then y. kSpiral:
/// along a spiral from the middle outwards, whose turns are as far apart as points on average.
enum class InsertionOrder : uint32_t { kBiased, kClicked, kFile, kRandom, kX, kHilbert, kSpiral };

/// A point to insert. `begins_round`: it is the first of a sample; in the other orders each point has a round.
struct OrderedPoint {
    uint32_t vertex;
    uint32_t begins_round;
};

/// All vertices but those of the first triangle, in the order of their insertion. `positions`: along the Hilbert curve;
/// `inputs`: their numbers. `first`: the first triangle, found() already, replaced in all orders but kBiased by one of
/// the first points that are not on a line.
std::vector<OrderedPoint> order_of_insertion(InsertionOrder order, View<const Point> positions,
                                             View<const uint32_t> inputs, uint32_t count, const Bounds& bounds,
                                             FirstTriangle& first);

}  // namespace flipscope
