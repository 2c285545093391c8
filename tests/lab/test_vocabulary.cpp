// One vocabulary: the parameters, arrays and counters of all labs, laid side by side.
#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <regex>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "delaunay/runs.h"
#include "lab/facets.h"
#include "lab/manual_edits.h"
#include "lab/parameters.h"
#include "lab/registry.h"

using namespace flipscope;

namespace {

struct Told {
    std::string lab;
    ParameterDescription parameter;
};

std::vector<Told> all_parameters() {
    std::vector<Told> all;
    for (const RegistryEntry& entry : registry()) {
        const auto lab = entry.make();
        for (ParameterDescription& parameter : list_parameters(*lab)) all.push_back({entry.id, std::move(parameter)});
    }
    return all;
}

/// What it is, of a sentence that may go on with what is special to a lab.
std::string first_sentence(const std::string& text) { return text.substr(0, text.find(". ")); }
std::string without_dot(std::string text) {
    if (!text.empty() && text.back() == '.') text.pop_back();
    return text;
}

/// What a value may be, but for the ends of a range and the options of a choice.
std::string kind_of(const ParameterDescription& parameter) {
    if (parameter.kind == ParameterDescription::Kind::kChoice) return "choice";
    if (parameter.kind == ParameterDescription::Kind::kToggle) return parameter.range();
    return parameter.kind == ParameterDescription::Kind::kInteger ? "integer" : "number";
}

/// Each sentence that a lab shows before it runs, with where it stands.
std::vector<std::pair<std::string, std::string>> all_sentences() {
    std::vector<std::pair<std::string, std::string>> all;
    for (const RegistryEntry& entry : registry()) {
        const auto lab = entry.make();
        const LabInfo& info = lab->info();
        const auto add = [&](const std::string& what, const std::string& text) {
            all.emplace_back(entry.id + ", " + what, text);
        };
        add("title", info.title);
        add("sentence", info.sentence);
        add("paper", info.paper);
        add("notable", info.breakpoint);
        for (const PassInfo& pass : info.passes) add("pass " + pass.name, pass.name + ": " + pass.sentence);
        for (const CounterInfo& counter : info.counters)
            add("counter " + counter.name, counter.name + ": " + counter.sentence);
        for (const MeasureInfo& measure : info.measures)
            add("measure " + measure.name, measure.name + ": " + measure.sentence + " " + measure.unit);
        for (const MeasureInfo& measure : info.detection_measures)
            add("measure " + measure.name, measure.name + ": " + measure.sentence + " " + measure.unit);
        for (const ArrayInfo& array : arrays_of(*lab)) add("array " + array.name, array.name + ": " + array.sentence);
        for (const ParameterDescription& parameter : list_parameters(*lab)) {
            add("parameter " + parameter.name,
                parameter.name + " " + parameter.title + ": " + parameter.sentence + " " + parameter.group);
            for (const auto& option : parameter.options)
                add("parameter " + parameter.name, option.name + ": " + option.sentence);
        }
    }
    return all;
}

/// Fails for words that the field has better ones for.
void check_words(const std::string& place, const std::string& said) {
    static const std::vector<std::pair<std::regex, const char*>> words = [] {
        const std::vector<std::pair<const char*, const char*>> all{
            {R"(suspect(s|ed)?|contenders?)", "worklist edge, queued, candidate"},
            {R"(bids?|won|wins?|winners?|losers?|taken)", "claim, granted, deferred, locked"},
            {R"(inconsistent|learns?)", "stale incidence; update edge–triangle incidence"},
            {R"(lattice sites?)", "pixel"},
            {R"(centres?)", "site, or circumcentre, centre of mass, cluster centre"},
            {R"(slots?|tokens?)", "corner, half-edge, compaction"},
            {R"(wish(es)?|journey|loupes?|sketch(es)?|the eye)", "command, seek, detail view, diagram, display"},
            {R"(findings?)", "detection"},
            {R"(moments?|standing)", "frame, state"},
            {R"(break|breaks|broke|arise|arises|arose|arisen|breaking|arising)", "lost contact, created contact"},
            {R"(bulk)", "T1 (interior)"},
            {R"(turned|turns? over|double an edge|doubled)", "inverted, duplicate edge"},
            {R"(hands?)", "manual edit"},
            {R"(tie rank|least angles?|place on the curve)", "perturbation rank, minimum angle, Hilbert index"},
            {R"((who|some|no|every|any)(ever|body)|whom?)", "the caller, the user, none, all, which"},
        };
        std::vector<std::pair<std::regex, const char*>> made;
        for (const auto& [word, better] : all)
            made.emplace_back(std::regex("\\b(" + std::string(word) + ")\\b", std::regex::icase), better);
        return made;
    }();
    // What the field calls so itself, and the paper's words in brackets.
    static const std::regex allowed(R"(cluster centres?|centres? of mass)"
                                    R"(|\((breaking|arising|bulk)\)|\(the paper's breaking and arising links\))",
                                    std::regex::icase);
    const std::string text = std::regex_replace(said, allowed, "");
    for (const auto& [word, better] : words) {
        INFO(place, ": \"", said, "\": better ", std::string(better));
        CHECK_FALSE(std::regex_search(text, word));
    }
}

}  // namespace

