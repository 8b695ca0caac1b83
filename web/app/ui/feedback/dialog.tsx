import { type ReactNode, useEffect, useId, useRef } from 'react';
import styles from './dialog.module.css';
import { IconX } from '@tabler/icons-react';

/** The round cross in the corner of a dialog or toast. */
export const CloseButton = ({ onClick }: { onClick: () => void }) => (
  <button type="button" className={styles.close} aria-label="Close" onClick={onClick}>
    <IconX size={22} stroke={1.75} aria-hidden="true" />
  </button>
);

type DialogProps = {
  open: boolean;
  onClose: () => void;
  title: string;
  /** A box in the middle, or a sheet that rises from the bottom. */
  kind?: 'box' | 'sheet';
  children: ReactNode;
  /** Stays visible at the bottom while the content scrolls. */
  actions?: ReactNode;
};

/** A modal dialog: the browser traps the focus, closes it on Escape and returns the focus. */
export function Dialog({ open, onClose, title, kind = 'box', children, actions }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  useEffect(() => {
    const element = dialog.current;
    if (open && !element?.open) element?.showModal();
    if (!open && element?.open) element.close();
  }, [open]);
  useEffect(() => {
    const element = dialog.current;
    // A press on the element itself is on the backdrop. Keyboard users press Escape.
    const closeOnBackdrop = (event: MouseEvent) => event.target === element && element?.close();
    element?.addEventListener('click', closeOnBackdrop);
    return () => element?.removeEventListener('click', closeOnBackdrop);
  }, []);
  return (
    <dialog ref={dialog} className={styles.dialog} data-kind={kind} aria-labelledby={titleId} onClose={onClose}>
      {open && (
        <div className={styles.content}>
          <div className={styles.head}>
            <h2 id={titleId} className={styles.title}>
              {title}
            </h2>
            <CloseButton onClick={onClose} />
          </div>
          <div className={styles.body}>{children}</div>
          {actions && <div className={styles.actions}>{actions}</div>}
        </div>
      )}
    </dialog>
  );
}
