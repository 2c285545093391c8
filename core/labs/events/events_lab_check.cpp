// Is what the kernels made true? Asked of the host: labels are those of a flood fill, colours the nearest, rows
// symmetric, partners mutual, and what breaks and arises is the plain difference of two sets.
#include <algorithm>
#include <array>
#include <set>

#include "compute/text.h"
#include "labs/events/events_lab.h"

namespace flipscope {

namespace {

using Pair = std::array<uint32_t, 2>;

/// Components over 8 neighbours, numbered in the order of their lowest sites.
std::vector<uint32_t> flood_fill(const Lattice& lattice, const std::vector<uint8_t>& inside) {
    std::vector<uint32_t> labels(inside.size(), kNone), stack;
    uint32_t count = 0;
    RegularLook look;
    for (uint32_t seed = 0; seed < inside.size(); ++seed) {
        look();
        if (!inside[seed] || labels[seed] != kNone) continue;
        labels[seed] = count;
        stack.assign(1, seed);
        while (!stack.empty()) {
            look();
            const uint32_t site = stack.back();
            stack.pop_back();
            for (int dy = -1; dy <= 1; ++dy)
                for (int dx = -1; dx <= 1; ++dx) {
                    int64_t x = int64_t(lattice.x_of(site)) + dx, y = int64_t(lattice.y_of(site)) + dy;
                    const int64_t w = lattice.width, h = lattice.height;
                    if (lattice.periodic) x = (x + w) % w, y = (y + h) % h;
                    if (x < 0 || y < 0 || x >= w || y >= h) continue;
                    const uint32_t other = lattice.site(uint32_t(x), uint32_t(y));
                    if (!inside[other] || labels[other] != kNone) continue;
                    labels[other] = count;
                    stack.push_back(other);
                }
        }
        ++count;
    }
    return labels;
}

/// Links of a moment, and whether its rows are ascending and symmetric.
std::set<Pair> links_of(const Moment& moment, bool& in_order) {
    std::set<Pair> links;
    const uint32_t count = moment.read_count();
    if (count == 0) return links;
    std::vector<uint32_t> starts(size_t(count) + 1), row(moment.read_entries());
    moment.starts().download(starts.data(), starts.size());
    moment.neighbours().download(row.data(), row.size());
    std::set<Pair> directed;
    RegularLook look;
    for (uint32_t a = 0; a < count; ++a)
        for (uint32_t e = starts[a]; e < starts[a + 1]; ++e) {
            look();
            if ((e > starts[a] && row[e - 1] >= row[e]) || row[e] >= count || row[e] == a) in_order = false;
            directed.insert({a, row[e]});
            if (a < row[e]) links.insert({a, row[e]});
        }
    for (const Pair& entry : directed) {
        look();
        if (!directed.count({entry[1], entry[0]})) in_order = false;
    }
    return links;
}

}  // namespace

CheckReport EventsLab::check() const {
    CheckReport report;
    if (!at_rest()) {
        report.passed = report.checked = false;
        report.sentence = "a comparison is under way: there is nothing to check before it is finished";
        return report;
    }
    std::string faults;
    const auto fault = [&](const char* code, const std::string& sentence, uint32_t site = kNone) {
        report.passed = false;
        CheckFailure failure{code, sentence, {}, {}, {}};
        if (site != kNone) {
            failure.elements = {{ElementKind::kSite, site}};
            failure.places = {{double(chain_.lattice().x_of(site)), double(chain_.lattice().y_of(site)), 0}};
        }
        ++report.failure_count;
        report.failures.push_back(std::move(failure));
        faults += (faults.empty() ? "" : " ") + sentence;
    };
    const Lattice& lattice = chain_.lattice();
    RegularLook look;
    if (chain_.has_field()) {
        const std::vector<float> field = source_->field()->download();
        const std::vector<uint8_t> obstacles = chain_.colouring().obstacles().empty()
                                                   ? std::vector<uint8_t>(field.size(), 0)
                                                   : chain_.colouring().obstacles().download();
        std::vector<uint8_t> inside(field.size());
        const bool below = now_.polarity == static_cast<int>(Polarity::kBelow);
        for (size_t site = 0; site < field.size(); ++site) {
            look();
            inside[site] = !obstacles[site] &&
                           (below ? field[site] < chain_.threshold_value() : field[site] > chain_.threshold_value());
        }
        const std::vector<uint32_t> labels = chain_.components().labels().download(),
                                    plain = flood_fill(lattice, inside);
        if (labels != plain) {
            const auto at = static_cast<uint32_t>(std::mismatch(labels.begin(), labels.end(), plain.begin()).first -
                                                  labels.begin());
            fault("wrong-label",
                  "The label of pixel " + std::to_string(lattice.x_of(at)) + ", " + std::to_string(lattice.y_of(at)) +
                      " is " + std::to_string(labels[at]) + ", and a flood fill says " + std::to_string(plain[at]) +
                      ".",
                  at);
        }
    }
    const uint64_t wrong = chain_.colouring().count_errors(*context_);
    const bool floods = now_.method == static_cast<int>(ColouringMethod::kJumpFlooding);
    if (wrong && !floods)
        fault("wrong-colour",
              count_text(wrong, "pixel has", "pixels have") + " another colour than the nearest site's.");

    bool in_order = true;
    const std::set<Pair> links = links_of(present(), in_order), before = links_of(past(), in_order);
    if (!in_order) fault("broken-row", "Rows of neighbours are not ascending and symmetric.");
    if (links.size() != state_.counts.now_links)
        fault("link-count", std::to_string(links.size()) + " links, and " + std::to_string(state_.counts.now_links) +
                                " were counted.");

    std::vector<uint32_t> to_now(state_.counts.past), to_past(state_.counts.now);
    matching_.to_now_buffer().download(to_now.data(), to_now.size());
    matching_.to_past_buffer().download(to_past.data(), to_past.size());
    uint64_t matched = 0, one_sided = 0;
    for (uint32_t p = 0; p < to_now.size(); ++p) {
        if (to_now[p] == kNone) continue;
        ++matched;
        one_sided += to_past.at(to_now[p]) != p;
    }
    for (uint32_t q = 0; q < to_past.size(); ++q) one_sided += to_past[q] != kNone && to_now.at(to_past[q]) != q;
    if (one_sided || matched != state_.counts.matched)
        fault("one-sided-partner", count_text(one_sided, "partner is", "partners are") + " not mutual.");

    std::set<Pair> translated, common, breaking, arising;
    const auto ordered = [](uint32_t a, uint32_t b) { return a < b ? Pair{a, b} : Pair{b, a}; };
    for (const Pair& link : before) {
        look();
        if (to_now[link[0]] != kNone && to_now[link[1]] != kNone)
            translated.insert(ordered(to_now[link[0]], to_now[link[1]]));
    }
    for (const Pair& link : links) {
        look();
        if (to_past[link[0]] != kNone && to_past[link[1]] != kNone) common.insert(link);
    }
    for (const ChangedLink& link : detection_.found()->links())
        (link.breaking ? breaking : arising).insert(ordered(link.now[0], link.now[1]));
    const auto difference = [](const std::set<Pair>& from, const std::set<Pair>& without) {
        std::set<Pair> rest;
        std::set_difference(from.begin(), from.end(), without.begin(), without.end(), std::inserter(rest, rest.end()));
        return rest;
    };
    const std::set<Pair> broken = difference(translated, common), arisen = difference(common, translated);
    if (breaking != broken)
        fault("lost-contacts", std::to_string(breaking.size()) +
                                   " contacts are listed as lost, and the difference of the sets has " +
                                   std::to_string(broken.size()) + ".");
    if (arising != arisen)
        fault("created-contacts", std::to_string(arising.size()) +
                                      " contacts are listed as created, and the difference of the sets has " +
                                      std::to_string(arisen.size()) + ".");

    if (!report.passed) {
        report.sentence = faults;
        return report;
    }
    report.sentence = std::string(chain_.has_field() ? "Labels are those of a flood fill, " : "") +
                      (floods ? count_text(wrong, "pixel has", "pixels have") + " a wrong colour by jump flooding, "
                              : std::string(chain_.has_field() ? "colours" : "Colours") + " the nearest, ") +
                      "rows symmetric, partners mutual; " + std::to_string(breaking.size()) + " lost and " +
                      count_text(arising.size(), "created contact", "created contacts") +
                      " of the last comparison, as the plain difference of " + std::to_string(translated.size()) +
                      " past and " + std::to_string(common.size()) + " present links says.";
    return report;
}

}  // namespace flipscope
