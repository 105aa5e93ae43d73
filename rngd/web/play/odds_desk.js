// Asks for the odds of one game at a time: who chooses another game does not wait for the last one.

export class OddsDesk {
  #known = new Map();  // by what was asked
  #worker = null;

  /// Calls `told` with `{ bets, others, plays }`, `{ refused }` or `{ stopped }`, now or later, and
  /// never when something else was asked about meanwhile. `asked`: { catalogue, game, params }.
  ask(asked, told) {
    this.#worker?.terminate();
    this.#worker = null;
    const name = JSON.stringify(asked);
    if (this.#known.has(name)) {
      told(this.#known.get(name));
      return;
    }
    const worker = new Worker(new URL('odds_worker.js', import.meta.url), { type: 'module' });
    this.#worker = worker;
    const end = (answer) => {
      if (worker !== this.#worker) return;
      worker.terminate();
      this.#worker = null;
      if (answer.stopped === undefined) this.#known.set(name, answer);
      told(answer);
    };
    worker.addEventListener('message', ({ data }) => end(data));
    worker.addEventListener('error', () => end({ stopped: '' }));
    worker.postMessage(asked);
  }
}
