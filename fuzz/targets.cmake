# The fuzz targets, NAME_fuzz.cc each with its corpus in corpus/NAME, and the rooms that they use.
file(GLOB fuzz_sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_LIST_DIR}/*_fuzz.cc)
set(fuzz_corpora ${CMAKE_CURRENT_LIST_DIR}/corpus)
set(fuzz_rooms cutline_delivery cutline_mcp cutline_config cutline_wire cutline_text)

# fuzz_name(PATH OUT): the NAME of .../NAME_fuzz.cc.
function(fuzz_name path out)
  get_filename_component(file ${path} NAME_WE)
  string(REGEX REPLACE "_fuzz$" "" name ${file})
  set(${out} ${name} PARENT_SCOPE)
endfunction()
