#include <flipscope/predicates.h>

int main() {
    const flipscope::Point a{0, 1e-20}, b{1, 1}, c{2, 2}, d{0, 2};
    const int turn = flipscope::orient2d(a, b, c);               // 1: counter-clockwise; 0: on one line; -1: clockwise
    const int in_doubles = flipscope::orient2d_double(a, b, c);  // 0: not seen
    const int side = flipscope::incircle({0, 0}, {2, 0}, c, d);  // 1: d inside; 0: on the circle
    const int tied = flipscope::incircle_tied({0, 0}, {2, 0}, c, d, 0, 1, 2, 3);  // the indices decide a 0
    return turn == 1 && in_doubles == 0 && side == 0 && tied != 0 ? 0 : 1;
}
