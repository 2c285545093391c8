# With FLIPSCOPE_PRECOMPILE, a target parses the standard headers of most sources once: a first build takes a fifth less.
# scripts/demo and scripts/test use it. It is off by default: compiler caches need special settings for precompiled headers,
# and a build without it notices missing includes. These headers must not add names that argument-dependent lookup finds
# (<filesystem> does: std::quoted). Further arguments are additional headers.
function(flipscope_precompile target)
  if(FLIPSCOPE_PRECOMPILE)
    set(headers "")
    foreach(name IN ITEMS ${ARGN} algorithm array bit charconv cmath cstdint cstdio cstring functional limits map memory
                          numeric optional stdexcept string utility vector)
      list(APPEND headers "$<$<COMPILE_LANGUAGE:CXX>:<${name}$<ANGLE-R>>")
    endforeach()
    target_precompile_headers(${target} PRIVATE ${headers})
  endif()
endfunction()
