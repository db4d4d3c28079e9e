# What goes into the program: one string literal a file, written at build time.

# cutline_embed(ROOM FUNCTION TYPE HEADER pattern)
function(cutline_embed room function type header pattern)
  file(GLOB files CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/${pattern})
  set(embedded ${CMAKE_BINARY_DIR}/generated/${function}.cc)
  add_custom_command(
    OUTPUT ${embedded}
    COMMAND ${CMAKE_COMMAND} -DOUT=${embedded} "-DFILES=${files}" -DHEADER=${header}
            -DTYPE=${room}::${type} -DFUNCTION=${function}
            -P ${CMAKE_SOURCE_DIR}/cmake/write_embedded.cmake
    DEPENDS ${files} ${CMAKE_SOURCE_DIR}/cmake/write_embedded.cmake
    COMMENT "Embedding ${pattern}"
    VERBATIM)
  target_sources(cutline_${room} PRIVATE ${embedded})
endfunction()

cutline_embed(delivery builtin_profiles BuiltinProfile delivery/profile.h profiles/*.toml)
cutline_embed(run builtin_atlas BuiltinCells run/atlas.h experiments/atlas/*.toml)
cutline_embed(run drivers Driver run/clients/drivers.h src/run/clients/drivers/*.mjs)
