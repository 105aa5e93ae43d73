// A refusal says what does not hold, and where. Everything of FORMAT.md that this reader cannot
// show to hold ends here: nothing unknown is taken for valid.

export class Refused extends Error {
  constructor(why) {
    super(why);
    this.name = 'Refused';
  }
}

export function need(condition, why) {
  if (!condition) throw new Refused(why);
}

/// Runs `work`; a refusal inside names this place too.
export async function within(place, work) {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Refused) throw new Refused(`${place}: ${error.message}`);
    throw error;
  }
}
