#include "events/verify_events.h"

#include <algorithm>
#include <initializer_list>
#include <iterator>
#include <string>
#include <utility>

#include "compute/cancel.h"
#include "compute/text.h"

namespace flipscope {

void add_fault(CheckReport& report, const std::string& sentence) {
    report.passed = false;
    report.sentence += (report.sentence.empty() ? "" : " ") + sentence;
}

std::vector<uint32_t> flood_labels(const Lattice& lattice, const std::vector<uint8_t>& inside) {
    std::vector<uint32_t> labels(inside.size(), kNone), stack;
    uint32_t count = 0;
    CancelPoll poll;
    for (uint32_t seed = 0; seed < inside.size(); ++seed) {
        poll();
        if (!inside[seed] || labels[seed] != kNone) continue;
        labels[seed] = count;
        stack.assign(1, seed);
        while (!stack.empty()) {
            poll();
            const uint32_t pixel = stack.back();
            stack.pop_back();
            for (int dy = -1; dy <= 1; ++dy)
                for (int dx = -1; dx <= 1; ++dx) {
                    int64_t x = int64_t(lattice.x_of(pixel)) + dx, y = int64_t(lattice.y_of(pixel)) + dy;
                    const int64_t w = lattice.width, h = lattice.height;
                    if (lattice.periodic.x) x = (x + w) % w;
                    if (lattice.periodic.y) y = (y + h) % h;
                    if (x < 0 || y < 0 || x >= w || y >= h) continue;
                    const uint32_t other = lattice.pixel(uint32_t(x), uint32_t(y));
                    if (!inside[other] || labels[other] != kNone) continue;
                    labels[other] = count;
                    stack.push_back(other);
                }
        }
        ++count;
    }
    return labels;
}

void verify_labels(const Lattice& lattice, std::span<const uint32_t> labels, std::span<const uint32_t> expected,
                   CheckReport& report) {
    const auto label_text = [](uint32_t label) { return label == kNone ? "none" : std::to_string(label); };
    uint64_t wrong = 0;
    CancelPoll poll;
    for (uint32_t pixel = 0; pixel < labels.size(); ++pixel) {
        poll();
        if (labels[pixel] == expected[pixel]) continue;
        ++wrong;
        add_pixel_failure(
            report, "wrong-label", lattice, pixel,
            "has label " + label_text(labels[pixel]) + ", and a flood fill says " + label_text(expected[pixel]));
    }
    if (wrong)
        add_fault(report, count_text(wrong, "pixel has", "pixels have") + " another label than a flood fill gives.");
}

namespace {

LinkEnds ordered(uint32_t a, uint32_t b) { return a < b ? LinkEnds{a, b} : LinkEnds{b, a}; }

/// The links of a frame, and the labels of rows that are not ascending and symmetric.
std::pair<std::set<LinkEnds>, std::set<uint32_t>> links_of(const ComparisonOnHost::Frame& frame) {
    std::set<LinkEnds> links, directed;
    std::set<uint32_t> broken;
    const std::vector<uint32_t>& row = frame.neighbours;
    CancelPoll poll;
    for (uint32_t a = 0; a < frame.count; ++a)
        for (uint32_t e = frame.starts[a]; e < frame.starts[a + 1]; ++e) {
            poll();
            if ((e > frame.starts[a] && row[e - 1] >= row[e]) || row[e] >= frame.count || row[e] == a) broken.insert(a);
            directed.insert({a, row[e]});
            if (a < row[e] && row[e] < frame.count) links.insert({a, row[e]});
        }
    for (const LinkEnds& entry : directed) {
        poll();
        if (!directed.count({entry[1], entry[0]})) broken.insert(entry[0]);
    }
    return {std::move(links), std::move(broken)};
}

std::set<LinkEnds> difference(const std::set<LinkEnds>& from, const std::set<LinkEnds>& without) {
    std::set<LinkEnds> rest;
    std::set_difference(from.begin(), from.end(), without.begin(), without.end(), std::inserter(rest, rest.end()));
    return rest;
}

}  // namespace

VerifiedComparison verify_comparison(const ComparisonOnHost& comparison, CheckReport& report) {
    const std::vector<uint32_t>&to_now = comparison.to_now, &to_past = comparison.to_past;
    const auto add = [&](const char* code, const std::string& sentence, std::initializer_list<uint32_t> labels) {
        CheckFailure failure{code, sentence, {}, {}, {}};
        for (const uint32_t label : labels) {
            if (label >= comparison.sites.size()) continue;
            failure.elements.push_back({ElementKind::kVertex, label});
            failure.places.push_back({comparison.sites[label].x, comparison.sites[label].y, 0});
        }
        add_failure(report, std::move(failure));
    };
    const auto name = [&](uint32_t label) { return std::to_string(comparison.ids.at(label)); };

    const auto [links, broken] = links_of(comparison.now);
    const auto [before, broken_before] = links_of(comparison.past);
    if (!broken.empty() || !broken_before.empty())
        add_fault(report, "Rows of neighbours are not ascending and symmetric.");
    for (const uint32_t label : broken)
        add("broken-row", "the neighbours of bubble " + name(label) + " are not ascending and symmetric", {label});
    for (const uint32_t label : broken_before)
        add("broken-row",
            "the neighbours of label " + std::to_string(label) + " of the frame before are not ascending and symmetric",
            {});
    if (const uint64_t counted = comparison.counts.now_links; links.size() != counted) {
        add_fault(report, std::to_string(links.size()) + " links, and " + std::to_string(counted) + " were counted.");
        add("link-count", "the number of links is not the one that was counted", {});
    }

    if (!comparison.longest.is_any()) {
        std::set<LinkEnds> expected;
        for (const auto& [a, b] : links_of(comparison.all).first)
            if (comparison.longest.allows(
                    comparison.lattice.difference(comparison.sites.at(a), comparison.sites.at(b))))
                expected.insert({a, b});
        if (links != expected) add_fault(report, "The links are not those of the graph that are short enough.");
        for (const auto& [a, b] : difference(links, expected)) add("long-link", "a link is too long", {a, b});
        for (const auto& [a, b] : difference(expected, links)) add("lost-link", "a link is left out", {a, b});
    }

    uint64_t matched = 0, one_sided = 0;
    const auto not_mutual = [&](const std::string& whose, uint32_t label) {
        ++one_sided;
        add("one-sided-partner", "the partner of " + whose + " is not mutual", {label});
    };
    for (uint32_t p = 0; p < to_now.size(); ++p) {
        if (to_now[p] == kNone) continue;
        ++matched;
        if (to_past.at(to_now[p]) != p) not_mutual("label " + std::to_string(p) + " of the frame before", to_now[p]);
    }
    for (uint32_t q = 0; q < to_past.size(); ++q)
        if (to_past[q] != kNone && to_now.at(to_past[q]) != q) not_mutual("bubble " + name(q), q);
    if (one_sided) add_fault(report, count_text(one_sided, "partner is", "partners are") + " not mutual.");
    if (const uint64_t counted = comparison.counts.matched; matched != counted) {
        add_fault(report, std::to_string(matched) + " partners, and " + std::to_string(counted) + " were counted.");
        add("partner-count", "the number of partners is not the one that was counted", {});
    }

    VerifiedComparison sets;
    CancelPoll poll;
    for (const LinkEnds& link : before) {
        poll();
        if (to_now[link[0]] != kNone && to_now[link[1]] != kNone)
            sets.translated.insert(ordered(to_now[link[0]], to_now[link[1]]));
    }
    for (const LinkEnds& link : links) {
        poll();
        if (to_past[link[0]] != kNone && to_past[link[1]] != kNone) sets.common.insert(link);
    }
    for (const ChangedLink& link : comparison.changed)
        (link.lost ? sets.lost : sets.created).insert(ordered(link.now[0], link.now[1]));
    const auto compare = [&](const char* code, const char* what, const std::set<LinkEnds>& listed,
                             const std::set<LinkEnds>& expected) {
        if (listed == expected) return;
        add_fault(report, std::to_string(listed.size()) + " contacts are listed as " + what +
                              ", and the difference of the sets has " + std::to_string(expected.size()) + ".");
        const auto list = [&](const std::set<LinkEnds>& differ, const char* says) {
            for (const LinkEnds& link : differ)
                add(code, "the contact of bubbles " + name(link[0]) + " and " + name(link[1]) + " " + says + " " + what,
                    {link[0], link[1]});
        };
        list(difference(listed, expected), "is listed and not");
        list(difference(expected, listed), "is not listed, and is");
    };
    compare("lost-contacts", "lost", sets.lost, difference(sets.translated, sets.common));
    compare("created-contacts", "created", sets.created, difference(sets.common, sets.translated));
    return sets;
}

}  // namespace flipscope
