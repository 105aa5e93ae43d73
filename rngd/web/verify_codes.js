// Sentences of the codes that say why evidence is not certified. Written by
// rngd/packaging/pages from `talla --json docs refusals`.
export const CODES = {
  certification_missing: {
    en: 'a certification of that kind is missing',
    es: 'falta una certificación de esa clase',
  },
  certification_untrusted: {
    en: 'who signed the certification does not lead to a root that you named for it',
    es: 'quien firmó la certificación no lleva a ninguna raíz indicada para ella',
  },
  certification_name: {
    en: 'the signer\'s certificate is for another issuer or another kind of text',
    es: 'el certificado de quien firma es de otro emisor o para otra clase de texto',
  },
  certification_usage: {
    en: 'the signer\'s key is not for signing certifications',
    es: 'la clave de quien firma no es para firmar certificaciones',
  },
  certification_signature: {
    en: 'the certification\'s signature is wrong',
    es: 'la firma de la certificación no es correcta',
  },
  certification_nothing: {
    en: 'there is no commitment that could be certified',
    es: 'no hay ningún compromiso que certificar',
  },
  certification_origin: {
    en: 'the certified installation is that of another log',
    es: 'la instalación certificada es la de otro registro',
  },
  certification_key: {
    en: 'the log never had the key that is certified',
    es: 'el registro nunca tuvo la clave certificada',
  },
  certification_type: {
    en: 'the installation is certified for another type',
    es: 'la instalación está certificada para otro tipo',
  },
  certification_record: {
    en: 'software and settings of the start are not both cited and at hand',
    es: 'no constan a la vez el programa y los ajustes del arranque',
  },
  certification_development: {
    en: 'keys or settings are those of development',
    es: 'las claves o los ajustes son de desarrollo',
  },
  certification_unnamed: {
    en: 'the appliance did not name this certification',
    es: 'el equipo no nombró esta certificación',
  },
  certification_late: {
    en: 'the certification was made after the start it shall cover',
    es: 'la certificación se hizo después del arranque que debería cubrir',
  },
  certification_clock: {
    en: 'the appliance did not know the time',
    es: 'el equipo no sabía la hora',
  },
  certification_time: {
    en: 'the certification was not in force at that time',
    es: 'la certificación no estaba vigente en ese momento',
  },
  certification_withdrawn: {
    en: 'the certification was withdrawn',
    es: 'la certificación se retiró',
  },
  certification_serial_twice: {
    en: 'another certified installation has the same device',
    es: 'otra instalación certificada tiene el mismo dispositivo',
  },
  certification_manifest: {
    en: 'that software is not certified',
    es: 'ese programa no está certificado',
  },
  certification_settings: {
    en: 'those settings are not certified',
    es: 'esos ajustes no están certificados',
  },
  certification_format: {
    en: 'that format or way of drawing is not certified',
    es: 'ese formato o esa forma de sortear no están certificados',
  },
  certification_catalogue: {
    en: 'those rules are not certified',
    es: 'esas reglas no están certificadas',
  },
  certification_uncertified: {
    en: 'the commitment itself says that its source does not count',
    es: 'el propio compromiso dice que su fuente no cuenta',
  },
  certification_source: {
    en: 'that source is not certified, or not with the figure that was claimed',
    es: 'esa fuente no está certificada, o no con la cifra que se declara',
  },
  certification_assessment: {
    en: 'the report behind the source\'s figure is not listed',
    es: 'el informe en que se apoya la cifra de la fuente no figura',
  },
  certification_serial: {
    en: 'that device is not certified',
    es: 'ese dispositivo no está certificado',
  },
  certification_independent: {
    en: 'several devices count together and are not certified to be independent',
    es: 'cuentan juntos varios dispositivos sin certificar que sean independientes',
  },
  certification_policy: {
    en: 'protection against going back, or sealing, is below what is certified',
    es: 'la protección contra la vuelta atrás o el sellado no llegan a lo certificado',
  },
  certification_table: {
    en: 'the table mixes its shoes less often, or out of fewer candidates, than is certified',
    es: 'la mesa mezcla sus sabots menos veces, o entre menos candidatos, de lo certificado',
  },
};
