/** Runs at most `count` tasks at once; the others wait in order. */
export const limitConcurrency = (count: number) => {
  const within = createBudget(count);
  return <T>(work: () => Promise<T>) => within(1, work);
};

/** Runs tasks in order while the sum of their costs is at most `most`. A task with a higher cost runs alone. */
export function createBudget(max: number) {
  let used = 0;
  const waiting: { cost: number; start: () => void }[] = [];
  const next = () => {
    for (let first = waiting[0]; first && (used === 0 || used + first.cost <= max); first = waiting[0]) {
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

const intervalMs = 10;

type Limits = { memory: number; seconds: number };

/**
 * Kills this process when it exceeds its memory limit or one decoding exceeds its CPU seconds, because a decoder can't be interrupted. Wall time would
 * depend on the load of the machine.
 */
export function watchResources({ memory, seconds }: Limits) {
  let running = 0;
  let isDecoding = false;
  let spent = 0;
  let before = process.cpuUsage();
  let timer: NodeJS.Timeout | undefined;

  function check() {
    const now = process.cpuUsage();
    // Each running task uses one thread, so the CPU time is divided evenly.
    if (isDecoding) spent += (now.user + now.system - before.user - before.system) / 1_000_000 / running;
    before = now;
    if (process.memoryUsage.rss() > memory || spent > seconds) process.kill(process.pid, 'SIGKILL');
  }

  async function watch<T>(work: () => Promise<T>): Promise<T> {
    if (running > 0) check();
    else {
      before = process.cpuUsage();
      timer = setInterval(check, intervalMs);
    }
    running += 1;
    try {
      return await work();
    } finally {
      check();
      running -= 1;
      if (running === 0) clearInterval(timer);
    }
  }

  return {
    /** One at a time. */
    decoding: <T>(work: () => Promise<T>) =>
      watch(async () => {
        isDecoding = true;
        spent = 0;
        try {
          return await work();
        } finally {
          isDecoding = false;
        }
      }),
    encoding: watch,
  };
}
