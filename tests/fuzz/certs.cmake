# Record and bundle as a stranger may send them.
talla_fuzz(record certs_record.cpp certs_format)
talla_fuzz(bundle certs_bundle.cpp certs_verify)
