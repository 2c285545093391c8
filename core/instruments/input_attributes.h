// Attributes of the input's points as numbers of the vertices that a scene shows. A vertex has the number of its point
// where it is that point still, at its place; what a lab or a user has made, moved or put there has none.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "compute/buffer.h"
#include "instruments/site_mesh.h"
#include "lab/scene.h"
#include "statistics/element_measures.h"

namespace flipscope {

/// What the attributes of an input are called where quantities are named: as in its file, or "input.NAME" where a
/// measured quantity has the name.
std::vector<std::string> attribute_ids(const Geometry* input);
std::vector<std::string> attribute_ids(const std::vector<Attribute>& columns);

/// The attribute that attribute_ids() calls so; nullptr: none.
const Attribute* find_attribute(const Geometry* input, const std::string& id);

/// How values of a column of text are told apart by colour: those that most points have are a class each, in the order
/// of the column; all others are one, the last.
struct CategoryClasses {
    std::vector<uint32_t> of;        // (category) its class
    std::vector<std::string> names;  // as ColourScale::classes
};
CategoryClasses classes_of(const Attribute& column);

/// What elements are coloured or selected by: a quantity that is measured, or an attribute of the input's points.
struct Explored {
    ElementQuantity quantity{};  // of no meaning where there is an attribute
    std::string attribute = {};  // its id, as attribute_ids() has it; empty: a measured quantity

    Explored(ElementQuantity measured) : quantity(measured) {}
    explicit Explored(std::string attribute_id) : attribute(std::move(attribute_id)) {}
    bool measured() const { return attribute.empty(); }
    std::string id() const { return measured() ? info_of(quantity).id : attribute; }
    std::string name() const { return measured() ? info_of(quantity).name : attribute; }
    std::string label() const { return measured() ? info_of(quantity).label : attribute; }
    std::string sentence() const;
    ElementKind element() const { return measured() ? info_of(quantity).element : ElementKind::kVertex; }
    bool planar() const { return measured() && info_of(quantity).planar; }
    friend bool operator==(const Explored& a, const Explored& b) {
        return a.attribute == b.attribute && (!a.measured() || a.quantity == b.quantity);
    }
};
/// The quantity or attribute of this id. Throws Error with a sentence that starts with `where` and lists what there is.
Explored explored_of(const std::string& id, const Geometry* input, const std::string& where);
/// Where it is an attribute that the input does not have, a sentence without its full stop that says so and what there
/// is; else empty.
std::string missing_column(const Explored& explored, const Geometry* input);

class InputAttributes {
  public:
    /// Of a state that is shown; nullptr: nothing has attributes.
    void set_input(std::shared_ptr<const Geometry> input);
    const std::shared_ptr<const Geometry>& input() const { return input_; }
    bool has(const std::string& id) const { return find(id) != nullptr; }
    const Attribute* find(const std::string& id) const { return find_attribute(input_.get(), id); }
    /// values: (mesh.vertex_count), NaN where a vertex is no point of the input. `box`: of a mesh on a torus. False,
    /// and nothing is written, where there is no such attribute.
    bool write(Context& context, const MeasuredMesh& mesh, const std::optional<PeriodicBox>& box, const std::string& id,
               Buffer<double>& values);
    /// The same of the sites of a lattice's cells, which have the numbers of the points that they were, wherever they
    /// have moved. values: (vertex of the mesh of sites).
    bool write_of_sites(Context& context, const SiteMesh& sites, const std::string& id, Buffer<double>& values);

  private:
    void make_resident(Context& context, const std::string& id);

    std::shared_ptr<const Geometry> input_;
    Buffer<Point> places_{"input places"};
    Buffer<double> heights_{"input heights"}, column_{"input attribute"};
    std::string resident_;  // which attribute is in column_
};

}  // namespace flipscope
