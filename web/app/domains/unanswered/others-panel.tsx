import { formatDate, ownTimeZone } from '@handwise/contract/dates';
import { counted, inWords } from '@handwise/contract/numbers';
import { paths } from '@handwise/contract/paths';
import type { OtherBusiness, Others } from '@handwise/contract/unanswered/calls';
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router';
import { ApiError } from '../../lib/api-error.ts';
import { call } from '../../lib/api.ts';
import { LoadProblem } from '../../ui/feedback/load-problem.tsx';
import { toast } from '../../ui/feedback/toast.tsx';
import { Button } from '../../ui/forms/button.tsx';
import { refetchMessages } from '../messages/messages-queries.ts';
import styles from './others-panel.module.css';

export const othersQuery = (id: string) =>
  queryOptions({
    queryKey: ['conversation', id, 'others'],
    queryFn: ({ signal }) => call('GET /messages/:id/others', { params: { id } }, signal),
    staleTime: 60_000,
  });

type PanelProps = { id: string; role: 'buyer' | 'seller'; name: string };

/** Other businesses that can get an unanswered message; to its business, that others were asked. */
export function OthersPanel({ id, role, name }: PanelProps) {
  const { data, isError, refetch } = useQuery(othersQuery(id));
  if (!data)
    return isError && role === 'buyer' && <LoadProblem text="Other businesses could not be loaded." onRetry={() => void refetch()} />;
  if (role === 'seller') return data.askedAt && <OthersAsked {...data} askedAt={data.askedAt} name={name} />;
  return (
    <>
      {data.conversations.length > 0 && <Asked conversations={data.conversations} />}
      {data.others.length > 0 && <Offer key={data.asked} id={id} name={name} others={data.others} />}
      {data.unanswered && data.others.length === 0 && data.asked === 0 && <NobodyElse name={name} />}
    </>
  );
}

const NobodyElse = ({ name }: { name: string }) => (
  <p className={styles.panel}>
    No answer from {name} yet. We found no other business near you that does this work and usually answers.{' '}
    <Link to={paths.search}>Search again</Link>
  </p>
);

const OthersAsked = ({ asked, askedAt, name }: Pick<Others, 'asked'> & { askedAt: string; name: string }) => (
  <p className={styles.panel}>
    {name} sent the same message to {asked === 1 ? 'one other business' : `${inWords(asked)} other businesses`} on{' '}
    {formatDate(askedAt, ownTimeZone())}, because there was no answer for a day.
  </p>
);

const Asked = ({ conversations }: Pick<Others, 'conversations'>) => (
  <p className={styles.panel}>
    Your message has also gone to{' '}
    {conversations.map(({ conversationId, business }, at) => (
      <span key={conversationId}>
        {at > 0 && ', '}
        <Link to={paths.conversation(conversationId)}>{business}</Link>
      </span>
    ))}
    .
  </p>
);

function Offer({ id, name, others }: { id: string; name: string; others: readonly OtherBusiness[] }) {
  const client = useQueryClient();
  const [chosen, setChosen] = useState<ReadonlySet<string>>(() => new Set(others.map(({ listingId }) => listingId)));
  const [busy, setBusy] = useState(false);
  async function send() {
    setBusy(true);
    try {
      for (const { listingId } of others.filter((one) => chosen.has(one.listingId))) {
        await call('POST /messages/:id/others', { params: { id }, body: { listingId } });
      }
      toast('Your message has been sent.');
    } catch (error) {
      toast(error instanceof ApiError ? error.message : 'Your message could not be sent to all of them. Please try again.', 'error');
    }
    setBusy(false);
    await Promise.all([client.invalidateQueries({ queryKey: othersQuery(id).queryKey }), refetchMessages(client, id)]);
  }
  return (
    <section className={styles.panel} aria-labelledby="others-heading">
      <h2 id="others-heading" className={styles.heading}>
        No answer from {name} yet
      </h2>
      <p>These businesses do this work near you and usually answer. Nothing is sent unless you choose to.</p>
      <ul className={styles.list}>
        {others.map(({ listingId, business, serviceTitle, answering }) => (
          <li key={listingId}>
            <label className={styles.choice}>
              <input
                type="checkbox"
                checked={chosen.has(listingId)}
                onChange={() =>
                  setChosen((all) => new Set(all.has(listingId) ? [...all].filter((one) => one !== listingId) : [...all, listingId]))
                }
              />
              <span>
                <strong>{business}</strong>
                {answering && <small>{answering}</small>}
              </span>
            </label>
            <Link to={paths.listing(listingId)}>{serviceTitle}</Link>
          </li>
        ))}
      </ul>
      <Button size="sm" busy={busy} disabled={chosen.size === 0} onClick={() => void send()}>
        Send my message to {counted(chosen.size, 'business', 'businesses')}
      </Button>
    </section>
  );
}