TEST_CASE("vocabulary: a parameter's name means the same in every lab") {
    std::map<std::string, Told> known;
    for (const Told& told : all_parameters()) {
        const auto [place, fresh] = known.emplace(told.parameter.name, told);
        if (fresh) continue;
        // Two fields' words for two things: a population that attracts sites, and a part of an area.
        if (told.parameter.name == "density") continue;
        const Told& other = place->second;
        INFO(told.parameter.name, ", of ", told.lab, " and of ", other.lab);
        CHECK(without_dot(first_sentence(told.parameter.sentence)) ==
              without_dot(first_sentence(other.parameter.sentence)));
        CHECK(kind_of(told.parameter) == kind_of(other.parameter));
        // A lab may have fewer options, not others: only the Particles lab has particles of the user's own.
        for (size_t i = 0; i < std::min(told.parameter.options.size(), other.parameter.options.size()); ++i) {
            CHECK(told.parameter.options[i].name == other.parameter.options[i].name);
            CHECK(told.parameter.options[i].sentence == other.parameter.options[i].sentence);
        }
    }
    CHECK(known.size() > 50);
}

TEST_CASE("vocabulary: shared concepts have one name each") {
    // What a name may not be made of, as another name stands for it: (concept, its names, other words for it).
    struct Concept {
        const char* name;             // what every lab calls it
        std::vector<std::string> in;  // the labs that have it
        std::regex others;            // names that would mean the same
    };
    const std::vector<Concept> concepts{
        {"width", {"voronoi", "events", "microscope"}, std::regex("(lattice_)?(width|columns|nx|size_x)")},
        {"height", {"voronoi", "events", "microscope"}, std::regex("(lattice_)?(height|rows|ny|size_y)")},
        {"borders", {"voronoi", "events"}, std::regex("(periodic|boundary|boundaries|borders|torus|wrap)")},
        {"count",
         {"voronoi", "events", "particles"},
         std::regex("(count|sites|bubbles|droplets|particles|points|number|n)")},
        {"seed", {"flip", "race", "voronoi", "events", "particles"}, std::regex("(.*_)?seed|random.*")},
        {"method", {"voronoi", "events"}, std::regex("(method|colouring)")},
        {"exact_cells", {"voronoi", "events"}, std::regex("exact(_cells)?")},
        {"obstacle_count", {"voronoi", "events"}, std::regex("(posts|(post|wall|obstacle)_count)")},
        {"block_size",
         {"build", "flip", "race", "strips", "subdivide", "race-builds", "race-predicates", "voronoi", "events",
          "particles", "microscope"},
         std::regex("(block_size|threads.*|block)")},
        {"conflict", {"build", "flip", "race-predicates"}, std::regex("(conflicts?|winner|rule)")},
    };
    const std::vector<Told> all = all_parameters();
    for (const Concept& one : concepts) {
        INFO(one.name);
        std::set<std::string> labs;
        for (const Told& told : all) {
            INFO(told.lab, ": ", told.parameter.name);
            if (told.parameter.name == one.name)
                labs.insert(told.lab);
            else
                CHECK_FALSE(std::regex_match(told.parameter.name, one.others));
        }
        CHECK(labs == std::set<std::string>(one.in.begin(), one.in.end()));
    }
}

TEST_CASE("vocabulary: names are words with underscores, values are words with hyphens") {
    // A digit numbers what there are several of: fraction_1, and the configurations of a paper's table. An axis ends a
    // name, and a value as well: drift_x, periodic_x.
    const std::regex name("[a-z]+(_[a-z]+)*(_[1-9])?"), value("[a-z]+[0-9]?(-[a-z]+)*(_[xy])?");
    for (const Told& told : all_parameters()) {
        INFO(told.lab, ": ", told.parameter.name);
        CHECK(std::regex_match(told.parameter.name, name));
        for (const auto& option : told.parameter.options) {
            INFO(option.name);
            CHECK(std::regex_match(option.name, value));
        }
    }
}

TEST_CASE("vocabulary: an array's name holds the same in every lab") {
    // Its shape but for what the rows are called, and its sentence up to what is special to a lab.
    const std::map<std::string, std::string> common{
        {"colours", "the label of each pixel's nearest site; 2004318071 is an obstacle"},
        {"sites", "x and y, "},
        {"names", "what stays the same of each label over time: "},
        {"links", "labels of cells that are neighbours, the lower first"},
        {"clusters", "the label of the cluster that each belongs to: "}};
    std::map<std::string, size_t> seen;
    for (const RegistryEntry& entry : registry())
        for (const ArrayInfo& array : arrays_of(*entry.make())) {
            INFO(entry.id, ": ", array.name);
            ++seen[array.name];
            if (const auto found = common.find(array.name); found != common.end())
                CHECK(array.sentence.find(") " + found->second) != std::string::npos);
            else
                CHECK(seen[array.name] == 1);
        }
    for (const auto& [name, sentence] : common) CHECK(seen[name] == 2);
}

