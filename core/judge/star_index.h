// The triangles around each vertex of a triangulation, as plain arrays. Only the sources of this folder include it.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace flipscope {

class StarIndex {
  public:
    /// `triangles` must outlive it.
    StarIndex(std::span<const std::array<uint32_t, 3>> triangles, size_t vertex_count)
        : triangles_(triangles), start_(vertex_count + 2, 0) {
        for (const auto& corners : triangles)
            for (const uint32_t v : corners) ++start_[v + 2];
        for (size_t v = 2; v < start_.size(); ++v) start_[v] += start_[v - 1];
        around_.resize(start_.back());
        for (uint32_t t = 0; t < triangles.size(); ++t)
            for (const uint32_t v : triangles[t]) around_[start_[v + 1]++] = t;
        start_.pop_back();
    }
    /// Indices of the triangles at this vertex, ascending.
    std::span<const uint32_t> around(uint32_t vertex) const {
        return std::span<const uint32_t>(around_).subspan(start_[vertex], start_[vertex + 1] - start_[vertex]);
    }
    const std::array<uint32_t, 3>& corners(uint32_t triangle) const { return triangles_[triangle]; }

  private:
    std::span<const std::array<uint32_t, 3>> triangles_;
    std::vector<uint32_t> start_, around_;
};

}  // namespace flipscope
