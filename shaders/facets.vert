// Triangles one by one, each in its own colour: of a torus, or coloured by numbers. As in triangles_deep.vert, a box around
// what is seen and three lines made in double to cut the triangle out with.
layout(std430, binding = 1) readonly buffer Corners { uint corners[]; };
layout(location = 0) flat out vec4 color;
layout(location = 1) flat out vec3 sides[3];
layout(location = 4) noperspective out vec2 place;
layout(location = 5) flat out vec4 box;

vec3 side(dvec2 p, dvec2 q) {
    const dvec2 d = q - p;
    const double size = max(max(abs(d.x), abs(d.y)), 1e-300LF);
    const dvec2 n = dvec2(-d.y, d.x) / size;
    const double longness = sqrt(dot(n, n));
    return vec3(vec2(n / longness), float(clamp(-dot(n, p) / longness, -1e30LF, 1e30LF)));
}

void main() {
    const uint each = uint(gl_VertexID) / 6u, t = each / images, image = each % images;
    gl_Position = nowhere();
    place = vec2(0.0);
    color = vec4(0.0);
    box = box_on_picture();
    sides[0] = sides[1] = sides[2] = vec3(0.0);
    const uvec3 v = uvec3(corners[3u * t], corners[3u * t + 1u], corners[3u * t + 2u]);
    if (any(greaterThanEqual(v, uvec3(place_count)))) return;
    const dvec2 a = wrapped(places[v.x]), b = a + shortest(places[v.y] - places[v.x]),
                c = a + shortest(places[v.z] - places[v.x]);
    dvec2 by;
    if (!has_image(image, min(a, min(b, c)), max(a, max(b, c)), by)) return;
    float size;
    color = element_color(t, size);
    if (color.a == 0.0) return;
    if ((flags & kAngles) != 0u) color = angle_fill(a, b, c, element_row(t));
    const dvec2 pa = pixels_of(a + by), pb = pixels_of(b + by), pc = pixels_of(c + by);
    const vec2 low = max(near(min(pa, min(pb, pc))), -half_size), high = min(near(max(pa, max(pb, pc))), half_size);
    if (any(greaterThan(low, high))) return;
    sides[0] = side(pa, pb);
    sides[1] = side(pb, pc);
    sides[2] = side(pc, pa);
    for (int k = 0; k < 3; ++k)  // wholly on the wrong side of one: not seen
        if (dot(abs(sides[k].xy), half_size) + sides[k].z < 0.0) return;
    place = corner_of(uint(gl_VertexID) % 6u, low, high);
    gl_Position = to_clip(place);
}
