// Lists of elements, by groups of 64: what listing.glsl, list_sums.comp and renumber.comp write.
struct Command {
    uint count, instances, first_vertex, base_instance;
};
struct Group {
    uint low, high;  // a bit for each element that is listed
    uint before;     // how many are listed before
};
layout(std430, binding = 6) buffer Listing {
    Command commands[2];  // that draw the lists
    uint listed[2];       // elements in them
    uint folded;          // of gather_triangles.comp
    Group groups[];       // of the first list, then of the second
};
