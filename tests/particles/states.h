// States of particles to measure: positions on a torus, triangulated there, on a device.
#pragma once

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "compute/buffer.h"
#include "compute/random.h"
#include "particles/dynamics.h"
#include "particles/measures.h"

namespace flipscope {

/// By the nearest image along periodic axes, and straight along others: of the box only its lengths are used.
inline Point way_of(const TorusBox& box, Point from, Point to) {
    Point way{to.x - from.x, to.y - from.y};
    if (box.open != OpenAxis::kX) way.x -= std::round(way.x / box.lengths().x) * box.lengths().x;
    if (box.open != OpenAxis::kY) way.y -= std::round(way.y / box.lengths().y) * box.lengths().y;
    return way;
}
inline double distance_of(const TorusBox& box, Point a, Point b) {
    const Point way = way_of(box, a, b);
    return std::hypot(way.x, way.y);
}

/// Places with their triangulation, and what a measure needs beside it.
class TorusState {
  public:
    TorusState(Context& context, double side, const std::vector<Point>& places, std::vector<uint8_t> species = {},
               std::vector<double> diameters = {1})
        : TorusState(context, Point{side, side}, places, std::move(species), std::move(diameters)) {}
    TorusState(Context& context, Point sides, const std::vector<Point>& places, std::vector<uint8_t> species = {},
               std::vector<double> diameters = {1})
        : TorusState(context, TorusBox::of(sides), places, std::move(species), std::move(diameters)) {}
    TorusState(Context& context, const TorusBox& box, const std::vector<Point>& places,
               std::vector<uint8_t> species = {}, std::vector<double> diameters = {1})
        : box_(box) {
        for (const Point p : places) places_.push_back(box_.wrapped(box_.on_grid(p)));
        species.resize(places.size(), 0);
        host_species_ = species;
        species_.upload(context, species.data(), species.size());
        for (size_t s = 0; s < diameters.size(); ++s) table_.diameter[s] = diameters[s];
        triangulation_.build(context, box_, places_, false);
    }

    ParticleState state() const { return particle_state(triangulation_, species_.view(), table_); }
    const TorusBox& box() const { return box_; }
    const std::vector<Point>& places() const { return places_; }
    size_t count() const { return places_.size(); }
    double mean_diameter(size_t a, size_t b) const {
        return (table_.diameter[host_species_[a]] + table_.diameter[host_species_[b]]) / 2;
    }
    double distance(size_t a, size_t b) const { return distance_of(box_, places_[a], places_[b]); }
    /// The distance of a place from the nearest image of its own.
    double own_image() const {
        if (!box_.is_cylinder()) return box_.shorter();
        return box_.open == OpenAxis::kX ? box_.sides.y : box_.sides.x;
    }

    struct Edge {
        uint32_t from, to;
        ImageShift shift;
        Point step;  // from → to
        double length() const { return std::sqrt(step.x * step.x + step.y * step.y); }
    };
    /// In a channel those between its walls.
    std::vector<Edge> edges() const {
        const TriangleMesh& mesh = triangulation_.mesh();
        const std::vector<uint32_t> triangles = mesh.triangles.download(), slots = mesh.corner_of.download();
        const std::vector<ImageShift> shifts = mesh.shifts.download();
        std::vector<Edge> edges;
        for (uint32_t e = 0; e < mesh.edge_count; ++e) {
            const uint32_t slot = slots[2 * e], from = triangles[slot], to = triangles[next_corner(slot)];
            if (box_.is_beyond(shifts[slot])) continue;
            edges.push_back({from, to, shifts[slot], box_.to_image(places_[from], places_[to], shifts[slot])});
        }
        return edges;
    }

  private:
    TorusBox box_;
    std::vector<Point> places_;
    std::vector<uint8_t> host_species_;
    Buffer<uint8_t> species_{"species"};
    SpeciesTable table_;
    TorusTriangulation triangulation_;
};

inline std::vector<Point> places_of(const ParticleDynamics& particles) {
    return particles.triangulation().mesh().positions.download();
}

/// Its distance, over the sum of radii.
inline double nearest_pair(const ParticleDynamics& particles) {
    const std::vector<Point> at = places_of(particles);
    const std::vector<uint8_t> species = particles.species().download();
    const SpeciesTable table = particles.species_table();
    double smallest = INFINITY;
    for (size_t i = 0; i < at.size(); ++i)
        for (size_t k = 0; k < i; ++k) {
            const double sigma = (table.diameter[species[i]] + table.diameter[species[k]]) / 2;
            smallest = std::min(smallest, distance_of(particles.box(), at[i], at[k]) / sigma);
        }
    return smallest;
}

inline void check_sound(const ParticleDynamics& particles) {
    const CheckReport report = particles.triangulation().check();
    CHECK_MESSAGE(report.passed, report.sentence);
}

inline std::vector<Point> random_places(uint32_t count, Point sides, uint64_t seed) {
    std::vector<Point> places;
    for (uint32_t i = 0; i < count; ++i) {
        const RandomPair u = random_pair(seed, i);
        places.push_back({u.first * sides.x, u.second * sides.y});
    }
    return places;
}
inline std::vector<Point> random_places(uint32_t count, double side, uint64_t seed) {
    return random_places(count, Point{side, side}, seed);
}

/// Of several aspects, some of them so narrow that places have images as neighbours.
inline const std::vector<Point> kRectangles{{30, 12}, {9, 40}, {100, 1}, {2, 150}, {25, 24.9}};

/// Boxes that are open along one axis: broad and narrow, long and short, and one in single file.
struct Cylinder {
    Point lengths;
    OpenAxis walls;
    TorusBox box() const {
        const bool x = walls == OpenAxis::kX;
        return TorusBox::of_cylinder(x ? lengths.y : lengths.x, x ? lengths.x : lengths.y, walls);
    }
};
inline const std::vector<Cylinder> kCylinders{{{30, 12}, OpenAxis::kY},  {{12, 30}, OpenAxis::kX},
                                              {{9, 40}, OpenAxis::kY},   {{40, 9}, OpenAxis::kX},
                                              {{60, 1.3}, OpenAxis::kY}, {{2.2, 80}, OpenAxis::kX}};

/// Rows of a square lattice, or of one whose every second row is shifted by half a column.
inline std::vector<Point> lattice_places(uint32_t columns, uint32_t rows, double side, bool shifted) {
    std::vector<Point> places;
    for (uint32_t j = 0; j < rows; ++j)
        for (uint32_t i = 0; i < columns; ++i)
            places.push_back({(i + (shifted && j % 2 ? 0.5 : 0)) * side / columns, j * side / rows});
    return places;
}

}  // namespace flipscope
