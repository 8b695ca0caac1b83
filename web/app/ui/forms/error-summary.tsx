import { useEffect, useRef } from 'react';
import styles from './error-summary.module.css';

type ErrorSummaryProps = {
  /** The form’s name. */
  form?: string;
  /** The server's message about the form. */
  message?: string | undefined;
  /** Names as passed to the fields. */
  fields?: readonly { field: string; message: string }[];
  /** The number of attempts to submit; each failed one moves the focus here. */
  attempt: number;
};

const noFields: readonly { field: string; message: string }[] = [];

/** The red box at the top of a form, which takes the focus after a failed submit and leads to the fields. */
export function ErrorSummary({ form, message, fields = noFields, attempt }: ErrorSummaryProps) {
  const box = useRef<HTMLDivElement>(null);
  const shown = message !== undefined || fields.length > 0;
  const focusedFor = useRef(0);
  useEffect(() => {
    // Once an attempt: an error that comes back while a field is corrected leaves the focus there.
    if (attempt === focusedFor.current || (attempt > 0 && !shown)) return;
    focusedFor.current = attempt;
    if (attempt > 0) box.current?.focus();
  }, [attempt, shown]);
  if (!shown) return null;
  return (
    <div ref={box} className={styles.box} role="alert" tabIndex={-1}>
      <p className={styles.title}>{message ?? 'Please check the marked fields.'}</p>
      {fields.length > 0 && (
        <ul>
          {fields.map((one) => (
            <li key={one.field}>
              <a
                href={`#field-${one.field}`}
                onClick={(event) => {
                  event.preventDefault();
                  // Fields without an input have their own id.
                  (document.getElementById(`field-${form}-${one.field}`) ?? document.getElementById(`field-${one.field}`))?.focus();
                }}
              >
                {one.message}
              </a>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
