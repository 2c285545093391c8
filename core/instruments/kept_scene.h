// A kept picture: a copy of a scene's buffers on the same device, to be drawn beside scenes of later states, other
// inputs or other labs. Only what is shown of it can change, as in the live scene: a quantity as colours, on the same
// scale; structures of the triangulation; the paraboloid.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "instruments/exploration.h"
#include "instruments/paraboloid.h"
#include "lab/scene.h"

namespace flipscope {

class KeptScene {
  public:
    /// Bytes of the device that one copy may take: a triangulation of about four million points.
    static constexpr uint64_t kMostBytes = uint64_t(512) << 20;

    /// Size of a copy of the scene, in bytes.
    static uint64_t bytes_of(const Scene& scene);

    /// Copies everything that the scene draws; `scene` is the lab's own, without exploration. Waits for the device.
    /// Throws Error for a copy of more than `most` bytes. The context must outlive it.
    KeptScene(Context& context, const Scene& scene, uint64_t most = kMostBytes);
    KeptScene(const KeptScene&) = delete;
    KeptScene& operator=(const KeptScene&) = delete;

    /// Shows what is shown of the live scene, except for its selection. Waits for the device; takes effect at the next
    /// match().
    void show_as(const ExplorationChoice& live, Paraboloid::Choice lift = {});
    /// The input whose attributes can colour it; nullptr: none.
    void set_input(std::shared_ptr<const Geometry> input) {
        input_ = input;
        exploration_.set_input(std::move(input));
    }
    const Geometry* input() const { return input_.get(); }
    /// Applies the last show_as(). Layers of one name that show the same quantity in both scenes get one common scale,
    /// so that a colour means the same number in both.
    void match(Scene& live);

    /// The picture. Meshes are copies, and no view has a readout.
    const Scene& scene() const { return scene_; }
    /// Changes with every change of the picture; unique among kept pictures.
    uint64_t revision() const { return revision_; }
    uint64_t bytes() const { return bytes_; }

  private:
    template <class T>
    const Buffer<T>* copied(const Buffer<T>* from);
    void copy_mesh(SceneView& view);
    void put_on();

    Context& context_;
    Scene own_, scene_;  // as the lab had it, with copies of its meshes; as it is shown
    std::vector<std::unique_ptr<TriangleMesh>> meshes_;
    std::map<const void*, std::pair<std::shared_ptr<void>, const void*>> copies_;  // by the buffer that was copied
    std::shared_ptr<const Geometry> input_;
    Exploration exploration_;
    Paraboloid paraboloid_;
    Paraboloid::Choice lift_;
    std::vector<ColourScale> scales_;  // of all layers of all views, before they are matched
    bool changed_ = false;             // by show_as(), not yet applied by match()
    uint64_t revision_ = 0, bytes_ = 0;
};

}  // namespace flipscope
