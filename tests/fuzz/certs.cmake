# Record, bundle and archive as a stranger may send them.
talla_fuzz(record certs_record.cpp certs_format)
talla_fuzz(bundle certs_bundle.cpp certs_verify)
talla_fuzz(archive certs_archive.cpp certs_verify)
