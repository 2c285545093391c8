#include "delaunay/constructions/lawson.h"

namespace flipscope {

LawsonResult flip_sequentially(HostMesh& host) { return flip_sequentially(host, ExactlyIllegal{}); }

}  // namespace flipscope
