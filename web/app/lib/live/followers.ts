/**
 * Who wants to hear when a value changes that follows what happens on the server. `start` is called for the first of them and gives what
 * ends the following, which is called when the last has gone.
 */
export function followers(start: () => () => void) {
  const listeners = new Set<() => void>();
  let stop: (() => void) | undefined;
  return {
    tell() {
      for (const listener of listeners) listener();
    },
    /** Gives what takes the listener out again. */
    add(listener: () => void): () => void {
      listeners.add(listener);
      stop ??= start();
      return () => {
        listeners.delete(listener);
        if (listeners.size > 0) return;
        stop?.();
        stop = undefined;
      };
    },
  };
}