TEST_CASE("vocabulary: no lab has two parameters, arrays or counters of one name") {
    for (const RegistryEntry& entry : registry()) {
        INFO(entry.id);
        const auto lab = entry.make();
        std::set<std::string> names;
        for (const ParameterDescription& parameter : list_parameters(*lab)) CHECK(names.insert(parameter.name).second);
        names.clear();
        for (const ArrayInfo& array : arrays_of(*lab)) CHECK(names.insert(array.name).second);
        names.clear();
        for (const CounterInfo& counter : lab->info().counters) CHECK(names.insert(counter.name).second);
    }
}

TEST_CASE("vocabulary: what labs say of themselves uses the field's words") {
    for (const auto& [place, said] : all_sentences()) check_words(place, said);
}

TEST_CASE("vocabulary: refusals of manual edits use the field's words") {
    for (const RegistryEntry& entry : registry())
        for (const Edit::Kind kind :
             {Edit::Kind::kMoveVertex, Edit::Kind::kFlipEdge, Edit::Kind::kAddVertex, Edit::Kind::kRemoveVertex,
              Edit::Kind::kPaint, Edit::Kind::kWipe, Edit::Kind::kFreeze, Edit::Kind::kRelease, Edit::Kind::kAdjust})
            check_words(entry.id, refusal_of(entry.info(), kind));
}

TEST_CASE("vocabulary: what labs say while they run, and of what is clicked, uses the field's words") {
    Context context(DeviceRequest::kCpu, 2);
    const std::map<std::string, std::vector<Settings>> all{
        {"build", {{}, {"enclosure=supertriangle"}, {"predicate=float-circumcentre"}}},
        {"flip", {{}, {"criterion=angles"}}},
        {"voronoi",
         {{"count=40", "width=64", "height=64", "lloyd=1"},
          {"count=40", "width=64", "height=64", "method=jump-flooding", "obstacles=posts"}}},
        {"events",
         {{"width=96", "height=64", "count=20", "comparisons=3", "interval=40"},
          {"source=channel", "width=96", "height=64", "count=20", "comparisons=2", "graph=delaunay"}}},
        {"particles",
         {{"count=50", "record=1", "cluster_interval=1"},
          {"config=abp-dense", "count=40", "colour_by=orientation"},
          {"config=c3", "force=long", "count=3", "colour_by=bond-order", "density=0.2"}}}};
    for (const RegistryEntry& entry : registry()) {
        const auto found = all.find(entry.id);
        for (const Settings& settings : found == all.end() ? std::vector<Settings>{{}} : found->second) {
            const auto lab = lab_with(entry.id, settings);
            const LabInfo& info = lab->info();
            lab->set_records_states(true);
            lab->reset(context, !info.inputs.has(InputKind::kNothing)
                                    ? generated(info.inputs.has(InputKind::kMeshes) ? "quad:100" : "uniform:60")
                                    : make_input("nothing", {}));
            for (int i = 0; i < 300 && !lab->done(); ++i) check_words(entry.id, lab->step().message.text());
            const Scene scene = lab->scene();
            for (const Layer& layer : scene.layers) check_words(entry.id, layer.title + ": " + layer.sentence);
            for (const LegendEntry& legend : scene.legend())
                check_words(entry.id, legend.name + ": " + legend.sentence);
            check_words(entry.id, facet<Checkable>(*lab).check().sentence);
            for (const Property& number : lab->result().numbers)
                check_words(entry.id, number.name + " " + number.value.unit);
            if (const auto* measurable = find_facet<Measurable>(*lab)) {
                for (const Distribution& one : measurable->statistics().all<Distribution>())
                    check_words(entry.id, one.name + ": " + one.sentence + " " + one.unit + " " + one.before_name +
                                              " " + one.now_name);
                for (const Curve& one : measurable->statistics().all<Curve>())
                    check_words(entry.id, one.name + ": " + one.sentence + " " + one.remark);
            }
            if (const auto* detector = find_facet<Detector>(*lab)) {
                for (const Detection& one : detector->detections(0)) check_words(entry.id, one.kind);
                for (size_t i = 0; i < std::min<size_t>(detector->detection_count(), 3); ++i)
                    for (const Diagram& one : detector->report_of_detection(i).all<Diagram>())
                        check_words(entry.id, one.title + ": " + one.sentence);
            }
            const auto* inspectable = find_facet<Inspectable>(*lab);
            if (!inspectable) continue;
            for (const ElementKind kind :
                 {ElementKind::kVertex, ElementKind::kEdge, ElementKind::kTriangle, ElementKind::kPixel})
                for (const uint32_t id : {0u, 7u, 20u}) {
                    if ((kind == ElementKind::kTriangle) != info.makes_triangles && kind != ElementKind::kVertex &&
                        kind != ElementKind::kEdge)
                        continue;
                    for (const Property& one : inspectable->inspect({kind, id}).properties())
                        check_words(entry.id, one.name + ": " + text_of(one.value) + "; " + remark_of(one));
                }
        }
    }
}
