/** Lets so many run at once; the others wait in the order in which they came. */
export const atMost = (count: number) => {
  const within = budget(count);
  return <T>(work: () => Promise<T>) => within(1, work);
};

/** Lets those run at once whose costs together are within `most`. What costs more than that runs alone. */
export function budget(most: number) {
  let used = 0;
  const waiting: { cost: number; start: () => void }[] = [];
  const next = () => {
    for (let first = waiting[0]; first && (used === 0 || used + first.cost <= most); first = waiting[0]) {
      waiting.shift();
      used += first.cost;
      first.start();
    }
  };
  return async <T>(cost: number, work: () => Promise<T>): Promise<T> => {
    await new Promise<void>((start) => {
      waiting.push({ cost, start });
      next();
    });
    try {
      return await work();
    } finally {
      used -= cost;
      next();
    }
  };
}
