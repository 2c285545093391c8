// Four sites within a ring: one pair comes together while the other moves apart, which is a T1.
#include <flipscope/detect_events.h>

#include <cmath>
#include <cstdio>

std::vector<flipscope::Point> sites_at(double wide, double tall) {
    std::vector<flipscope::Point> sites{{32 - wide, 32}, {32 + wide, 32}, {32, 32 - tall}, {32, 32 + tall}};
    for (int i = 0; i < 10; ++i) sites.push_back({32 + 24 * std::cos(0.6283 * i), 32 + 24 * std::sin(0.6283 * i)});
    return sites;
}

int main() {
    const std::vector<flipscope::Point> first = sites_at(6, 6.4), second = sites_at(6.1, 6.3), third = sites_at(6.4, 6);
    const std::vector<flipscope::EventFrame> frames{{first}, {second}, {third}};
    const flipscope::DetectedEvents found =
        flipscope::detect_events({.width = 64, .height = 64}, frames, {.links = flipscope::EventLinks::kDelaunay});

    for (const flipscope::PlasticEvent& event : found.events) {
        std::printf("frame %u, %s event at (%.1f, %.1f):", event.frame, flipscope::name_of(event.kind), event.place.x,
                    event.place.y);
        for (const auto& [a, b] : event.lost) std::printf(" lost %lld-%lld", (long long)a, (long long)b);
        for (const auto& [a, b] : event.created) std::printf(" created %lld-%lld", (long long)a, (long long)b);
        std::printf("\n");
    }
    return found.events.size() == 1 && found.events[0].frame == 2 ? 0 : 1;
}
