// Cutting in double precision, where float would bend what is cut.

/// Liang and Barsky: the part of p…q within ±room; also where along it this part begins and ends.
bool cut(inout dvec2 p, inout dvec2 q, dvec2 room, out double enter, out double leave) {
    const dvec2 d = q - p;
    enter = 0.0LF;
    leave = 1.0LF;
    for (int axis = 0; axis < 2; ++axis) {
        if (d[axis] == 0.0LF) {
            if (abs(p[axis]) > room[axis]) return false;
            continue;
        }
        double a = (-room[axis] - p[axis]) / d[axis];
        double b = (room[axis] - p[axis]) / d[axis];
        if (a > b) {
            const double swap = a;
            a = b;
            b = swap;
        }
        enter = max(enter, a);
        leave = min(leave, b);
    }
    if (enter > leave) return false;
    q = p + d * leave;
    p = p + d * enter;
    return true;
}

/// The line through p and q as (a, b, c): a x + b y + c >= 0 on its left, pixels.
vec3 side(dvec2 p, dvec2 q) {
    const dvec2 d = q - p;
    const double size = max(max(abs(d.x), abs(d.y)), 1e-300LF);
    const dvec2 n = dvec2(-d.y, d.x) / size;
    const double longness = sqrt(dot(n, n));
    return vec3(vec2(n / longness), float(clamp(-dot(n, p) / longness, -1e30LF, 1e30LF)));
}

/// Whether the whole picture lies to the right of a line.
bool is_beyond(vec3 line) { return dot(abs(line.xy), half_size) + line.z < 0.0; }
