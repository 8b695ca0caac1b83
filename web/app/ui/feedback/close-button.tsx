import { IconX } from '@tabler/icons-react';
import styles from './close-button.module.css';

/** The round cross in the corner of what lies above the page. */
export const CloseButton = ({ onClick }: { onClick: () => void }) => (
  <button type="button" className={styles.close} aria-label="Close" onClick={onClick}>
    <IconX size={22} stroke={1.75} aria-hidden="true" />
  </button>
);
