# Whatever a device sends goes through the gate: arbitrary samples in blocks of arbitrary sizes,
# under arbitrary claims.
talla_fuzz(entropy_gate entropy_gate.cpp entropy)
