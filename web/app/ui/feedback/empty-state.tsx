import type { ReactNode } from 'react';
import styles from './empty-state.module.css';

const drawings = {
  search: (
    <>
      <path className={styles.ground} d="M18 92h124" />
      <path className={styles.shape} d="M34 92V60l24-20 24 20v32z" />
      <path className={styles.line} d="M30 64l28-23 28 23M50 92V74h16v18" />
      <circle className={styles.lens} cx="104" cy="56" r="22" />
      <path className={styles.line} d="M120 72l16 16" />
    </>
  ),
  box: (
    <>
      <path className={styles.ground} d="M18 92h124" />
      <path className={styles.shape} d="M48 52h64v40H48z" />
      <path className={styles.line} d="M48 52h64v40H48zM48 52l-12-14h34l10 14 10-14h34l-12 14M80 52v18" />
    </>
  ),
  signpost: (
    <>
      <path className={styles.ground} d="M18 96h124" />
      <path className={styles.shape} d="M44 26h60l14 12-14 12H44z" />
      <path className={styles.line} d="M78 96V50M78 26v-8M44 26h60l14 12-14 12H44zM112 58H58l-12 10 12 10h54z" />
    </>
  ),
  plug: (
    <>
      <path className={styles.ground} d="M18 92h124" />
      <path className={styles.shape} d="M84 40h26v28H84z" />
      <path
        className={styles.line}
        d="M16 54h26M42 40h16c8 0 14 6 14 14s-6 14-14 14H42zM72 47h8M72 61h8M144 54h-34M110 40H98c-8 0-14 6-14 14s6 14 14 14h12z"
      />
    </>
  ),
  lock: (
    <>
      <path className={styles.ground} d="M18 96h124" />
      <path className={styles.shape} d="M52 50h56v44H52z" />
      <path className={styles.line} d="M52 50h56v44H52zM62 50V36a18 18 0 0136 0v14M80 66v12" />
    </>
  ),
} as const;

type EmptyStateProps = {
  title: string;
  children?: ReactNode;
  /** One link or button. */
  action?: ReactNode;
  drawing?: keyof typeof drawings;
  /** The heading's level: 1 if it is the page, 2 within one. */
  level?: 1 | 2;
};

/** A small drawing, one sentence, one action. */
export function EmptyState({ title, children, action, drawing = 'box', level = 2 }: EmptyStateProps) {
  const Heading = `h${level}` as const;
  return (
    <div className={styles.empty}>
      <svg className={styles.drawing} viewBox="0 0 160 108" width="200" height="135" aria-hidden="true" focusable="false">
        <ellipse className={styles.glow} cx="80" cy="60" rx="72" ry="44" />
        {drawings[drawing]}
      </svg>
      <Heading className={styles.title}>{title}</Heading>
      {children && <div className={styles.text}>{children}</div>}
      {action && <div className={styles.action}>{action}</div>}
    </div>
  );
}
