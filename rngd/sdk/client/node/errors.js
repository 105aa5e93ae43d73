// What goes wrong, by what the table has to do about it.
import { Refused as Doubt } from './house.js';

/// The appliance said no: `problem` is its problem document (RFC 9457). Nothing was done under
/// this request.
export class Refused extends Error {
  constructor(problem) {
    super(`${problem.code}: ${problem.detail ?? ''}`);
    this.name = this.constructor.name;
    this.problem = problem;
  }
}

/// The call of a draw or mix did not stand any more: the log says so in a VOID that was checked.
/// The turn is spent and counted, the next call is free. `problem`: `code` and `detail` of why.
export class Lapsed extends Refused {}

/// The call ended in a VOID without a result, which was checked and is counted; the next one is
/// free. `problem`: `code` (`withheld`, or `voided` by two persons), `cause`, and who is `missing`:
/// the next call of the same round or object goes on without them.
export class Withheld extends Refused {}

/// No answer within `patience` seconds. Whether it was done is not known: it stays pending,
/// `resume` asks for it again.
export class Unanswered extends Error {
  constructor(why) {
    super(why);
    this.name = 'Unanswered';
  }
}

/// The reply does not follow from the signed log, or is about something else: do not pay, do not
/// go on, call the inspector.
export class NotBelieved extends Error {
  constructor(why) {
    super(why);
    this.name = 'NotBelieved';
  }
}

/// What the caller asks for cannot be asked now: nothing was sent.
export class Misused extends Error {
  constructor(why) {
    super(why);
    this.name = 'Misused';
  }
}

/// Runs `work` over what the appliance said. What does not hold is not believed, and neither is
/// what has another form than it must: a member that is missing, a number that is a text.
export async function believing(work) {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Doubt) throw new NotBelieved(error.message);
    if (error instanceof TypeError || error instanceof RangeError || error instanceof SyntaxError) {
      throw new NotBelieved(`a reply of another form: ${error.message}`);
    }
    throw error;
  }
}
