/** Runs `work` after a pause. Returns an effect's cleanup, which cancels it and aborts its signal. */
export function debounce(pauseMs: number, work: (signal: AbortSignal) => void): () => void {
  const running = new AbortController();
  const timer = setTimeout(() => work(running.signal), pauseMs);
  return () => {
    clearTimeout(timer);
    running.abort();
  };
}
