import { paths } from '@handwise/contract/paths';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import styles from './quote-request-hint.module.css';

type QuoteRequestHintProps = {
  children: ReactNode;
  category?: string | null | undefined;
  subCategory?: string | null | undefined;
  place?: string | null | undefined;
  listing?: string | undefined;
};

/** Links to one quote request for several businesses, with the known parts of the job. */
export function QuoteRequestHint({ children, ...job }: QuoteRequestHintProps) {
  const entries = Object.entries(job).flatMap(([name, value]) => (value ? [[name, value]] : []));
  const query = new URLSearchParams(entries).toString();
  return (
    <p className={styles.hint}>
      {children} <Link to={`${paths.getQuotes}${query && `?${query}`}`}>Get quotes</Link>
    </p>
  );
}
