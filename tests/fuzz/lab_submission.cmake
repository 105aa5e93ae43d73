talla_fuzz(lab_submission lab_submission.cpp lab_acvp lab_esv)
