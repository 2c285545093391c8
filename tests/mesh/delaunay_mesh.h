// The Delaunay mesh of points in the device's memory, without state words: for tests that start from a mesh.
#pragma once

#include <memory>
#include <utility>

#include "delaunay/constructions/strips.h"

namespace flipscope {

class DelaunayMesh {
  public:
    DelaunayMesh(Context& context, std::shared_ptr<const Geometry> points) {
        strips_.set_records_states(false);
        strips_.reset(context, std::move(points), {});
        strips_.finish({});
    }
    const TriangleMesh& mesh() const { return strips_.mesh(); }

  private:
    Strips strips_;
};

}  // namespace flipscope
