// `flipscope predicate`: what each arithmetic says of points of a file.
#include <doctest/doctest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "app/program.h"
#include "test_support.h"

using namespace flipscope;
using Json = nlohmann::json;

TEST_CASE("predicate: a sign that floats get wrong, and the tie-break of points on a circle") {
    const TemporaryFolder folder;
    const std::string file = (folder / "p.xy").string(), square = (folder / "square.xy").string();
    write_file(folder / "p.xy", "16777217 0\n16777219 1\n16777221 2\n0 0\n");  // on a line; floats have no 2^24 + 1
    write_file(folder / "square.xy", "0 0\n1 0\n1 1\n0 1\n");
    CHECK(program_json({"predicate", "orient", file, "0", "1", "2"}, 0)["points"] == Json({0, 1, 2}));
    const Outcome text = run_program({"predicate", "orient", file, "0", "1", "2"});
    CHECK(text.status == 0);
    CHECK(has(text.out, "wrong"));
    const Outcome tied = run_program({"predicate", "incircle", square, "0", "1", "2", "3"});
    CHECK(tied.status == 0);
    for (const char* name : {"Float", "Double", "Exact", "Tie-break", "Float-circumcentre", "Double-circumcentre"})
        CHECK(has(tied.out, name));
}

TEST_CASE("predicate: wrong use is status 2 with what is expected") {
    const TemporaryFolder folder;
    const std::string file = (folder / "p.xy").string();
    write_file(folder / "p.xy", "0 0\n1 0\n0 1\n");
    check_refused({"predicate", "incircle", file, "0", "1", "2"}, "takes 4 points");
    check_refused({"predicate", "orient", file, "0", "1", "3"}, "there is no point 3");
    CHECK(run_program({"predicate", "turn", file, "0", "1", "2"}).status == 2);
}
