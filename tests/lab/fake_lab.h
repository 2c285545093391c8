// A lab that computes nothing and has the detections and arrays that a test gives it.
#pragma once

#include <map>
#include <stdexcept>
#include <string>
#include <vector>

#include "lab/lab.h"

namespace flipscope {

class FakeLab : public Lab, public Inspectable, public Detector, public Exporter {
  public:
    LabInfo about{"fake", "Fake lab", "", "", {{"look", "It looks."}}, {{"seen", "what it saw"}}};
    std::vector<Detection> found;
    std::map<std::string, Array> made;
    std::vector<Point> points;
    std::vector<std::array<uint32_t, 3>> triangles;

    const LabInfo& info() const override { return about; }
    void parameters(ParameterVisitor& visitor) override {
        visitor.integer("before", "Before", "In no group.", number_, 0, 9);
        visitor.group("Light");
        visitor.integer("lamps", "Lamps", "In a group.", number_, 0, 9);
        visitor.group("Sound");
        visitor.integer("volume", "Volume", "In another.", number_, 0, 9);
    }
    void reset(Context&, std::shared_ptr<const Geometry>) override {}
    void set_records_states(bool) override {}
    bool done() const override { return true; }
    uint32_t next_pass() const override { return kNone; }
    StepResult step() override { throw std::logic_error("done"); }
    void finish(const std::function<void(const StepResult&)>&) override {}
    Scene scene() const override { return {}; }
    Report inspect(Element) const override { return {}; }
    Element pick(const Probe&) const override { return {}; }
    std::vector<Detection> detections(size_t first) const override {
        return {found.begin() + static_cast<ptrdiff_t>(first), found.end()};
    }
    size_t detection_count() const override { return found.size(); }
    std::vector<ArrayInfo> arrays() const override {
        std::vector<ArrayInfo> infos;
        for (const auto& [name, array] : made) infos.push_back({name, "an array"});
        return infos;
    }
    Array array(const std::string& name) const override { return made.at(name); }
    uint64_t state_hash() const override { return 0; }
    Result result() const override { return {}; }
    TriangleSoup soup() const override { return {&points, triangles}; }
    Snapshot save() const override { return {}; }
    void load(const Snapshot&) override {}

  private:
    int number_ = 3;
};

/// An array of these numbers.
template <class T>
Array array_of(Array::Type type, std::vector<size_t> shape, const std::vector<T>& values) {
    const auto* bytes = reinterpret_cast<const std::byte*>(values.data());
    return {type, std::move(shape), {bytes, bytes + values.size() * sizeof(T)}};
}

}  // namespace flipscope
