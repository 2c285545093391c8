// A lab around a construction: what to draw, what to tell of an element, the check and the result, in words and for all
// constructions alike. Build, Flip and Serial derive from it and name their passes.
#pragma once

#include <string>
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
    /// Where a point of the input stands in the order that the construction has brought all into.
    virtual void describe_order(uint32_t vertex, Properties& properties) const;

  private:
    Report inspect_edge(uint32_t edge) const;
};

/// What the state words of a construction's mesh mean.
std::vector<LegendEntry> construction_legend();
/// Throws Error for a surface in space, as labs of the plane do.
void require_plane(const Geometry& input);
/// What there is to say once the points are ordered, and of points on one line.
StepMessage ordering_message(const Construction& made);
StepMessage line_message(const Construction& made);

}  // namespace flipscope
