import type { ShownBuildingRule } from '@handwise/contract/quotes/calls';
import { count } from '@handwise/contract/numbers';
import styles from './building-reminder.module.css';

/** What the law may ask for at this total, for both sides. What is not known is a question for the regulator. */
export function BuildingReminder({ rule }: { rule: ShownBuildingRule | null | undefined }) {
  if (!rule) return null;
  const rows = [
    ['Contract', rule.contract],
    ['Deposit', rule.deposit],
    ['Insurance', rule.insurance],
  ] as const;
  return (
    <aside className={styles.reminder} aria-label="Rules for building work">
      <p className={styles.title}>
        {rule.fromMinor === 0 ? 'For building work on a home' : `For building work on a home from $${count(rule.fromMinor / 100)}`}
      </p>
      <dl>
        {rows.map(([label, text]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{text ?? 'Ask the regulator'}</dd>
          </div>
        ))}
      </dl>
      <p className={styles.note}>
        General information, not advice.{' '}
        <a href={rule.url} target="_blank" rel="noopener noreferrer">
          {rule.regulator}
        </a>{' '}
        says what applies to you.
      </p>
    </aside>
  );
}
