// The Build lab in words: its passes, counters and parameters, as the window and the command line show them.
#include "delaunay/insertion.h"

namespace flipscope {

const AlgorithmInfo& Insertion::info() const {
    static const AlgorithmInfo info{
        "build",
        "Build lab",
        "Builds the Delaunay triangulation of points: all triangles take in a point at once, then all illegal edges "
        "flip.",
        "After P. Drozd, Delaunay Triangulations on the GPU (Trinity College Dublin, 2025), with exact predicates, a "
        "vertex "
        "at infinity, points that walk to their new triangle, and flips over the edges that can have become illegal.",
        {{"order",
          "Points are laid along a Hilbert curve, so that neighbours in memory are neighbours in the plane; equal "
          "points are merged."},
         {"seed", "Three points make the first triangle; one vertex at infinity closes the plane around it."},
         {"vote", "Every waiting point votes in its triangle, and the one nearest to the circumcentre is chosen."},
         {"split", "Every triangle with a chosen point is split into three, all at once."},
         {"link",
          "New triangles and their old neighbours learn of each other; edges that may now be illegal are listed."},
         {"bid",
          "Each suspected edge is tested; an illegal one bids for both triangles beside it, and the best bid stands."},
         {"flip", "Edges that won both their triangles flip, all at once; the losers wait for the next pass."},
         {"repair", "Edges that a flip moved to the other triangle learn where they are now."},
         {"relocate", "Every waiting point walks from its old triangle to the one that holds it now."}},
        {{"inserted", "points inserted by this pass"},
         {"suspected",
          "edges tested, because they can have become illegal; ghosts, to the vertex at infinity, are among them"},
         {"illegal", "edges that fail the in-circle test"},
         {"won", "illegal edges that hold both their triangles and flip"},
         {"lost", "illegal edges that must wait for a later pass"},
         {"flipped", "edges flipped by this pass"},
         {"uninserted", "points that still wait", true}}};
    return info;
}

void Insertion::parameters(ParameterVisitor& visitor) {
    visitor.choice("predicate", "Predicates", "How orientation and in-circle are decided.", wished_.predicate,
                   {{"exact", "floating-point filter, then exact arithmetic; ties by input index"},
                    {"double", "plain double precision, as an exhibit: can go wrong on degenerate input"},
                    {"float", "plain single precision, as an exhibit: goes wrong, and can flip in circles"}});
    visitor.toggle("flips", "Flips", "Off: points are inserted and no edge is flipped, so triangles get ever thinner.",
                   wished_.flips);
    visitor.integer("flip_limit", "Flip passes per round",
                    "At most so many flip passes in a round while points wait (0: until nothing is illegal). The last "
                    "round always flips to the end, so the result is the same.",
                    wished_.flip_limit, 0, 1000);
    visitor.choice("conflict", "Conflicts go to", "Which of two illegal edges gets the triangle that both need.",
                   wished_.conflict,
                   {{"lowest", "the lowest edge id: the same picture on every device, every time"},
                    {"hashed", "the lowest scrambled edge id: repeatable too, and fairer"},
                    {"first", "whoever comes first: the paper's rule; steps then differ from run to run"}});
    visitor.choice("vote", "Each triangle takes", "Which of its points a triangle takes in.", wished_.vote,
                   {{"circumcentre", "the point nearest to its circumcentre; equal distances: the lowest index"},
                    {"lowest", "the point with the lowest input index"}});
    visitor.choice("enclosure", "Enclosed by", "What closes the plane around the points.", wished_.enclosure,
                   {{"infinity", "a vertex at infinity: the hull is exact"},
                    {"supertriangle", "a large finite triangle, as in the thesis: hull edges can get lost"}});
    visitor.integer("block_size", "CUDA block size",
                    "Threads per block on CUDA (32 to 1024, rounded down to a multiple of 32).", wished_.block_size, 32,
                    1024);
}

}  // namespace flipscope
