# What comes from outside on the USB side: device bytes, device strings, and the source process's
# frames.
talla_fuzz(usb_drivers usb_drivers.cpp usb_emulator)
talla_fuzz(usb_frame usb_frame.cpp entropy_usb)
talla_fuzz(usb_chaoskey usb_chaoskey.cpp entropy_usb)
talla_fuzz(usb_descriptor usb_descriptor.cpp entropy_usb)
