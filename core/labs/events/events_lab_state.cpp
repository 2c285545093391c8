// The Events lab's whole state: hashed, saved and loaded. What is not in Standing, the source, the log, the names of
// tracks or the two moments is a function of these, so a snapshot holds no more, and load() makes the rest again.
#include "labs/events/events_lab.h"
#include "mesh/hash.h"

namespace flipscope {

namespace {

constexpr size_t kMomentBlocks = 5;

void save_moment(Snapshot& snapshot, const Moment& moment, const std::vector<int64_t>& ids) {
    const uint32_t count = moment.read_count();
    put_block(snapshot, moment.centre_buffer(), count);
    put_block(snapshot, moment.starts(), size_t(count) + 1);
    put_block(snapshot, moment.neighbours(), moment.read_entries());
    put_block(snapshot, moment.names(), count);
    put_values(snapshot, ids.data(), ids.size());
}

}  // namespace

uint64_t EventsLab::state_hash() const {
    if (!source_) return 0;
    uint64_t hash = 0;
    const auto add = [&](uint64_t word) { hash = mix64(hash ^ word); };
    for (const uint64_t word : {uint64_t(state_.next), uint64_t(state_.round), uint64_t(state_.made),
                                uint64_t(state_.next_name), state_.breaking, state_.arising, state_.counts.now,
                                state_.counts.matched, state_.counts.active, log_.hash(), source_->hash()})
        add(word);
    for (const uint64_t count : state_.kinds) add(count);
    for (const Moment* moment : {&past(), &present()}) {
        const uint32_t count = moment->read_count(), entries = moment->read_entries();
        if (count == 0) continue;
        hash = hash_words(*context_, words_of(moment->centre_buffer(), count), hash);
        hash = hash_words(*context_, words_of(moment->starts(), size_t(count) + 1), hash);
        hash = hash_words(*context_, words_of(moment->neighbours(), entries), hash);
    }
    if (at_rest()) hash = hash_words(*context_, words_of(present().names(), state_.counts.now), hash);
    const Buffer<uint32_t>& colours = chain_.colouring().colours();
    hash = hash_words(*context_, words_of(colours, colours.size()), hash);
    if (chain_.has_field()) {
        const Buffer<uint32_t>& labels = chain_.components().labels();
        hash = hash_words(*context_, words_of(labels, labels.size()), hash);
    }
    return hash;
}

Snapshot EventsLab::save() const {
    Snapshot snapshot;
    put_values(snapshot, &state_, 1);
    log_.save(snapshot);
    save_moment(snapshot, past(), ids_[1 - current_]);
    save_moment(snapshot, present(), ids_[current_]);
    put_values(snapshot, &current_, 1);
    put_values(snapshot, named_ids_.data(), named_ids_.size());
    source_->save(snapshot);
    return snapshot;
}

void EventsLab::load(const Snapshot& snapshot) {
    take_values(snapshot, 0, &state_, 1);
    size_t block = log_.load(snapshot, 1);
    const size_t moments = block;
    block += 2 * kMomentBlocks;
    take_values(snapshot, block, &current_, 1);
    named_ids_ = take_vector<int64_t>(snapshot, block + 1);
    names_of_ids_.clear();
    for (uint32_t name = 0; name < named_ids_.size(); ++name) names_of_ids_[named_ids_[name]] = name;
    source_->load(*context_, snapshot, block + 2);
    for (const size_t k : {size_t(0), size_t(1)}) {
        Moment& moment = k == 0 ? past() : present();
        const size_t first = moments + k * kMomentBlocks;
        moment.take(*context_, take_vector<Point>(snapshot, first), take_vector<uint32_t>(snapshot, first + 1),
                    take_vector<uint32_t>(snapshot, first + 2));
        const auto names = take_vector<uint32_t>(snapshot, first + 3);
        moment.names().upload(*context_, names.data(), names.size());
        ids_[k == 0 ? 1 - current_ : current_] = take_vector<int64_t>(snapshot, first + 4);
        moment.take_given(*context_, ids_[k == 0 ? 1 - current_ : current_]);
    }
    if (!state_.made) {
        chain_.reset(*context_, now_, *source_, watched_);
        drawing_.reset(*context_, chain_.lattice(), watched_);
        detection_.reset(*context_, chain_.lattice());
        return;
    }
    const std::vector<uint32_t> names = present().names().download();
    make_graph(true);
    present().names().upload(*context_, names.data(), names.size());
    match();
    compare();
    if (state_.counts.triggered()) detection_.extract(*context_, past(), present(), matching_, state_.counts);
    draw();
    show_labels();
}

}  // namespace flipscope
