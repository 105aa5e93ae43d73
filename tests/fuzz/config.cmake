talla_fuzz(config config_fuzz.cpp rngd_config)
