// The Flip lab in words: its passes, counters, parameters and colours, as the window and the command line show them.
#include "delaunay/flipping.h"

namespace flipscope {

const AlgorithmInfo& Flipping::info() const {
    static const AlgorithmInfo info = [] {
        AlgorithmInfo made{
            "flip",
            "Flip lab",
            "Makes any triangulation Delaunay, in the plane or on a surface: all illegal edges flip that do not get in "
            "each other's way.",
            "After C. Navarro, N. Hitschfeld and E. Scheihing, A parallel GPU-based algorithm for Delaunay edge-flips "
            "(EuroCG 2011), with the exact in-circle test, conflicts that are settled the same way every time, and "
            "passes over the edges that can have become illegal.",
            {{"bid",
              "Each suspected edge is tested; an illegal one bids for both triangles beside it, and the best bid "
              "stands (the paper's exclusion)."},
             {"flip",
              "Edges that won both their triangles flip, all at once, as a rotation of the two (the paper's "
              "processing)."},
             {"repair", "Edges that a flip moved to the other triangle learn where they are now."},
             {"hand", "A vertex was moved, or an edge was flipped."}},
            {{"suspected",
              "edges tested, because they can have become illegal; ghosts, to the vertex at infinity, are among them"},
             {"illegal", "edges that must flip"},
             {"blocked", "illegal edges that must not flip: that would turn a triangle over, double an edge or crease"},
             {"won", "illegal edges that hold both their triangles and flip"},
             {"lost", "illegal edges that must wait for a later iteration"},
             {"remaining", "edges that are suspected for the next iteration, ghosts among them", true}},
            {{"harmonic index",
              "The sum of the cotangents of all angles. In the plane every legal flip makes it smaller; Delaunay has "
              "the least there is.",
              ""}}};
        made.takes_meshes = made.takes_surfaces = true;
        made.example = "uniform:1000";
        return made;
    }();
    return info;
}

void Flipping::parameters(ParameterVisitor& visitor) {
    visitor.choice("start", "Points start as",
                   "How points become a triangulation that is not Delaunay. A mesh is taken as it is.", wished_.start,
                   {{"insertion", "inserted one triangle at a time, without a flip: long thin triangles"},
                    {"sweep", "from left to right, each point joined to all it sees of those before"},
                    {"fan", "all joined to one; for points in convex position, such as a ring"},
                    {"scrambled", "Delaunay, then random flips away from it"},
                    {"moved", "Delaunay, then every point inside moves a little, as in a simulation"}});
    visitor.number(
        "scramble", "Random flips",
        "For the start \"scrambled\": how many flips are tried, for each edge. 0.01 spoils one in a hundred.",
        wished_.scramble, 0, 10);
    visitor.number("moved_by", "Moved by",
                   "For the start \"moved\": how far a point goes at most, in mean distances between neighbours.",
                   wished_.moved_by, 0, 10);
    visitor.integer("seed", "Seed of the start", "The same seed makes the same start.", wished_.seed, 0, 1000000);
    visitor.choice("criterion", "An edge is illegal by",
                   "What is asked of an edge in the plane. On surfaces it is always the angles, in double.",
                   wished_.criterion,
                   {{"incircle", "the exact in-circle test; ties by input index: always ends, and in one result"},
                    {"angles", "the paper's test: the angles opposite to it exceed \xCF\x80 + \xCE\xB5; in double"},
                    {"angles_float", "the same in single precision: with a small \xCE\xB5 it can flip in circles"}});
    visitor.number("epsilon", "\xCE\xB5 of the angles",
                   "Radians by which the two angles may exceed \xCF\x80 before an edge must flip.", wished_.epsilon, 0,
                   0.5);
    visitor.number("dihedral", "Dihedral limit",
                   "On surfaces, radians: where two triangles meet at a greater angle there is a crease, which no flip "
                   "flattens and no flip makes. 0 is flat.",
                   wished_.dihedral, 0, 3.1);
    visitor.choice("conflict", "Conflicts go to", "Which of two illegal edges gets the triangle that both need.",
                   wished_.conflict,
                   {{"lowest",
                     "the lowest edge id: repeatable, but where ids run along the mesh each edge waits for "
                     "the one before it"},
                    {"hashed", "the lowest scrambled edge id: repeatable, too, and most edges need not wait"},
                    {"first", "whoever comes first: the paper's rule; steps then differ from run to run"}});
    visitor.integer("block_size", "CUDA block size",
                    "Threads per block on CUDA (32 to 1024, rounded down to a multiple of 32).", wished_.block_size, 32,
                    1024);
}

Scene Flipping::scene() const {
    Scene scene = Construction::scene();
    scene.in_space = in_space();
    scene.low_z = low_z_;
    scene.high_z = high_z_;
    using E = LegendEntry::Element;
    scene.legend = {
        {E::kEdge, kStateCycling, Role::kCycling, "cycling", "This edge flips back and forth without end."},
        {E::kEdge, kStateFlipped, Role::kFlipped, "flipped", "It held both its triangles and flipped."},
        {E::kEdge, kStateWon, Role::kWon, "won", "Illegal, and it holds both its triangles: it will flip."},
        {E::kEdge, kStateLost, Role::kLost, "lost", "Illegal, but another edge took one of its triangles."},
        {E::kEdge, kStateIllegal, Role::kIllegal, "illegal", "It must flip: it is not Delaunay."},
        {E::kEdge, kStateBlocked, Role::kBlocked, "blocked",
         "Illegal, but its flip would turn a triangle over, double an edge or make a crease."},
        {E::kEdge, kStateInconsistent, Role::kInconsistent, "inconsistent",
         "A flip moved it to another triangle, and it does not know yet."},
        {E::kEdge, kStateSuspect, Role::kSuspect, "suspected", "It can have become illegal and will be tested."},
        {E::kTriangle, kStateTaken, Role::kTaken, "taken", "Held by an edge that will flip."},
        {E::kTriangle, kStateFlipped, Role::kFlipped, "flipped", "Turned by the last flip."},
    };
    if (connection_.seams)
        scene.legend.insert(scene.legend.begin() + 1, {E::kEdge, kStateSeam, Role::kSeam, "non-manifold",
                                                       "Not two triangles that agree: never flipped."});
    return scene;
}

}  // namespace flipscope
