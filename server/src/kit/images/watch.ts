const intervalMs = 10;

type Limits = { memory: number; seconds: number };

/**
 * Ends this process when it takes more memory than it may, or when decoding one picture takes more seconds of a core: a
 * decoder cannot be stopped, but its process can. By the clock a busy machine would end it for nothing.
 */
export function watchOver({ memory, seconds }: Limits) {
  let running = 0;
  let isDecoding = false;
  let spent = 0;
  let before = process.cpuUsage();
  let timer: NodeJS.Timeout | undefined;

  function look() {
    const now = process.cpuUsage();
    // What is under way takes about the same share each: one thread.
    if (isDecoding) spent += (now.user + now.system - before.user - before.system) / 1_000_000 / running;
    before = now;
    if (process.memoryUsage.rss() > memory || spent > seconds) process.kill(process.pid, 'SIGKILL');
  }

  async function watched<T>(work: () => Promise<T>): Promise<T> {
    if (running > 0) look();
    else {
      before = process.cpuUsage();
      timer = setInterval(look, intervalMs);
    }
    running += 1;
    try {
      return await work();
    } finally {
      look();
      running -= 1;
      if (running === 0) clearInterval(timer);
    }
  }

  return {
    /** One at a time. */
    decoding: <T>(work: () => Promise<T>) =>
      watched(async () => {
        isDecoding = true;
        spent = 0;
        try {
          return await work();
        } finally {
          isDecoding = false;
        }
      }),
    encoding: watched,
  };
}
