import { site } from '@handwise/contract/site/site';
import styles from './logo.module.css';

/** A roof that becomes an open hand, in one line. */
const LogoMark = ({ className }: { className?: string | undefined }) => (
  <svg className={className} viewBox="0 0 40 40" width="36" height="36" aria-hidden="true" focusable="false">
    <rect width="40" height="40" rx="11" fill="var(--logo-tile, #10b981)" />
    <path
      d="M8.5 20.2 20 9.8l11.5 10.4M12.2 18.6v6.1c0 3.6 2.6 6.5 6.9 6.5h3.6c2.3 0 3.7-.9 5-2.5l4-4.9c1.2-1.5-.7-3.3-2.2-2.1l-3.6 2.9h-7.1"
      fill="none"
      stroke="var(--logo-line, #0f2a2e)"
      strokeWidth="2.6"
      strokeLinecap="round"
      strokeLinejoin="round"
    />
  </svg>
);

export const Logo = ({ name = site.name }: { name?: string }) => (
  <span className={styles.logo}>
    <LogoMark />
    <span className={styles.word}>{name}</span>
  </span>
);
