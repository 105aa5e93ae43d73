# What clients of the EGD socket send.
talla_fuzz(outlet_egd outlet_egd.cpp rngd_outlet)
