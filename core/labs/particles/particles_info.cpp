// The passes, counters and measures of the Particles lab.
#include "lab/lab.h"

namespace flipscope {

const LabInfo& particles_lab_info() {
    static const LabInfo info = [] {
        LabInfo made{
            "particles",
            "Particles lab",
            "Brownian and active particles in a periodic box or a channel: they attract, repel and swim, and their "
            "overlaps are found and resolved on a Delaunay triangulation that flips along under them.",
            "After F. Carter, N. Hitschfeld, C. Navarro and R. Soto, GPU parallel simulation algorithm of Brownian "
            "particles with excluded volume using Delaunay triangulations (2018), with exact predicates on the torus, "
            "the triangulation made Delaunay again after every push, so that no overlap is missed, and a rebuild where "
            "flips cannot turn all triangles upright.",
            {{"forces", "Sums up for every particle what all others, or the near ones, exert on it (equation 2)."},
             {"integrate",
              "Every particle moves by its force, its noise and its swimming, over \xCE\x94t; triangles can become "
              "inverted."},
             {"untangle", "Edges between an inverted triangle and an upright one flip where that makes both upright."},
             {"claim",
              "Every edge of the worklist is tested; an illegal one claims both its triangles, and each triangle "
              "grants one claim."},
             {"flip",
              "Edges whose claims are granted on both sides flip, all at once, as a rotation of the two triangles."},
             {"repair", "Updates the edge–triangle incidence of edges that a flip moved to the other triangle."},
             {"push",
              "Overlapping pairs are looked for along the Delaunay edges. Every particle moves away from those it "
              "overlaps, by \xCE\xB4 of each overlap, by no more than the cap and not beyond a wall; where none "
              "overlap the pass only finds that out."},
             {"measure", "The step has ended: overlaps that are left, mean-squared displacement and mean speed."},
             {"edit", "A manual edit, or a change of parameters, between two time steps."}},
            {{"queued", "worklist edges tested, because they may have become illegal"},
             {"illegal",
              "edges that must flip: not Delaunay, or beside an inverted triangle that the flip makes upright"},
             {"granted", "illegal edges whose claims on both their triangles are granted, and which flip", false, false,
              Quantity::kGrantedFlips},
             {"deferred", "illegal edges that must wait for a later iteration"},
             {"inverted", "triangles that are not counter-clockwise, before they are untangled"},
             {"overlapping",
              "pairs of particles that overlap, before a push; a sum counts a pair once for each push it takes"},
             {"pushed", "particles moved by a push"},
             {"capped", "of these, particles whose push was shortened to the cap"},
             {"rebuilt", "1: the triangulation was rebuilt"},
             {"cut", "particles that would have moved by more than half the box, and moved by that much"}},
            {{"mean-squared displacement", "Of all particles since the start, across borders.", "world units squared",
              1},
             {"expected displacement",
              "What the mean-squared displacement would be without forces, overlaps and walls: noise and swimming "
              "alone.",
              "world units squared", 1},
             {"mean speed", "Mean distance that particles moved in this step, over \xCE\x94t.", "world units per time"},
             {"overlapping pairs", "Pairs that overlapped before the first push of this step.", ""},
             {"pushes of the step", "Rounds of pushes in it, until no pair overlapped.", ""},
             {"flip passes of the step", "Those of untangling included.", ""},
             {"overlaps left",
              "Pairs that overlap along an edge at the end of this step: 0, unless the pushes of a step are limited to "
              "fewer, or both of a pair are frozen.",
              ""},
             {"largest cluster",
              "Part of all particles that are in the largest cluster, 0 to 1; measured every cluster_interval steps.",
              ""},
             {"pressure",
              "Of pairs, thermal motion and swimming, where the forces define it; measured every stress_interval "
              "steps.",
              "energy per area"},
             {"shear stress", "The stress \xCF\x83_xy of pairs; likewise.", "energy per area"}}};
        made.edits = {Edit::Kind::kMoveVertex, Edit::Kind::kAddVertex, Edit::Kind::kRemoveVertex,
                      Edit::Kind::kFreeze,     Edit::Kind::kRelease,   Edit::Kind::kAdjust};
        made.inputs = {InputKind::kPoints, InputKind::kNothing};
        made.makes_triangles = false;
        made.breakpoint = "a step leaves overlaps, cuts a move or rebuilds the triangulation";
        made.plotted_per_round = {"pushes of the step", "flip passes of the step"};
        made.plotted_per_pass = {"overlapping"};
        made.example = "";
        return made;
    }();
    return info;
}

}  // namespace flipscope
