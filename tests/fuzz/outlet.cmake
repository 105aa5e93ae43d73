# What clients of the EGD socket send.
if(TARGET rngd_outlet)
  talla_fuzz(outlet_egd outlet_egd.cpp rngd_outlet)
endif()
