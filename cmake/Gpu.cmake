# Looks for NVIDIA GPUs on this machine, and says for which architectures CUDA is to be compiled. Needs no CUDA.

# Without nvidia-smi (or where it is too old to tell) these files say that a driver runs a GPU: there is one for each. The
# folder above them is there, too, where a driver is installed and no GPU is.
if(NOT DEFINED FLIPSCOPE_GPU_SIGNS)
  set(FLIPSCOPE_GPU_SIGNS /dev/nvidia[0-9]* /proc/driver/nvidia/gpus/*)
endif()

# found: TRUE or FALSE. capabilities: of each kind of GPU once, as in "7.5;9.0"; empty where the driver does not tell.
function(flipscope_find_gpus found capabilities)
  set(gpu FALSE)
  set(kinds "")
  find_program(FLIPSCOPE_NVIDIA_SMI nvidia-smi NO_CACHE PATHS /usr/lib/wsl/lib)
  if(FLIPSCOPE_NVIDIA_SMI)
    execute_process(COMMAND ${FLIPSCOPE_NVIDIA_SMI} --query-gpu=compute_cap --format=csv,noheader
                    RESULT_VARIABLE failed OUTPUT_VARIABLE says ERROR_QUIET TIMEOUT 60)
    if(NOT failed)  # without a GPU it fails, or says so in words
      string(REGEX REPLACE "[\r\n]+" ";" lines "${says}")
      foreach(line IN LISTS lines)
        string(STRIP "${line}" line)
        if(line MATCHES "^[0-9]+\\.[0-9]+$")
          list(APPEND kinds ${line})
        endif()
      endforeach()
      list(REMOVE_DUPLICATES kinds)
    endif()
  endif()
  if(kinds)
    set(gpu TRUE)
  endif()
  foreach(sign IN LISTS FLIPSCOPE_GPU_SIGNS)
    file(GLOB files LIST_DIRECTORIES TRUE ${sign})
    if(files)
      set(gpu TRUE)
    endif()
  endforeach()
  set(${found} ${gpu} PARENT_SCOPE)
  set(${capabilities} "${kinds}" PARENT_SCOPE)
endfunction()

# Those of the GPUs alone, where the compiler knows all of them; otherwise what runs on any from 7.5 on. `known`: what
# nvcc --list-gpu-arch says.
function(flipscope_cuda_architectures capabilities known result)
  set(architectures "")
  foreach(capability IN LISTS capabilities)
    string(REPLACE "." "" number ${capability})
    if(number LESS 75 OR NOT known MATCHES "compute_${number}([^0-9]|$)")
      set(architectures "")
      break()
    endif()
    list(APPEND architectures ${number})
  endforeach()
  if(NOT architectures)
    set(architectures "75-real;90")
  endif()
  set(${result} "${architectures}" PARENT_SCOPE)
endfunction()
