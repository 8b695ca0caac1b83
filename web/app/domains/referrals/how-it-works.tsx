import { counted } from '@handwise/contract/numbers';
import { prizeText, ticketsOf } from '@handwise/contract/draws/prize';
import styles from './how-it-works.module.css';

const steps = [
  { title: 'Share Your Code', text: 'Send it to anyone with a trade, or a leaking tap.' },
  {
    title: 'Earn Tickets',
    text: `${counted(ticketsOf.signup, 'ticket')} when someone signs up with it, and ${ticketsOf.listing} when their first listing is live.`,
  },
  { title: 'Win Prizes', text: `Each ticket is one chance in the ${prizeText} draw on the last day of the month.` },
] as const;

/** Three steps from a code to a prize. */
export const HowItWorks = ({ beside = false }: { beside?: boolean }) => (
  <ol className={styles.steps} data-beside={beside || undefined}>
    {steps.map(({ title, text }) => (
      <li key={title}>
        <strong>{title}</strong>
        <span className="muted">{text}</span>
      </li>
    ))}
  </ol>
);
