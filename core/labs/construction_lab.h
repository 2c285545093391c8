// A lab around a construction: its scene, reports on elements, check and result, the same for all constructions. Build,
// Flip and Serial derive from it and name their passes.
#pragma once

#include <vector>

#include "delaunay/constructions/construction.h"
#include "lab/lab.h"

namespace flipscope {

class ConstructionLab : public Lab, public Inspectable, public Checkable {
  public:
    Scene scene() const override;
    Report inspect(Element element) const override;
    Element pick(const Probe& probe) const override;
    bool done() const override { return construction().done(); }
    CheckReport check() const override;
    Result result() const override;
    TriangleSoup soup() const override { return construction().soup(); }

  protected:
    virtual const Construction& construction() const = 0;
    /// Adds the vertex's place in the order of the construction.
    virtual void describe_order(uint32_t vertex, Properties& properties) const;

  private:
    Report inspect_edge(uint32_t edge) const;
};

/// The meaning of the state words of a construction's mesh.
std::vector<LegendEntry> construction_legend();
/// Throws Error for a surface in space.
void require_plane(const Geometry& input);
/// Messages after the points are ordered, and for collinear points.
StepMessage ordering_message(const Construction& made);
StepMessage line_message(const Construction& made);

}  // namespace flipscope
