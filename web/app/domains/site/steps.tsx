import styles from './steps.module.css';

/** What happens one after the other, with large numerals. */
export const Steps = ({ steps }: { steps: readonly { title: string; text: string }[] }) => (
  <ol className={styles.steps}>
    {steps.map(({ title, text }, index) => (
      <li key={title}>
        <span className={styles.numeral} aria-hidden="true">
          {index + 1}
        </span>
        <div>
          <h3>{title}</h3>
          <p className="muted">{text}</p>
        </div>
      </li>
    ))}
  </ol>
);
