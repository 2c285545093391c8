// A picture of a state that outlives it: what a scene draws, copied into buffers of its own on the same device, so that
// it can be drawn beside the scenes of later states, of other inputs and of other labs. It can be coloured by a
// quantity as the live scene can, on the same scale. Nothing of it changes but that.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "instruments/exploration.h"
#include "lab/scene.h"

namespace flipscope {

class KeptScene {
  public:
    /// Bytes of the device that one copy may take: a triangulation of about four million points.
    static constexpr uint64_t kMostBytes = uint64_t(512) << 20;

    /// How many bytes a copy of the scene takes.
    static uint64_t bytes_of(const Scene& scene);

    /// Copies all that the scene draws; `scene` is the lab's own, nothing explored in it. Waits for the device. Throws
    /// Error where the copy would take more than `most` bytes. The context must outlive it.
    KeptScene(Context& context, const Scene& scene, uint64_t most = kMostBytes);
    KeptScene(const KeptScene&) = delete;
    KeptScene& operator=(const KeptScene&) = delete;

    /// Its elements are to be coloured by this quantity, or as the lab had them. Waits for the device; the picture
    /// stays as it is until the next match().
    void colour(const std::optional<Explored>& quantity);
    /// Whose attributes colour() may name; nullptr: none.
    void set_input(std::shared_ptr<const Geometry> input) {
        input_ = input;
        exploration_.set_input(std::move(input));
    }
    const Geometry* input() const { return input_.get(); }
    /// Colours become those of the last colour(), and layers of one name in both scenes that show the same quantity get
    /// one scale, which spans both: a colour means the same number here and there.
    void match(Scene& live);

    /// The picture. Meshes are copies, and no view has a readout.
    const Scene& scene() const { return scene_; }
    /// Another one whenever the picture has changed, and of every kept picture.
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
    std::vector<ColourScale> scales_;  // of all layers of all views, before they are matched
    bool coloured_ = false;            // by colour(), which match() has not shown yet
    uint64_t revision_ = 0, bytes_ = 0;
};

}  // namespace flipscope
