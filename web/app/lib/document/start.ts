// Apart from the head script, whose text would otherwise come along into the browser's bundle.

declare global {
  interface Window {
    started?: () => void;
    startFailed?: () => void;
  }
}

let hasStarted = false;
/** Whether React has taken over the page that the server rendered. */
export const isStarted = () => hasStarted;

/** Replays held interactions. Call it once React has hydrated. */
export function markStarted(): void {
  hasStarted = true;
  window.started?.();
}
