#include "labs/particles/particles_parameters.h"

#include <cmath>

#include "geometry/places.h"
#include "lab/parameters.h"
#include "lab/vocabulary.h"

namespace flipscope {

namespace {

constexpr const char* kWalls[] = {"auto", "none", "x", "y"};

/// The model of the named configuration; for "custom" the defaults of a model.
ParticleModel named_or_custom(const std::string& config) {
    return config == "custom" ? ParticleModel{} : named_model(config);
}

bool is_custom(const ParameterContext& now) { return now.is("config", "custom"); }

double number_of(const ParameterContext& now, const char* name) { return std::stod(now.value_of(name)); }

/// The value of a number that may be "auto": the configuration's.
double number_of(const ParameterContext& now, const char* name, double ParticleModel::*number) {
    return now.is(name, "auto") ? named_or_custom(now.value_of("config")).*number : number_of(now, name);
}
bool is_passive(const ParameterContext& now) { return number_of(now, "speed", &ParticleModel::speed) == 0; }

bool has_no_force(const ParameterContext& now) {
    return now.is("force", "none") ||
           (now.is("force", "auto") && named_or_custom(now.value_of("config")).force == ForceLaw::kNone);
}
bool is_short(const ParameterContext& now) {
    return now.is("force", "short") ||
           (now.is("force", "auto") && named_or_custom(now.value_of("config")).force == ForceLaw::kShortRange);
}
const OverrideRule no_force = override_if(has_no_force, "There is no force between particles."),
                   only_of_long_range = override_if(is_short, "The force is not long-range."),
                   only_of_short_range =
                       override_if([](const auto&now) { return !is_short(now); }, "The force is not short-range."),
                   no_overlaps = override_if(
                       [](const auto&now) { return now.is("overlaps", "off") || !now.is("soft_repulsion", "none"); },
                       "Overlapping particles are not pushed apart."),
                   only_of_recorded =
                       override_if([](const auto&now) { return now.is("record", "off"); }, "No frames are recorded."),
                   only_with_stress = override_if(
                       [](const auto&now) {
                           return !has_no_force(now) || (now.is("overlaps", "on") && now.is("soft_repulsion", "none"));
                       },
                       "No stress is defined with a force or with pushes: take force=none, and a soft repulsion or "
                       "overlaps=off.");

/// The last visited number accepts "auto" for the configuration's value.
void or_of_config(ParameterVisitor& visitor, const char* name, double ParticleModel::*number) {
    visitor.or_word("auto");
    visitor.overridden_by([=](const ParameterContext& now) {
        if (!now.is(name, "auto")) return Override{};
        return Override{"\"auto\" stands for that of the configuration.", format_exactly(number_of(now, name, number)),
                        true};
    });
}

/// For the area fraction, "auto" is the value at the start; another configuration during the run does not change it.
void or_at_start(ParameterVisitor& visitor, const ParticlesParameters& p) {
    ParticlesParameters start = p;
    if (p.config_at_start >= 0) start.config = p.config_at_start;
    const std::string current = config_name(p), started = config_name(start);
    visitor.or_word("auto");
    visitor.overridden_by([=](const ParameterContext& now) {
        if (!now.is("density", "auto")) return Override{};
        const std::string config = now.is("config", current.c_str()) ? started : now.value_of("config");
        return Override{"\"auto\" stands for that of the configuration at the start.",
                        format_exactly(named_or_custom(config).density), true};
    });
}

/// Equation 10 has no positional noise; only configurations of active particles leave it out.
bool has_no_diffusion(const ParameterContext& now) {
    return named_or_custom(now.value_of("config")).speed > 0 && !is_passive(now);
}
Override no_noise(const ParameterContext& now) {
    const bool moves = !has_no_diffusion(now) && number_of(now, "diffusion") > 0;
    const bool turns = !is_passive(now) && number_of(now, "rotation", &ParticleModel::rotation) > 0;
    return moves || turns ? Override{} : Override{"There is no noise.", ""};
}

Override input_decides_count(const ParameterContext& now) {
    const size_t given = now.input.points.size();
    return given ? Override{"The input's points are the particles.", std::to_string(given)} : Override{};
}
bool has_box(const Geometry& input) { return input.box.x > 0 || input.box.y > 0; }
Point box_of(const ParameterContext& now) {
    return now.is("box", "auto") ? now.input.box : size_of_text(now.value_of("box")).value_or(Point{});
}
OpenAxis walls_of(const ParameterContext& now) {
    for (int walls = 0; walls < 4; ++walls)
        if (now.is("walls", kWalls[walls])) return chosen_walls(walls, box_of(now), now.input);
    return OpenAxis::kNone;
}
Override input_has_box(const ParameterContext& now) {
    if (!now.is("box", "auto") || !has_box(now.input)) return {};
    return {"auto stands for that of " + now.input.name + ".", text_of_size(now.input.box), true};
}
Override walls_of_box(const ParameterContext& now) {
    if (!now.is("walls", "auto")) return {};
    return {"\"auto\" stands for walls across an axis along which the box is not periodic.",
            kWalls[1 + int(walls_of(now))], true};
}
Override rectangle_takes_double(const ParameterContext& now) {
    const Point box = box_of(now);
    return box.x == box.y && walls_of(now) == OpenAxis::kNone
               ? Override{}
               : Override{"In a rectangular box and in a channel forces are summed in double.", "double"};
}
Override box_decides_density(const ParameterContext& now) {
    return !now.is("box", "auto") || has_box(now.input) ? Override{"The box is given and determines the density.", ""}
                                                        : Override{};
}

void visit_species(ParameterVisitor& visitor, ParticlesParameters& p) {
    const auto config_decides = [&](uint32_t k, double Species::*number) {
        visitor.overridden_by([=](const ParameterContext& now) {
            if (is_custom(now)) return Override{};
            const ParticleModel model = named_model(now.value_of("config"));
            const std::string why = "The configuration determines the species; \"custom\" leaves them free.";
            return Override{why, k < model.species.size() ? format_exactly(model.species[k].*number) : ""};
        });
        visitor.overridden_by(
            override_if([=](const auto& now) { return number_of(now, "species") <= k; }, "There are fewer species."));
    };
    visitor.group("Species of config=custom");
    visitor.take_effect(EffectAt::kStart);
    visitor.integer("species", "Number of species", "How many kinds of particles there are.", p.species, 1,
                    kShownSpecies);
    visitor.overridden_by([](const ParameterContext& now) {
        if (is_custom(now)) return Override{};
        return Override{"The configuration determines the species; \"custom\" leaves them free.",
                        std::to_string(named_model(now.value_of("config")).species.size())};
    });
    for (uint32_t k = 0; k < kShownSpecies; ++k) {
        const std::string number = std::to_string(k + 1), of = " of species " + number;
        visitor.take_effect(EffectAt::kStart);
        visitor.number("fraction_" + number, "Fraction" + of,
                       "Part of all particles that are" + of + "; relative to those of the others.",
                       p.kinds[k].fraction, 0, 1);
        config_decides(k, &Species::fraction);
        visitor.take_effect(EffectAt::kStep);
        visitor.number("alpha_" + number, "\xCE\xB1" + of,
                       "Charge as the source of forces (equation 2): others feel it in proportion.", p.kinds[k].alpha,
                       -100, 100);
        config_decides(k, &Species::alpha);
        visitor.overridden_by(no_force);
        visitor.number("mu_" + number, "\xCE\xBC" + of,
                       "Charge as the response to forces (equation 2): \xCE\xBC\xCE\xB1 above 0 repels.", p.kinds[k].mu,
                       -100, 100);
        config_decides(k, &Species::mu);
        visitor.overridden_by(no_force);
        visitor.number("diameter_" + number, "Diameter" + of, "Of its discs, world units.", p.kinds[k].diameter, 0.1,
                       10);
        config_decides(k, &Species::diameter);
    }
}

}  // namespace

std::string config_name(const ParticlesParameters& parameters) {
    const std::vector<std::string> names = model_names();
    return size_t(parameters.config) < names.size() ? names[size_t(parameters.config)] : "custom";
}

void visit_particles_parameters(ParameterVisitor& visitor, ParticlesParameters& p) {
    std::vector<ParameterVisitor::Option> configs = particle_configurations();
    configs.push_back({"custom", "species as the parameters below say"});
    visitor.take_effect(EffectAt::kStep);
    visitor.choice("config", "Configuration", "Which particles there are, and how they act on each other.", p.config,
                   configs);
    visitor.take_effect(EffectAt::kStart);
    visit_count(visitor, "Particles", "", p.count, 0, 16000000);
    visitor.overridden_by(input_decides_count);
    visitor.number("density", "Area fraction",
                   "Part of the box that discs cover at the start (equation 9); auto: that of the configuration.",
                   p.density, 1e-6, 0.9);
    visitor.overridden_by(box_decides_density);
    or_at_start(visitor, p);
    visitor.toggle("column_radii", "Radii of the input",
                   "A column \"radius\" or \"diameter\" of an input gives each particle its own.", p.column_radii);
    visitor.overridden_by([](const ParameterContext& now) {
        return column_of_radii(now.input, true) ? Override{} : Override{"The input has no such column.", ""};
    });
    visitor.number("radius_spread", "Spread of radii",
                   "Radii differ from their mean by up to this fraction of the mean. Those of a species are spread "
                   "evenly; up to 0.28 with overlaps resolved.",
                   p.spread, 0, 0.9);
    visitor.overridden_by([](const ParameterContext& now) {
        const Attribute* const column = column_of_radii(now.input, now.is("column_radii", "on"));
        return column ? Override{"The column \"" + column->name + "\" of the input gives them.", ""} : Override{};
    });
    visit_box(
        visitor,
        "auto: the input's own, if it has one; or as the area fraction says, and points of an input are scaled to it.",
        p.box, 1e9);
    visitor.overridden_by(input_has_box);
    visitor.choice("walls", "Walls",
                   "The axis across which two hard walls, not periodic borders, bound the box, which is then a "
                   "channel. Discs stay between the walls.",
                   p.walls,
                   {{kWalls[0], "across an axis along which the side of the box is 0, or the input's is not periodic"},
                    {kWalls[1], "none: the box is periodic along both axes"},
                    {kWalls[2], "at the left and at the right: it is periodic along y alone"},
                    {kWalls[3], "at the bottom and at the top: it is periodic along x alone"}});
    visitor.overridden_by(walls_of_box);
    visitor.number(
        "shear_rate", "Shear rate",
        "The difference of the walls' speeds over the width of the channel. Per time; the walls carry the discs that "
        "lie at them at the start, and the others drift with the solvent between them.",
        p.shear_rate, -1e6, 1e6);
    visitor.overridden_by(override_if([](const auto& now) { return walls_of(now) == OpenAxis::kNone; },
                                      "The box has no walls that could move."));
    visit_seed(visitor, "Seed", p.seed);

    visitor.group("Forces");
    visitor.take_effect(EffectAt::kStep);
    visitor.choice("force", "Force", "How a force between particles decays with their distance r.", p.force,
                   {{"auto", "that of the configuration"},
                    {"none", "no force: noise, swimming and overlaps alone"},
                    {"long", "1/r\xC2\xB2, between all pairs (r/r\xC2\xB3 of equation 2)"},
                    {"short", "1/r\xE2\x81\xB6, up to the cutoff (r/r\xE2\x81\xB7)"}});
    visitor.number("cutoff", "Cutoff", "Particles farther apart exert no short-range force, world units.", p.cutoff,
                   0.1, 100);
    visitor.overridden_by(no_force, only_of_short_range);
    visitor.choice(
        "near_pairs", "Near pairs", "How pairs within the cutoff are found; the forces are the same.", p.near_pairs,
        {{"cells", "a grid of cells, rebuilt in every step"},
         {"verlet",
          "lists of neighbours that reach farther than the cutoff, and are kept until a particle has moved too far"}});
    visitor.overridden_by(no_force, only_of_short_range);
    visitor.number("skin", "Skin", "By how much lists of near pairs reach beyond the cutoff, world units.", p.skin, 0,
                   10);
    visitor.overridden_by(
        no_force, only_of_short_range,
        override_if([](const auto& now) { return !now.is("near_pairs", "verlet"); }, "Cells have no skin."));
    visit_repulsion(visitor, p.repulsion, p.repulsion_strength);
    visitor.choice("precision", "Precision of forces", "Numbers that forces are summed in.", p.precision,
                   {{"float", "32 bits"}, {"double", "64 bits"}});
    visitor.overridden_by(no_force, rectangle_takes_double);
    visitor.choice("tiling", "Tiles", "How threads on CUDA share particles they load; the forces are the same.",
                   p.tiling,
                   {{"shuffle", "by warp shuffles, in registers"}, {"shared", "in shared memory (figure 12)"}});
    visitor.overridden_by(no_force, only_of_long_range);

    visitor.group("Motion");
    visitor.number("dt", "\xCE\x94t", "Length of a time step.", p.dt, 1e-9, 100);
    visitor.number("diffusion", "Diffusion D",
                   "Noise of positions: a component of a step has the standard deviation \xE2\x88\x9A(D\xCE\x94t), as "
                   "equation 1 has it.",
                   p.diffusion, 0, 1000);
    visitor.overridden_by([](const ParameterContext& now) {
        return has_no_diffusion(now) ? Override{"Equation 10 of active particles has no noise of positions.",
                                                format_exactly(named_or_custom(now.value_of("config")).diffusion)}
                                     : Override{};
    });
    visitor.choice("noise", "Tails of the noise", "What becomes of random numbers beyond 3 standard deviations.",
                   p.noise, {{"clamped", "3 standard deviations instead"}, {"rerolled", "another number is drawn"}});
    visitor.overridden_by(no_noise);
    visitor.number("speed", "Speed of swimming",
                   "The driving speed. V\xE2\x82\x80 of active particles (equation 10), world units per time; 0: "
                   "passive ones; auto: that of the configuration.",
                   p.speed, 0, 1000);
    or_of_config(visitor, "speed", &ParticleModel::speed);
    visitor.number("rotation", "Rotation",
                   "Noise of orientations: an angle's step has the standard deviation \xE2\x88\x9A(2D\xCE\x94t) "
                   "(equation 11); auto: that of the configuration.",
                   p.rotation, 0, 1000);
    visitor.overridden_by(override_if(is_passive, "These particles are passive; a speed above 0 makes them swim."));
    or_of_config(visitor, "rotation", &ParticleModel::rotation);

    visitor.group("Overlaps");
    visitor.toggle("overlaps", "Resolve overlaps", "Overlapping pairs are pushed apart until there are none.",
                   p.overlaps);
    visitor.overridden_by([](const ParameterContext& now) {
        return now.is("soft_repulsion", "none") ? Override{}
                                                : Override{"Discs that repel each other softly overlap.", "off"};
    });
    visitor.number(
        "delta", "\xCE\xB4",
        "Part of its overlap by which a pair's particles are pushed, each: 1 rebounds, 1/2 leaves them touching.",
        p.delta, 0.01, 1);
    visitor.overridden_by(no_overlaps);
    visitor.number("cap", "Largest push",
                   "The greatest distance allowed. A longer push is shortened to it; in diameters.", p.cap, 0.01, 0.5);
    visitor.overridden_by(no_overlaps);
    visitor.integer("push_limit", "Pushes per step", "The most pushes; the step then ends, overlaps or not.",
                    p.push_limit, 1, 1000000);
    visitor.overridden_by(no_overlaps);

    visitor.choice("after_rebuild", "After a rebuild",
                   "What follows a step in which flips could not turn all inverted triangles upright. Discs may have "
                   "passed through each other in it. In a channel the run goes on.",
                   p.after_rebuild,
                   {{"end", "the run ends; with a smaller \xCE\x94t it can go on"}, {"go-on", "the run goes on"}});
    visitor.overridden_by(no_overlaps);

    visit_species(visitor, p);

    visitor.group("Run");
    visitor.integer("steps", "Time steps", "The number of time steps in a run; none: the run has no end.", p.steps, 1,
                    1000000000);
    visitor.or_word("none");
    visitor.integer("record", "Record every",
                    "Positions are kept every so many steps, for trails and for export of tracks; off: never.",
                    p.record, 1, 1000000);
    visitor.or_word("off");
    visitor.integer("cluster_interval", "Measure clusters every",
                    "The share of the largest cluster is measured every so many steps; off: never.", p.cluster_interval,
                    1, 1000000);
    visitor.or_word("off");
    visitor.integer("stress_interval", "Measure the stress every",
                    "Pressure and shear stress are measured every so many steps, where the forces define them; off: "
                    "never.",
                    p.stress_interval, 1, 1000000);
    visitor.or_word("off");
    visitor.overridden_by(only_with_stress);
    visitor.take_effect(EffectAt::kView);
    visitor.number(
        "wavenumber", "Wavenumber k",
        "Of the self-intermediate scattering of recorded frames, per world unit; auto: 2\xCF\x80 over the mean "
        "diameter.",
        p.wavenumber, 1e-6, 1e6);
    visitor.or_word("auto");
    visitor.overridden_by(only_of_recorded);
    visitor.number("contact_distance", "Longest contact",
                   "Links longer than this, from centre to centre, are left out. World units; any: every edge of the "
                   "triangulation counts. For lifetimes and cages of recorded frames.",
                   p.contact_distance, 1e-6, 1e6);
    visitor.or_word("any");
    visitor.overridden_by(only_of_recorded);
    visitor.choice(
        "colour_by", "Colour by", "The quantity shown by the colour of a disc.", p.colour_by,
        {{"species", "its species"},
         {"overlaps", "its species, or red: it overlaps another one, or did in this step (figure 13)"},
         {"speed", "how far it moved in this step, over \xCE\x94t"},
         {"orientation", "where an active particle swims to"},
         {"degree", "how many Delaunay neighbours it has"},
         {"bond-order", "|\xCF\x88\xE2\x82\x86|: 1 where its neighbours are at the corners of a regular hexagon"},
         {"cluster", "how many particles are in its cluster"}});
    visitor.take_effect(EffectAt::kStart);
    visit_block_size(visitor, p.block_size);
}

const Attribute* column_of_radii(const Geometry& input, bool column_radii) {
    for (size_t k = 0; column_radii && input.attributes && k < input.attributes->size(); ++k) {
        const Attribute& column = (*input.attributes)[k];
        std::string name = column.name;
        for (char& c : name) c = static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
        if (column.categories.empty() && (name == "radius" || name == "diameter")) return &column;
    }
    return nullptr;
}

OpenAxis chosen_walls(int walls, Point sides, const Geometry& input) {
    if (walls > 0) return static_cast<OpenAxis>(walls - 1);
    if (sides.x > 0 && sides.y > 0) sides = input.box;  // overrides the size of the input's box
    if ((sides.x > 0) == (sides.y > 0)) return OpenAxis::kNone;
    return sides.x > 0 ? OpenAxis::kY : OpenAxis::kX;
}

ParticleModel model_of(const ParticlesParameters& p) {
    const std::string config = config_name(p);
    ParticleModel model = named_or_custom(config);
    if (config == "custom") {
        model.species.assign(p.kinds, p.kinds + p.species);
    }
    const bool is_passive_config = model.speed == 0;
    if (!std::isnan(p.speed)) model.speed = p.speed;
    if (is_passive_config || model.speed == 0) model.diffusion = p.diffusion;
    model.count = static_cast<uint32_t>(p.count);
    if (!std::isnan(p.density)) model.density = p.density;
    if (p.force > 0) model.force = static_cast<ForceLaw>(p.force - 1);
    model.spread = p.spread;
    model.shear_rate = p.shear_rate;
    model.repulsion = static_cast<RepulsionKind>(p.repulsion);
    model.repulsion_strength = p.repulsion_strength;
    model.cutoff = p.cutoff;
    model.near_pairs = static_cast<NearPairs>(p.near_pairs);
    model.skin = p.skin;
    model.precision = static_cast<Precision>(p.precision);
    model.tiling = static_cast<Tiling>(p.tiling);
    model.dt = p.dt;
    model.noise = static_cast<NoiseTails>(p.noise);
    if (!std::isnan(p.rotation)) model.rotation = p.rotation;
    model.overlaps = p.overlaps && model.repulsion == RepulsionKind::kNone;
    model.delta = p.delta;
    model.cap = p.cap;
    model.most_pushes = static_cast<uint32_t>(p.push_limit);
    model.seed = static_cast<uint64_t>(p.seed);
    return model;
}

}  // namespace flipscope
