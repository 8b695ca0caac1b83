import { Combobox } from '../bar/combobox.tsx';
import styles from './place-field.module.css';

type PlaceFieldProps = { id: string; name: string; text: string; error: string | undefined; onText: (text: string) => void };

/** A place, suggested while it is typed, as a field of a form. */
export const PlaceField = ({ id, name, text, error, onText }: PlaceFieldProps) => (
  <div className={styles.field} data-invalid={error ? '' : undefined}>
    <label className={styles.label} htmlFor={id}>
      Where is the job?
    </label>
    <Combobox
      id={id}
      className={styles.input}
      name={name}
      box="where"
      text={text}
      placeholder="Suburb or town"
      aria-invalid={error ? true : undefined}
      aria-describedby={error ? `${id}-error` : undefined}
      onText={onText}
    />
    {error && (
      <p className={styles.error} id={`${id}-error`}>
        <span className="visually-hidden">Error: </span>
        {error}
      </p>
    )}
  </div>
);
