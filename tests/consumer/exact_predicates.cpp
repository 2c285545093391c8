// Exact signs, where doubles see nothing: a point 10^-20 beside a line, and four points on a circle.
#include <geometry/predicates.h>

#include <cstdio>

int main() {
    const flipscope::Point a{0, 1e-20}, b{1, 1}, c{2, 2}, d{0, 2};
    const int turn = flipscope::orient2d(a, b, c);  // +1: counter-clockwise, 0: on one line, -1: clockwise
    std::printf("exact %d, in doubles %d\n", turn, flipscope::orient2d_double(a, b, c));
    const int side = flipscope::incircle({0, 0}, {2, 0}, c, d);  // +1: d is inside, 0: on the circle, -1: outside
    const int tied = flipscope::incircle_tied({0, 0}, {2, 0}, c, d, 0, 1, 2, 3);  // the indices settle it
    std::printf("in-circle %d, by the tie rule %d\n", side, tied);
    return turn == 1 && side == 0 && tied != 0 ? 0 : 1;
}
