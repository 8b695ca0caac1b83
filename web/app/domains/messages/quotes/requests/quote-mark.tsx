import type { Conversation } from '@handwise/contract/messages/calls';
import styles from './quote-mark.module.css';

/** Marks a conversation in which a quote was asked for. */
export const QuoteMark = ({ standing }: { standing: NonNullable<Conversation['quoteRequest']> }) => (
  <span className={styles.mark} data-closed={standing === 'closed' || undefined}>
    {standing === 'open' ? 'Quote request' : 'Request closed'}
  </span>
);
