#include "delaunay/torus/torus_rounds.h"

#include <array>
#include <utility>

#include "compute/launch.h"
#include "compute/primitives.h"
#include "delaunay/torus/torus_flips.h"
#include "mesh/checks.h"
#include "mesh/hash.h"

namespace flipscope {

namespace {

struct MarkChosenOnTorus {
    TorusWaiting waiting;
    View<const uint64_t> votes;
    View<State> states;
    uint32_t round;
    FLIPSCOPE_HD void operator()(uint32_t i) const {
        const uint32_t id = waiting.ids[i];
        const bool chosen = votes[waiting.triangles[i]] == torus_vote(round, id);
        states[id] = State(kStateWaiting | (chosen ? kStateChosen : 0));
    }
};

struct MarkSplitOnTorus {
    MeshView mesh;
    TorusWaiting chosen;
    uint32_t first_triangle, first_edge;
    FLIPSCOPE_HD void operator()(uint32_t i) const {
        mark_split(mesh, chosen.triangles[i], chosen.ids[i], first_triangle + 2 * i, first_edge + 3 * i);
    }
};

struct MarkQueuedOnTorus {
    FlipPass pass;
    FLIPSCOPE_HD void operator()(uint32_t i) const { mark_edge(pass.mesh, pass.worklist_edge(i), kStateQueued); }
};

struct HashImages {
    View<const ImageShift> images;
    FLIPSCOPE_HD void operator()(uint32_t i, BlockSums& sums) const {
        sums.value[0] += mix64(uint64_t(i) << 16 | uint64_t(uint8_t(images[i].x)) << 8 | uint8_t(images[i].y));
    }
};

}  // namespace

void TorusRounds::List::make_room(Context& context, uint32_t n) {
    ids.resize(context, n, false);
    triangles.resize(context, n, false);
    images.resize(context, n, false);
}

void TorusRounds::seed(Context& context, const TorusBox& box) {
    context_ = &context;
    box_ = box;
    // The edges lie along x, along y and along the diagonal of the box.
    constexpr std::array<ImageShift, 6> shifts{{{1, 0}, {0, 1}, {-1, -1}, {1, 1}, {-1, 0}, {0, -1}}};
    constexpr std::array<uint32_t, 6> half_edges{0, 2, 5, 4, 1, 3};
    std::array<uint32_t, 6> corners{}, zeros{};
    for (uint32_t corner = 0; corner < 6; ++corner) corners[half_edges[corner]] = corner;
    context.copy(mesh_->triangles.view().data, zeros.data(), sizeof zeros);
    context.copy(mesh_->edges.view().data, zeros.data(), sizeof zeros);
    context.copy(mesh_->half_edge_at.view().data, half_edges.data(), sizeof half_edges);
    context.copy(mesh_->corner_of.view().data, corners.data(), sizeof corners);
    context.copy(mesh_->shifts.view().data, shifts.data(), sizeof shifts);
    mesh_->triangle_count = 2;
    mesh_->edge_count = 3;
    flips_->queue_all(mesh_->edge_count);
    flip_all_on_torus(*flips_, *mesh_, box_, TorusRule::kDelaunay, [](const FlipCounts&) {});

    const uint32_t count = mesh_->vertex_count;
    round_ = chosen_ = 0;
    waiting_ = count - 1;
    for (List* list : {&list_, &rest_, &points_}) list->make_room(context, waiting_);
    votes_.fill(context, 2 * size_t(count), 0xFF);
    total_.resize(context, 1);
    launch(context, "torus.start", waiting_, StartTorusWaiting{list_.view()});
}

uint64_t TorusRounds::locate() {
    const BlockSums sums = with_static_box(box_, [&]<class Box>(const Box& box) {
        return sums_of(*context_, "torus.locate", waiting_,
                       LocateOnTorus<Box>{{mesh_->view(), box}, list_.view(), mesh_->positions.view()});
    });
    return sums.value[0];
}

void TorusRounds::vote() {
    ++round_;
    launch(*context_, "torus.vote", waiting_, VoteOnTorus{list_.view(), votes_.view(), round_});
}

uint32_t TorusRounds::split() {
    compact(*context_, "torus.choose", waiting_,
            ChooseOnTorus{list_.view(), points_.view(), rest_.view(), votes_.view(), round_}, total_.view());
    chosen_ = total_.read(0);
    launch(*context_, "torus.split", chosen_,
           SplitOnTorus{mesh_->view(), points_.view(), mesh_->triangle_count, mesh_->edge_count});
    mesh_->triangle_count += 2 * chosen_;
    mesh_->edge_count += 3 * chosen_;
    waiting_ -= chosen_;
    std::swap(list_, rest_);
    return chosen_;
}

void TorusRounds::link() {
    launch(*context_, "torus.link", chosen_, LinkOnTorus{mesh_->view(), mesh_->triangle_count - 2 * chosen_});
    queue_split();
}

void TorusRounds::queue_again(bool flipped) {
    if (flipped)
        flips_->queue_all(mesh_->edge_count);
    else
        queue_split();
}

void TorusRounds::queue_split() {
    Buffer<uint32_t>& list = flips_->spare_list();
    list.resize(*context_, 3 * size_t(chosen_), false);
    compact(*context_, "torus.queue", chosen_,
            QueueSplitOnTorus{mesh_->view(), points_.view(), votes_.view(), round_, mesh_->triangle_count - 2 * chosen_,
                              list.view()},
            total_.view());
    flips_->take_spare_list(total_.read(0));
}

void TorusRounds::mark_waiting() {
    launch(*context_, "watch.waiting", waiting_,
           MarkVertices{list_.ids.view(), mesh_->vertex_states.view(), kStateWaiting});
}

void TorusRounds::mark_chosen() {
    launch(*context_, "watch.vote", waiting_,
           MarkChosenOnTorus{list_.view(), votes_.view(), mesh_->vertex_states.view(), round_});
}

void TorusRounds::mark_split() {
    launch(*context_, "watch.split", chosen_,
           MarkSplitOnTorus{mesh_->view(), points_.view(), mesh_->triangle_count - 2 * chosen_,
                            mesh_->edge_count - 3 * chosen_});
}

void TorusRounds::mark_queued() {
    const FlipPass pass = flips_->pass(mesh_->view());
    launch(*context_, "watch.queue", flips_->run_state.queued, MarkQueuedOnTorus{pass});
}

uint64_t TorusRounds::hash() const {
    uint64_t hash = mix64(uint64_t(round_) << 32 | waiting_);
    if (waiting_ == 0) return hash;
    hash = hash_words(*context_, words_of(list_.ids, waiting_), hash);
    hash = hash_words(*context_, words_of(list_.triangles, waiting_), hash);
    return mix64(hash ^ sums_of(*context_, "hash.images", waiting_, HashImages{list_.images.view()}).value[0]);
}

void TorusRounds::save(Snapshot& snapshot) const {
    const uint32_t counts[] = {round_, waiting_};
    put_values(snapshot, counts, 2);
    put_block(snapshot, list_.ids, waiting_);
    put_block(snapshot, list_.triangles, waiting_);
    put_block(snapshot, list_.images, waiting_);
}

void TorusRounds::load(const Snapshot& snapshot, size_t first) {
    uint32_t counts[2];
    load_values(snapshot, first, counts, 2);
    require_count<uint32_t>(snapshot, first + 1, counts[1]);
    require_count<uint32_t>(snapshot, first + 2, counts[1]);
    require_count<ImageShift>(snapshot, first + 3, counts[1]);
    require_fits(snapshot, first + 1, list_.ids);
    round_ = counts[0];
    waiting_ = counts[1];
    chosen_ = 0;
    load_block(*context_, snapshot, first + 1, list_.ids);
    load_block(*context_, snapshot, first + 2, list_.triangles);
    load_block(*context_, snapshot, first + 3, list_.images);
    votes_.fill_bytes(0xFF);
}

}  // namespace flipscope
