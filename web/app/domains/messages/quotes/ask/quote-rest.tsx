import type { QuoteRequestForm } from '@handwise/contract/messages/quotes';
import { type ReactNode, useEffect, useRef } from 'react';
import { Button } from '../../../../ui/forms/button.tsx';
import { JobFacts } from '../requests/job-facts.tsx';
import styles from './quote-form.module.css';

type QuoteRestProps = { values: QuoteRequestForm; busy: boolean; onSend: () => void; children: ReactNode };

/** Some have it and some do not. What they have holds for the others too, who can be tried again or left for somebody else. */
export function QuoteRest({ values, busy, onSend, children }: QuoteRestProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault();
        onSend();
      }}
    >
      <h2 ref={heading} tabIndex={-1} className={styles.heading}>
        Some businesses don’t have it yet
      </h2>
      <p className={styles.job}>{values.job}</p>
      <JobFacts {...values} subCategory={values.subCategory || null} date={values.date || null} />
      {children}
      <Button type="submit" busy={busy} wide>
        {busy ? 'Sending...' : 'Try again'}
      </Button>
    </form>
  );
}
