# Finds NVIDIA GPUs of this machine, and the architectures to compile CUDA for. Does not need CUDA.

# Without nvidia-smi, or if it is too old, these files indicate a GPU with a driver: one per GPU. Their folder also exists
# without a GPU if a driver is installed.
if(NOT DEFINED FLIPSCOPE_GPU_SIGNS)
  set(FLIPSCOPE_GPU_SIGNS /dev/nvidia[0-9]* /proc/driver/nvidia/gpus/*)
endif()

# found: TRUE or FALSE. capabilities: without duplicates, as in "7.5;9.0"; empty if the driver does not report them.
function(flipscope_find_gpus found capabilities)
  set(gpu FALSE)
  set(kinds "")
  find_program(FLIPSCOPE_NVIDIA_SMI nvidia-smi NO_CACHE PATHS /usr/lib/wsl/lib)
  if(FLIPSCOPE_NVIDIA_SMI)
    execute_process(COMMAND ${FLIPSCOPE_NVIDIA_SMI} --query-gpu=compute_cap --format=csv,noheader
                    RESULT_VARIABLE failed OUTPUT_VARIABLE says ERROR_QUIET TIMEOUT 60)
    if(NOT failed)  # without a GPU it fails or prints a message
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

# The architectures of these GPUs if the compiler knows all of them; otherwise code for any from 7.5 on. `known`: output of
# nvcc --list-gpu-arch.
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
