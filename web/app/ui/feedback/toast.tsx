import { useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { ButtonLink } from '../forms/button.tsx';
import { CloseButton } from './close-button.tsx';
import { exitMs, toastTimer } from './toast-timer.ts';
import styles from './toast.module.css';

type Kind = 'success' | 'error' | 'info' | 'prize';

/** What is told besides plain words. */
type Told = {
  /** Tells two apart that say the same; without it they are one. */
  id: string;
  title: string;
  text: string;
  link: { to: string; name: string };
  /** Closed by hand, or its link was followed. */
  onClose: () => void;
};
type Toast = { id: number; told: Partial<Told> & { text: string }; kind: Kind; leaving: boolean };

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

const nameOf = ({ id, text }: Toast['told']) => id ?? text;

/** Says something in passing: read out at once, gone after eight seconds. Nothing that one must act on. */
export function toast(words: string | Told, kind: Kind = 'success') {
  const told = typeof words === 'string' ? { text: words } : words;
  // The same words again start anew instead of piling up.
  const others = toasts.filter((one) => nameOf(one.told) !== nameOf(told));
  change([...others, { id: ++lastId, told, kind, leaving: false }].slice(-mostShown));
}

function dismiss(id: number) {
  change(toasts.map((one) => (one.id === id ? { ...one, leaving: true } : one)));
  setTimeout(() => change(toasts.filter((one) => one.id !== id)), exitMs);
}

/** Takes one away that is seen elsewhere. */
export function dismissToast(id: string) {
  for (const one of toasts) if (one.told.id === id && !one.leaving) dismiss(one.id);
}

function ToastCard({ id, told: { title, text, link, onClose }, kind, leaving }: Toast) {
  const [timer] = useState(() => toastTimer(() => dismiss(id)));
  const card = useRef<HTMLDivElement>(null);
  useEffect(() => {
    timer.run();
    return timer.pause;
  }, [timer]);
  // One may have the pointer on it and the focus in it: it goes on when both are gone.
  const goOn = () => {
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
      data-leaving={leaving || undefined}
      onPointerEnter={timer.pause}
      onPointerLeave={goOn}
      onFocus={timer.pause}
      onBlur={() => setTimeout(goOn)}
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
