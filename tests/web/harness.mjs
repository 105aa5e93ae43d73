// One line for each case, and numbers that are the same in every run.

/// What runs the programs in Python: CTest names the one that CMake found.
export const interpreter = process.env.TALLA_PYTHON ?? 'python3';

let failed = 0;

export const failures = () => failed;

/// `--only=WORDS`: the cases whose name has them.
const only = process.argv.find((one) => one.startsWith('--only='))?.slice(7) ?? '';

/// `work` throws where something does not hold; what it returns is said.
export async function test(name, work) {
  if (!name.includes(only)) return;
  const begin = performance.now();
  try {
    const said = await work();
    console.log(
      `ok      ${name}${said ? `: ${said}` : ''} (${Math.round(performance.now() - begin)} ms)`);
  } catch (error) {
    failed += 1;
    console.log(`FAILED  ${name}: ${error.stack}`);
  }
}

export function check(condition, what) {
  if (!condition) throw new Error(what);
}

/// Pseudorandom integers below a bound, from one seed: a linear congruential generator, its upper
/// bits.
export function numbers(seed) {
  let state = BigInt(seed);
  return (below) => {
    state = (state * 6364136223846793005n + 1442695040888963407n) & 0xffffffffffffffffn;
    return Number(((state >> 32n) * BigInt(below)) >> 32n);
  };
}
