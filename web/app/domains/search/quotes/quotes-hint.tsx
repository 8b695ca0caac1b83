import { paths } from '@handwise/contract/paths';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import styles from './quotes-hint.module.css';

type QuotesHintProps = {
  children: ReactNode;
  category?: string | null | undefined;
  subCategory?: string | null | undefined;
  place?: string | null | undefined;
  listing?: string | undefined;
};

/** The way to one description for several businesses, with what is known of the job already. */
export function QuotesHint({ children, ...known }: QuotesHintProps) {
  const given = Object.entries(known).flatMap(([name, value]) => (value ? [[name, value]] : []));
  const query = new URLSearchParams(given).toString();
  return (
    <p className={styles.hint}>
      {children} <Link to={`${paths.getQuotes}${query && `?${query}`}`}>Get quotes</Link>
    </p>
  );
}
