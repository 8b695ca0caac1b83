/** How long a toast stays, and how long it takes to leave. */
export const shownMs = 8000;
export const exitMs = 300;

/** Ends a toast after its time, which stands still while somebody points at it or is in it. */
export function toastTimer(onEnd: () => void) {
  let leftMs = shownMs;
  let running: { since: number; timer: ReturnType<typeof setTimeout> } | undefined;
  const pause = () => {
    if (!running) return;
    clearTimeout(running.timer);
    leftMs -= performance.now() - running.since;
    running = undefined;
  };
  const run = () => {
    running ??= { since: performance.now(), timer: setTimeout(onEnd, leftMs) };
  };
  return { run, pause };
}
