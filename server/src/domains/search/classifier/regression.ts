/** What something is recognised by, with weights. */
type Features = ReadonlyMap<string, number>;
export type Example<Class> = { features: Features; of: Class };
export type Model<Class> = { classes: readonly Class[]; probabilities: (features: Features) => Float64Array };

const rounds = 3;
const step = 0.5;
const shrink = 1e-4;

/** A row of numbers that looks like chance and is the same each time. */
function* shuffled(length: number, seed: number): Generator<number> {
  const order = Array.from({ length }, (_, index) => index);
  let state = seed;
  for (let left = length; left > 0; left -= 1) {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    const pick = Math.floor((state / 2 ** 32) * left);
    yield order[pick] ?? 0;
    order[pick] = order[left - 1] ?? 0;
  }
}

/**
 * Multinomial logistic regression over features weighed by how rare they are, each text of length 1: a few rounds of steps that
 * grow smaller for each weight (AdaGrad). The same examples make the same model. `sharpness` is how far apart probabilities lie: few
 * rounds leave them too close to each other.
 */
export function learn<Class>(examples: readonly Example<Class>[], sharpness: number): Model<Class> {
  const classes = [...new Set(examples.map((one) => one.of))];
  const documents = new Map<string, number>();
  for (const { features } of examples) for (const name of features.keys()) documents.set(name, (documents.get(name) ?? 0) + 1);
  // A number of its own: what the model goes on reading must not hold the examples.
  const { length } = examples;
  const rows = new Map([...documents].map(([name, held], row) => [name, { row, rarity: Math.log(length / held) }]));

  const weights = new Float32Array(rows.size * classes.length);
  const moved = new Float32Array(weights.length).fill(1e-3);
  const count = classes.length;

  // What is not known makes the rest stand for less: one known part of a word says little of a text of other words. But most pairs
  // of words are met for the first time, and that says nothing.
  const unknown = Math.log(length);
  const vectorOf = (features: Features) => {
    const vector: { row: number; value: number }[] = [];
    let squares = 0;
    for (const [name, weight] of features) {
      const known = rows.get(name);
      const value = weight * (known?.rarity ?? (name.startsWith('pair ') ? 0 : unknown));
      squares += value * value;
      if (known) vector.push({ row: known.row * count, value });
    }
    const norm = Math.sqrt(squares) || 1;
    return vector.map(({ row, value }) => ({ row, value: value / norm }));
  };

  const chances = new Float64Array(count);
  function weigh(vector: ReturnType<typeof vectorOf>, sharp: number) {
    chances.fill(0);
    for (const { row, value } of vector) {
      for (let k = 0; k < count; k += 1) chances[k] = (chances[k] ?? 0) + (weights[row + k] ?? 0) * value;
    }
    const most = Math.max(...chances);
    let sum = 0;
    for (const [k, score] of chances.entries()) sum += chances[k] = Math.exp((score - most) * sharp);
    for (const [k, chance] of chances.entries()) chances[k] = chance / sum;
  }

  const known = examples.map(({ features, of }) => ({ vector: vectorOf(features), of: classes.indexOf(of) }));
  for (let round = 0; round < rounds; round += 1) {
    for (const index of shuffled(known.length, round + 1)) {
      const one = known[index];
      if (!one) continue;
      weigh(one.vector, 1);
      chances[one.of] = (chances[one.of] ?? 0) - 1;
      for (const { row, value } of one.vector) {
        for (let at = row, k = 0; k < count; at += 1, k += 1) {
          const weight = weights[at] ?? 0;
          const slope = (chances[k] ?? 0) * value + shrink * weight;
          const travelled = (moved[at] ?? 0) + slope * slope;
          moved[at] = travelled;
          weights[at] = weight - (step * slope) / Math.sqrt(travelled);
        }
      }
    }
  }
  return {
    classes,
    probabilities(features) {
      weigh(vectorOf(features), sharpness);
      return chances.slice();
    },
  };
}
