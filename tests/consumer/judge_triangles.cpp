#include <flipscope/judge.h>
#include <iostream>

int main() {
    const std::vector<flipscope::Point> points{{0, 0}, {2, 0}, {3, 3}, {0, 2}};
    const std::vector<std::array<uint32_t, 3>> triangles{{0, 1, 2}, {0, 2, 3}};
    flipscope::Context context;
    const flipscope::Judgement verdict = flipscope::judge(context, points, triangles);
    for (const auto& failure : verdict.report.failures) std::cout << failure.code << ": " << failure.sentence << '\n';
    return verdict.triangulation && verdict.complete && !verdict.delaunay ? 0 : 1;
}
