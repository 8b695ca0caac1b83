import { paths } from '@handwise/contract/paths';
import { useEffect, useRef } from 'react';
import { ButtonLink } from '../../../../ui/forms/button.tsx';
import { SeveralOutcomes } from '../../first-message/several-outcomes.tsx';
import type { Outcomes } from '../../first-message/several.ts';
import type { QuotePick } from './quote-draft.ts';
import styles from './quote-form.module.css';

/** All of them have it. Reading goes on here. */
export function QuoteSent({ picks, outcomes }: { picks: readonly QuotePick[]; outcomes: Outcomes }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return (
    <div className={styles.sent}>
      <h2 ref={heading} tabIndex={-1}>
        {picks.length === 1 ? 'Your request is sent' : `Sent to ${picks.length} businesses`}
      </h2>
      <SeveralOutcomes receivers={picks} outcomes={outcomes} />
      <p className={styles.note}>Their answers will come to your messages.</p>
      <div className={styles.actions}>
        <ButtonLink to={paths.quoteRequests}>Your quote requests</ButtonLink>
        <ButtonLink to={paths.getQuotes} kind="secondary" reloadDocument>
          Describe another job
        </ButtonLink>
      </div>
    </div>
  );
}
