// The verdict on triangles that another program has made: the wrong diagonal of four points.
#include <judge/judge.h>

#include <cstdio>

int main() {
    flipscope::Geometry made{"mine", {{0, 0}, {2, 0}, {3, 3}, {0, 2}}};
    made.triangles = {{0, 1, 2}, {0, 2, 3}};
    flipscope::Context context(flipscope::DeviceRequest::kAuto);
    const flipscope::Judgement verdict = flipscope::judge(context, made);
    for (const flipscope::CheckFailure& defect : verdict.report.failures)
        std::printf("%s: %s\n", defect.code.c_str(), defect.sentence.c_str());
    return verdict.triangulation && verdict.complete && !verdict.delaunay ? 0 : 1;
}
