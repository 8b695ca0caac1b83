import { useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { ButtonLink } from '../forms/button.tsx';
import { CloseButton } from './dialog.tsx';
import styles from './toast.module.css';

export const shownMs = 8000;
export const exitMs = 300;

/** Ends a toast after its time; `pause` stops the clock. */
export function createToastTimer(onEnd: () => void) {
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

type Kind = 'success' | 'error' | 'info' | 'prize';

/** Content besides plain text. */
type ToastContent = {
  /** Distinguishes toasts with the same text; without it they are one. */
  id: string;
  title: string;
  text: string;
  link: { to: string; name: string };
  /** Called when it is closed by hand or its link is followed. */
  onClose: () => void;
};
type Toast = { id: number; content: Partial<ToastContent> & { text: string }; kind: Kind; exiting: boolean };

const mostShown = 4;
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

const getName = ({ id, text }: Toast['content']) => id ?? text;

/** Shows a message for eight seconds and announces it. Not for messages that require an action. */
export function toast(words: string | ToastContent, kind: Kind = 'success') {
  const content = typeof words === 'string' ? { text: words } : words;
  // Repeating a toast restarts its time instead of stacking it.
  const others = toasts.filter((one) => getName(one.content) !== getName(content));
  change([...others, { id: ++lastId, content, kind, exiting: false }].slice(-mostShown));
}

function dismiss(id: number) {
  change(toasts.map((one) => (one.id === id ? { ...one, exiting: true } : one)));
  setTimeout(() => change(toasts.filter((one) => one.id !== id)), exitMs);
}

/** Dismisses a toast that was seen elsewhere. */
export function dismissToast(id: string) {
  for (const one of toasts) if (one.content.id === id && !one.exiting) dismiss(one.id);
}

function ToastCard({ id, content: { title, text, link, onClose }, kind, exiting }: Toast) {
  const [timer] = useState(() => createToastTimer(() => dismiss(id)));
  const card = useRef<HTMLDivElement>(null);
  useEffect(() => {
    timer.run();
    return timer.pause;
  }, [timer]);
  // The timer resumes only once neither pointer nor focus is on the toast.
  const resume = () => {
    if (!card.current?.matches(':hover, :focus-within')) timer.run();
  };
  const close = () => {
    dismiss(id);
    onClose?.();
  };
  return (
    <div
      className={styles.toast}
      ref={card}
      data-kind={kind}
      data-leaving={exiting || undefined}
      onPointerEnter={timer.pause}
      onPointerLeave={resume}
      onFocus={timer.pause}
      onBlur={() => setTimeout(resume)}
    >
      <div className={styles.words}>
        {title && <strong>{title}</strong>}
        <p>{text}</p>
        {link && (
          <ButtonLink to={link.to} kind="secondary" size="sm" onClick={close}>
            {link.name}
          </ButtonLink>
        )}
      </div>
      <CloseButton onClick={close} />
    </div>
  );
}

/** Rendered once, at the root: screen readers only announce changes of an element that exists before the first toast. */
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
