// What all constructions from points have in common: the mesh they fill, and their answers about it. An algorithm
// derives from this and adds its passes; the parts are the same for all, so that two constructions can be compared to
// the bit.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "delaunay/order.h"
#include "steps/algorithm.h"

namespace flipscope {

class Construction : public Algorithm {
  public:
    void set_watched(bool watched) override { wants_states_ = watched; }
    Scene scene() const override;
    std::vector<Fact> inspect(Element element) const override;
    Element pick(const Probe& probe) const override;
    CheckReport check() const override;
    Result result() const override;
    TriangleSoup soup() const override;

  protected:
    /// Forgets the last input and takes this one. Throws Error when it has too many points.
    void begin(Context& context, std::shared_ptr<const Geometry> input);
    /// Orders and merges the input into the mesh's positions; says in `message` what was merged. `extra`: helper
    /// vertices.
    void order_input(uint32_t extra, std::string& message);
    /// All points on one line, or fewer than three: makes the path and returns what to tell.
    std::string join_line();
    /// Room for all vertices, and the first triangle a, b, c with its ghosts.
    void start_mesh(uint32_t helpers, uint32_t a, uint32_t b, uint32_t c);
    /// Edges of the convex hull that a finite supertriangle lost: pairs of vertex ids. Of a finished mesh; found once.
    const std::vector<uint32_t>& lost_hull_edges() const;
    /// Hash of the input's order, the path and the mesh as far as it is built.
    uint64_t mesh_hash() const;
    /// The mesh as far as it is built, to the end of a snapshot, and from its blocks `first` … first + kMeshBlocks - 1.
    static constexpr size_t kMeshBlocks = 7;
    void save_mesh(Snapshot& snapshot) const;
    void load_mesh(const Snapshot& snapshot, size_t first);
    /// Throws std::logic_error when load_mesh() could not take these blocks; changes nothing.
    void require_mesh_fits(const Snapshot& snapshot, size_t first) const;
    virtual uint32_t waiting_count() const = 0;
    /// Whether what touches infinity stays as it is, because the outline need not be the convex hull.
    virtual bool fixed_outline() const { return false; }
    /// Distinct vertices of a given mesh that none of its triangles names: they are left out.
    virtual uint64_t unused_count() const { return 0; }

    void inspect_edge(uint32_t edge, std::vector<Fact>& facts) const;

    Context* context_ = nullptr;
    std::shared_ptr<const Geometry> input_;
    TriangleMesh mesh_;
    bool wants_states_ = true;
    uint32_t distinct_ = 0;  // distinct input points; 0 before they are ordered
    uint32_t helpers_ = 0;   // vertices of a finite supertriangle, after the distinct points
    Bounds bounds_;
    std::vector<uint32_t> path_;                         // all on one line: vertex ids in order; else empty
    mutable std::optional<std::vector<uint32_t>> lost_;  // what lost_hull_edges() has found
};

/// Adds a sentence to a message.
inline void join(std::string& message, const std::string& sentence) {
    message += (message.empty() || sentence.empty() ? "" : " ") + sentence;
}

}  // namespace flipscope
