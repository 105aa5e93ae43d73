// The engines of the games in the browser: the appliance's own sources as one WebAssembly module,
// which settles a round again. The evidence itself is judged by verify/, which shares no code with
// them. Of a system the module gets nothing: no files, no clock, no network.

/// What the compiler's library asks of a system. A program that stops itself says why by
/// `fd_write`, on the way to a trap.
const NOTHING = 8;  // WASI's "bad file descriptor"
class Stopped extends Error {}

function systemOf(memory, said) {
  const text = (at, size) => new TextDecoder().decode(new Uint8Array(memory().buffer, at, size));
  return {
    fd_write(_, list, count, written) {
      const view = new DataView(memory().buffer);
      let size = 0;
      for (let i = 0; i < count; ++i) {
        const length = view.getUint32(list + 8 * i + 4, true);
        said.push(text(view.getUint32(list + 8 * i, true), length));
        size += length;
      }
      view.setUint32(written, size, true);
      return 0;
    },
    proc_exit(code) {
      throw new Stopped(`stopped with ${code}`);
    },
  };
}

/// Every import of the module, those that nothing is behind too.
function importsOf(module, memory, said) {
  const system = systemOf(memory, said);
  const imports = {};
  for (const { module: from, name } of WebAssembly.Module.imports(module)) {
    (imports[from] ??= {})[name] = system[name] ?? (() => NOTHING);
  }
  return imports;
}

/// A module that was compiled. A call that traps ends its instance, never this object: the next one
/// gets another.
export class Engines {
  #module;
  #running = null;

  constructor(module) {
    this.#module = module;
  }

  #start() {
    const said = [];
    let memory = null;
    const imports = importsOf(this.#module, () => memory, said);
    const { exports } = new WebAssembly.Instance(this.#module, imports);
    memory = exports.memory;
    exports._initialize();
    return { exports, said };
  }

  #call(name, text, ...more) {
    const bytes = new TextEncoder().encode(text);
    let said = [];
    try {
      this.#running ??= this.#start();
      const { exports } = this.#running;
      said = this.#running.said;
      const at = exports.talla_input(bytes.length);
      new Uint8Array(exports.memory.buffer, at, bytes.length).set(bytes);
      const size = exports[name](...more);
      const answer = new Uint8Array(exports.memory.buffer, exports.talla_output(), size);
      return JSON.parse(new TextDecoder().decode(answer));
    } catch (error) {
      this.#running = null;
      return { stopped: [...said, error.message].join(' ').trim() };
    }
  }

  /// A bundle whose evidence holds: `{ alike: true, checked }`, `{ alike: false, refused: { code,
  /// detail, number } }`, or `{ stopped }` where the engines could not say.
  settleBundle(text) {
    return this.#call('talla_settle_bundle', text);
  }

  /// Scenarios as `talla settle` takes them: what each came to, or `{ stopped }`.
  runScenarios(text, language = 'en') {
    return this.#call('talla_run_scenarios', text, language === 'es' ? 1 : 0);
  }

  /// `{ catalogues, games }`: the ids of all built-in ones, and what one of them has.
  listGames(catalogue, language = 'en') {
    return this.#call('talla_list_games', catalogue, language === 'es' ? 1 : 0);
  }

  /// One game with its bets and its rules as sentences: `{ base, currency, game, rules }`, or
  /// `{ refused }`.
  describeGame(catalogue, game, language = 'en') {
    const text = JSON.stringify({ catalogue, game });
    return this.#call('talla_describe_game', text, language === 'es' ? 1 : 0);
  }

  /// What the bets of a game are worth: `{ bets, others, plays }` as `talla odds` works them out,
  /// up to some seconds, or `{ refused }`. `params`: what differs from the game's own defaults.
  gameOdds(catalogue, game, params = {}) {
    return this.#call('talla_game_odds', JSON.stringify({ catalogue, game, params }));
  }
}

/// SHA-256 in hex.
export async function digestOf(bytes) {
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
  return [...digest].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

async function unpacked(bytes) {
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/// The engines of a packed module that is the one `pinned` names (`{ digest, size }`); throws where
/// it is another.
export async function enginesOf(bytes, pinned) {
  if (bytes.length !== pinned.size || await digestOf(bytes) !== pinned.digest) {
    throw new Error('the engines are not those that this page was made with');
  }
  return new Engines(await WebAssembly.compile(await unpacked(bytes)));
}
