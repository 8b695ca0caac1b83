import { replyTimeFormula } from '@handwise/contract/messages/reply-time';
import { IconClock } from '@tabler/icons-react';
import styles from './reply-time.module.css';

/** How fast a seller answers, with an explanation on press. */
export const ReplyTime = ({ text }: { text: string }) => (
  <details className={styles.replyTime}>
    <summary>
      <IconClock size={20} stroke={1.75} aria-hidden="true" />
      {text}
    </summary>
    <p>{replyTimeFormula}</p>
  </details>
);
