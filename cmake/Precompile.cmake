# With FLIPSCOPE_PRECOMPILE the standard headers that most sources include are parsed once for a target: a first build takes
# a fifth less. It is off unless asked for (scripts/demo asks): a source that forgets an include would not be noticed, and
# compiler caches know precompiled headers only by special settings. No header here brings names that arguments find by
# themselves (std::quoted, which <filesystem> includes, did).
function(flipscope_precompile target)
  if(FLIPSCOPE_PRECOMPILE)
    set(headers "")
    foreach(name IN ITEMS algorithm array bit charconv cmath cstdint cstdio cstring functional limits map memory
                          numeric optional stdexcept string utility vector)
      list(APPEND headers "$<$<COMPILE_LANGUAGE:CXX>:<${name}$<ANGLE-R>>")
    endforeach()
    target_precompile_headers(${target} PRIVATE ${headers})
  endif()
endfunction()
