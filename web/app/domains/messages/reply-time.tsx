import { IconClock } from '@tabler/icons-react';
import styles from './reply-time.module.css';

/** How a seller answers, with an explanation on press. */
export const ReplyTime = ({ text, formula }: { text: string; formula: string }) => (
  <details className={styles.replyTime}>
    <summary>
      <IconClock size={20} stroke={1.75} aria-hidden="true" />
      {text}
    </summary>
    <p>{formula}</p>
  </details>
);
