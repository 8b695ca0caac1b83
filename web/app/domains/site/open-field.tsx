import { counted } from '@handwise/contract/numbers';
import { splitList } from '@handwise/contract/text';
import styles from './settings-preview.module.css';

type OpenFieldProps = {
  id: string;
  legend: string;
  options: readonly { value: string; name: string }[];
  /** The closed ones, as the setting holds them. */
  closed: string;
  /** Those that are closed now. */
  before: string;
  live: Readonly<Record<string, number>>;
  error: string | undefined;
  onChange: (closed: string) => void;
};

const describeLive = (number: number) =>
  `${counted(number, 'live listing')} ${number === 1 ? 'stays until it ends' : 'stay until they end'}`;

/** Which of these take new listings, and what closing one leaves running. */
export function OpenField({ id, legend, options, closed, before, live, error, onChange }: OpenFieldProps) {
  const [now, was] = [splitList(closed), splitList(before)];
  const closing = options.filter(({ value }) => now.includes(value) && !was.includes(value));
  return (
    <fieldset className={styles.open} id={id} tabIndex={-1} aria-describedby={`${id}-note`}>
      <legend>{legend}</legend>
      <div className={styles.choices}>
        {options.map(({ value, name }) => (
          <label key={value}>
            <input
              type="checkbox"
              checked={!now.includes(value)}
              onChange={({ target }) => onChange((target.checked ? now.filter((one) => one !== value) : [...now, value]).join(', '))}
            />{' '}
            {name}
          </label>
        ))}
      </div>
      <span id={`${id}-note`} role="status" className={error ? styles.problem : 'muted'}>
        {error ?? closing.map(({ value, name }) => `${name} takes no new listings; ${describeLive(live[value] ?? 0)}.`).join(' ')}
      </span>
    </fieldset>
  );
}
