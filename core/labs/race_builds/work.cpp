#include "labs/race_builds/work.h"

#include <stdexcept>

namespace flipscope {

namespace {

struct Rule {
    const char *lab, *pass;
    uint64_t (*count)(const PassSizes&);
};

uint64_t given(const PassSizes& of) { return of.given; }
uint64_t distinct(const PassSizes& of) { return of.distinct; }
uint64_t queued(const PassSizes& of) { return of.now("queued"); }
uint64_t illegal(const PassSizes& of) { return of.now("illegal"); }
uint64_t granted(const PassSizes& of) { return of.now("granted"); }
uint64_t waiting(const PassSizes& of) { return of.now("uninserted"); }
uint64_t candidates(const PassSizes& of) { return of.now("candidates"); }
uint64_t candidates_before(const PassSizes& of) { return of.before("candidates"); }

constexpr Rule kRules[] = {
    {"strips", "order", given},
    {"strips", "chain", distinct},
    {"strips", "zip", [](const PassSizes& of) { return of.now("zipped"); }},
    {"strips", "close", [](const PassSizes& of) { return of.now("closed"); }},
    // A closed mesh of n points and the one at infinity has 3n - 3 edges.
    {"strips", "legalise", [](const PassSizes& of) { return 3 * of.distinct - 3 + 5 * of.now("flipped"); }},
    {"strips", "claim", queued},
    {"strips", "flip", illegal},
    {"strips", "repair", granted},
    {"build", "order", given},
    {"build", "seed", distinct},
    {"build", "vote", waiting},
    {"build", "split", [](const PassSizes& of) { return of.before("uninserted"); }},
    {"build", "link", [](const PassSizes& of) { return of.now("inserted"); }},
    {"build", "claim", queued},
    {"build", "flip", illegal},
    {"build", "repair", granted},
    {"build", "relocate", waiting},
    {"subdivide", "order", given},
    {"subdivide", "broadcast", candidates},
    {"subdivide", "solve", candidates_before},
    {"subdivide", "split", [](const PassSizes& of) { return of.now("copied"); }},
    {"subdivide", "leach", candidates},
    {"subdivide", "pack", candidates_before},
    {"subdivide", "outside", [](const PassSizes& of) { return of.distinct + of.now("sequential"); }},
    {"subdivide", "join", [](const PassSizes& of) { return of.triangles; }},
};

}  // namespace

uint64_t work_of(const std::string& lab, const std::string& pass, const PassSizes& sizes) {
    for (const Rule& rule : kRules)
        if (lab == rule.lab && pass == rule.pass) return rule.count(sizes);
    throw std::logic_error("no rule for the work of the pass " + pass + " of " + lab);
}

}  // namespace flipscope
