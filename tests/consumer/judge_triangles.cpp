#include <judge/judge.h>
#include <iostream>

int main() {
    flipscope::Geometry made{"the wrong diagonal", {{0, 0}, {2, 0}, {3, 3}, {0, 2}}};
    made.triangles = {{0, 1, 2}, {0, 2, 3}};
    flipscope::Context context;
    const flipscope::Judgement verdict = flipscope::judge(context, made);
    for (const auto& failure : verdict.report.failures) std::cout << failure.code << ": " << failure.sentence << '\n';
    return verdict.triangulation && verdict.complete && !verdict.delaunay ? 0 : 1;
}
