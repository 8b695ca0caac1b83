/** Names with weights. */
type Features = ReadonlyMap<string, number>;
export type Example<Class> = { features: Features; label: Class };
export type Model<Class> = { classes: readonly Class[]; probabilities: (features: Features) => Float64Array };

const epochs = 3;
const learningRate = 0.5;
const weightDecay = 1e-4;

/** A deterministic shuffle of the numbers below `length`. */
function* shuffle(length: number, seed: number): Generator<number> {
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
 * Multinomial logistic regression over normalised TF-IDF features, trained with AdaGrad. The same examples give the same model. `sharpness`
 * scales the scores before the softmax, because few epochs leave the probabilities too close to each other.
 */
export function trainModel<Class>(examples: readonly Example<Class>[], sharpness: number): Model<Class> {
  const classes = [...new Set(examples.map((one) => one.label))];
  const documents = new Map<string, number>();
  for (const { features } of examples) for (const name of features.keys()) documents.set(name, (documents.get(name) ?? 0) + 1);
  // A copy, so that the returned closures do not keep the examples in memory.
  const { length } = examples;
  const rows = new Map([...documents].map(([name, held], row) => [name, { row, rarity: Math.log(length / held) }]));

  const weights = new Float32Array(rows.size * classes.length);
  const squaredGradients = new Float32Array(weights.length).fill(1e-3);
  const count = classes.length;

  // Unknown features count towards the norm, so that one known part of a word says little about a text of unknown words. Unknown pairs
  // are common and do not count.
  const unknown = Math.log(length);
  const toVector = (features: Features) => {
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

  const probabilities = new Float64Array(count);
  function computeProbabilities(vector: ReturnType<typeof toVector>, sharp: number) {
    probabilities.fill(0);
    for (const { row, value } of vector) {
      for (let k = 0; k < count; k += 1) probabilities[k] = (probabilities[k] ?? 0) + (weights[row + k] ?? 0) * value;
    }
    const max = Math.max(...probabilities);
    let sum = 0;
    for (const [k, score] of probabilities.entries()) sum += probabilities[k] = Math.exp((score - max) * sharp);
    for (const [k, probability] of probabilities.entries()) probabilities[k] = probability / sum;
  }

  const known = examples.map(({ features, label }) => ({ vector: toVector(features), classIndex: classes.indexOf(label) }));
  for (let round = 0; round < epochs; round += 1) {
    for (const index of shuffle(known.length, round + 1)) {
      const one = known[index];
      if (!one) continue;
      computeProbabilities(one.vector, 1);
      probabilities[one.classIndex] = (probabilities[one.classIndex] ?? 0) - 1;
      for (const { row, value } of one.vector) {
        for (let at = row, k = 0; k < count; at += 1, k += 1) {
          const weight = weights[at] ?? 0;
          const gradient = (probabilities[k] ?? 0) * value + weightDecay * weight;
          const squared = (squaredGradients[at] ?? 0) + gradient * gradient;
          squaredGradients[at] = squared;
          weights[at] = weight - (learningRate * gradient) / Math.sqrt(squared);
        }
      }
    }
  }
  return {
    classes,
    probabilities(features) {
      computeProbabilities(toVector(features), sharpness);
      return probabilities.slice();
    },
  };
}
