/**
 * Asks once nothing more has been typed for so long. What it returns gives the question up, and an answer that is still on its way: for
 * an effect that depends on what is typed.
 */
export function askAfter(pauseMs: number, ask: (signal: AbortSignal) => void): () => void {
  const asking = new AbortController();
  const timer = setTimeout(() => ask(asking.signal), pauseMs);
  return () => {
    clearTimeout(timer);
    asking.abort();
  };
}
