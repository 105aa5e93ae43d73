// The Spanish titles of problems.
#include <array>

#include "problem_forms.hpp"

namespace talla::core {
namespace {

using Form = games::RefusalForm;

constexpr std::array title_table{
    Form{"The request is malformed", "La petición está mal escrita"},
    Form{"No such resource", "No existe ese recurso"},
    Form{"The resource does not take this method", "El recurso no admite este método"},
    Form{"The certificate has no role for this", "El certificado no tiene función para esto"},
    Form{"An Idempotency-Key header is needed", "Falta la cabecera Idempotency-Key"},
    Form{"The Idempotency-Key is malformed", "La Idempotency-Key está mal escrita"},
    Form{"The Idempotency-Key belongs to another request",
         "La Idempotency-Key es de otra petición"},
    Form{"Too many requests", "Demasiadas peticiones"},
    Form{"The appliance is busy", "El equipo está ocupado"},
    Form{"Not the next position", "No es la posición siguiente"},
    Form{"Not the present state", "No es el estado actual"},
    Form{"Not the next index", "No es el índice siguiente"},
    Form{"Not the root of this object", "No es la raíz de este objeto"},
    Form{"The nonce is malformed", "El nonce está mal escrito"},
    Form{"The call is not signed by its table", "La llamada no la firma su mesa"},
    Form{"The table has a live shoe", "La mesa tiene un sabot en uso"},
    Form{"The table has no shoe", "La mesa no tiene sabot"},
    Form{"The shoe is not mixed", "El sabot no está mezclado"},
    Form{"The shoe is finished", "El sabot ha terminado"},
    Form{"The batch is closed", "La serie está cerrada"},
    Form{"Bets are still open", "Las apuestas siguen abiertas"},
    Form{"Bets are not open", "Las apuestas no están abiertas"},
    Form{"The table is closed", "La mesa está cerrada"},
    Form{"The table is suspended", "La mesa está suspendida"},
    Form{"Not an operation of this kind of table", "No es operación de esta clase de mesa"},
    Form{"The generator is latched: no new commitments",
         "El generador está bloqueado: no hay compromisos nuevos"},
    Form{"The generator is not ready", "El generador aún no está listo"},
    Form{"Disk space is below the reserve: no new commitments",
         "Queda menos disco que la reserva: no hay compromisos nuevos"},
    Form{"The ledger failed; the appliance restarts",
         "Ha fallado el libro; el equipo vuelve a arrancar"},
    Form{"The appliance is stopping", "El equipo se está parando"},
    Form{"Beyond a limit", "Pasa de un límite"},
    Form{"Something of it is still open", "Queda algo abierto"},
    Form{"A sealed secret does not open", "Un secreto sellado no se abre"},
    Form{"The ledger does not replay", "El libro no se reproduce"},
    Form{"No covered card at this position", "En esa posición no hay carta tapada"},
    Form{"The clock stepped: no new commitments", "El reloj ha saltado: no hay compromisos nuevos"},
    Form{"The seat has no key for covered cards", "El puesto no tiene clave para cartas tapadas"},
    Form{"A second person must confirm", "Ha de confirmarlo una segunda persona"},
    Form{"The act is asked for already", "El acto ya está pedido"},
    Form{"The request is over", "La petición ha vencido"},
    Form{"Open tables share the meter", "Hay mesas abiertas que comparten el contador"},
    Form{"The meter runs on other terms", "El contador va con otras condiciones"},
    Form{"What latched the generator is still there", "Sigue ahí lo que bloqueó el generador"},
    Form{"The rollback anchor is not written: no new commitments",
         "El ancla contra retrocesos no se escribe: no hay compromisos nuevos"},
    Form{"Two persons have not approved it", "No lo han aprobado dos personas"},
    Form{"Shoes, rounds or draws are open", "Hay sabots, jugadas o sorteos abiertos"},
    Form{"The software is not as signed and approved: no new commitments",
         "El programa no es el firmado y aprobado: no hay compromisos nuevos"},
    Form{"The software has no manifest", "El programa no tiene manifiesto"},
    Form{"The log has ended: it is read-only", "El registro ha terminado: solo se lee"},
    Form{"Another card belongs there", "Ahí va otra carta"},
    Form{"Not your seat", "No es su puesto"},
    Form{"Another table is open there", "Ahí hay otra mesa abierta"},
    Form{"Not the next turn", "No es el turno siguiente"},
    Form{"The call before has no result yet", "La llamada anterior aún no tiene resultado"},
    Form{"The call does not fit its table", "La llamada no se ajusta a su mesa"},
    Form{"Not the head of the table", "No es la cabeza de la mesa"},
    Form{"The table has no key on P-256", "La mesa no tiene clave en P-256"},
    Form{"No such contributor here", "Aquí no hay ese participante"},
    Form{"Not the next number of this key", "No es el número siguiente de esta clave"},
    Form{"Not the number that was committed to", "No es el número comprometido"},
    Form{"The number is not signed by its contributor", "El número no lo firma su participante"},
    Form{"A required contributor is missing", "Falta un participante obligatorio"},
    Form{"The contributors do not ascend", "Los participantes no van en orden"},
    Form{"It is somebody else's already", "Ya es de otro"},
    Form{"token_unknown", "Invitación sin validez"},
    Form{"cross_site", "Petición de otro sitio"},
    Form{"unsupported_media_type", "El cuerpo no es de un tipo admitido"},
    Form{"Refused by the rules", "Lo impiden las reglas del juego"},
    Form{"The generator gives nothing", "El generador no da nada"},
    Form{"Internal error", "Error interno"},
    Form{"The log before answered this request", "El registro anterior contestó a esta petición"},
    Form{"not_found", "No existe ese recurso"},
    Form{"certificate_revoked", "Certificado revocado"},
    Form{"certificate_expired", "Certificado vencido"},
    Form{"not_enrolled", "Sin alta en este equipo"},
    Form{"forbidden", "El certificado no tiene función para esto"},
    Form{"malformed_request", "La petición está mal escrita"},
    Form{"method_not_allowed", "El recurso no admite este método"},
};

}  // namespace

std::span<const games::RefusalForm> problem_titles() {
  return title_table;
}

}  // namespace talla::core
