// Attributes of the input's points as numbers of a scene's vertices. A vertex has the number of its point while it is
// at that point's place; made or moved vertices have none.
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

/// Ids of an input's attributes: their names in the file, or "input.NAME" if a measured quantity has the same name.
std::vector<std::string> attribute_ids(const Geometry* input);
std::vector<std::string> attribute_ids(const std::vector<Attribute>& columns);

/// The attribute of this id (attribute_ids()); nullptr: none.
const Attribute* find_attribute(const Geometry* input, const std::string& id);

/// Colour classes of a column of text: the most frequent values have one class each, in the order of the column; all
/// others share the last class.
struct CategoryClasses {
    std::vector<uint32_t> of;        // (category) its class
    std::vector<std::string> names;  // as ColourScale::classes
};
CategoryClasses classes_of(const Attribute& column);

/// A quantity for colours and selections: a measured one, or an attribute of the input's points.
struct Explored {
    ElementQuantity quantity{};  // ignored if there is an attribute
    std::string attribute = {};  // its id, as in attribute_ids(); empty: a measured quantity

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
/// The quantity or attribute of this id. Throws Error, which begins with `where` and lists the available ones.
Explored explored_of(const std::string& id, const Geometry* input, const std::string& where);
/// If the input lacks the attribute: a sentence without a full stop that says so and lists the available ones;
/// otherwise empty.
std::string missing_column(const Explored& explored, const Geometry* input);

class InputAttributes {
  public:
    /// The input of the shown state; nullptr: no attributes.
    void set_input(std::shared_ptr<const Geometry> input);
    const std::shared_ptr<const Geometry>& input() const { return input_; }
    bool has(const std::string& id) const { return find(id) != nullptr; }
    const Attribute* find(const std::string& id) const { return find_attribute(input_.get(), id); }
    /// values: (mesh.vertex_count), NaN for vertices that are not points of the input. `box`: of a mesh on a torus.
    /// False, and nothing written: no such attribute.
    bool write(Context& context, const MeasuredMesh& mesh, const std::optional<PeriodicBox>& box, const std::string& id,
               Buffer<double>& values);
    /// The same for the sites of a lattice's cells, which keep the numbers of their original points. values: (vertex of
    /// the mesh of sites).
    bool write_of_sites(Context& context, const SiteMesh& sites, const std::string& id, Buffer<double>& values);

  private:
    void make_resident(Context& context, const std::string& id);

    std::shared_ptr<const Geometry> input_;
    Buffer<Point> places_{"input places"};
    Buffer<double> heights_{"input heights"}, column_{"input attribute"};
    std::string resident_;  // which attribute is in column_
};

}  // namespace flipscope
