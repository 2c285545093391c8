// A lattice, as the renderer describes it for one draw: see LatticeNumbers in app/render/lattice.cpp.
const uint kMaxLink = 0x77777777u;  // the colour of an obstacle
const uint kCells = 15u;

layout(std140, binding = 3) uniform LatticeNumbers {
    ivec2 line;     // the site whose lower left corner is the one nearest to the eye
    vec2 line_at;   // where that corner is, pixels from the middle of the picture
    ivec2 size;     // sites
    ivec2 rows;     // those of the buffers that are bound: from, and up to
    vec2 low, high; // of what is drawn, pixels
    uint first_colour, first_field, first_state;  // of the whole lattice, what the bound parts begin with
    uint name_count;
    float site;     // pixels, the side of one
    float border_width, border_strength, contrast;
    float field_low, field_scale;
    float hatch_at, hatch_pitch;  // pixels
    float unit;     // pixels that count as one: more for presenters
    uint scaling, number_count, padding_c;  // scaling: see scaling_of() in renderer_impl.h
    vec4 border, outline, between,  // outline: towards sites of no cell
         obstacle, hatching;
    vec4 field_stops[11];  // of the colour scale, of the field or else of numbers: nine, or a colour of each class
    vec4 mean;      // of all tints
    vec4 tints[15];
};
