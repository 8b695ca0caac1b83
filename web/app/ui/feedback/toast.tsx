import { useEffect, useSyncExternalStore } from 'react';
import { CloseButton } from './close-button.tsx';
import styles from './toast.module.css';

type Kind = 'success' | 'error' | 'info';
type Toast = { id: number; text: string; kind: Kind; leaving: boolean };

const shownMs = 8000;
const exitMs = 300;
const none: readonly Toast[] = [];

let toasts = none;
let lastId = 0;
const listeners = new Set<() => void>();

function change(next: readonly Toast[]) {
  toasts = next;
  for (const listener of listeners) listener();
}

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/** Says something in passing: read out at once, gone after eight seconds. Nothing that one must act on. */
export function toast(text: string, kind: Kind = 'success') {
  // The same words again start anew instead of piling up.
  change([...toasts.filter((one) => one.text !== text), { id: ++lastId, text, kind, leaving: false }]);
}

function dismiss(id: number) {
  change(toasts.map((one) => (one.id === id ? { ...one, leaving: true } : one)));
  setTimeout(() => change(toasts.filter((one) => one.id !== id)), exitMs);
}

function ToastCard({ id, text, kind, leaving }: Toast) {
  useEffect(() => {
    const timer = setTimeout(() => dismiss(id), shownMs);
    return () => clearTimeout(timer);
  }, [id]);
  return (
    <div className={styles.toast} data-kind={kind} data-leaving={leaving || undefined}>
      <p>{text}</p>
      <CloseButton onClick={() => dismiss(id)} />
    </div>
  );
}

/** Once, at the root. It is there before the first toast, so that screen readers listen to it. */
export function Toaster() {
  const shown = useSyncExternalStore(
    subscribe,
    () => toasts,
    () => none,
  );
  return (
    <div className={styles.toaster} role="status" aria-live="polite">
      {shown.map((one) => (
        <ToastCard key={one.id} {...one} />
      ))}
    </div>
  );
}
