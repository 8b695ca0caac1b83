import { adminPaths } from '@handwise/contract/admin/paths';
import { paths } from '@handwise/contract/paths';
import { pageMeta } from '../../lib/page-meta.ts';
import type { Route } from './+types/admin-referrals';
import { type AdminReferral, decideReferralCall } from '@handwise/contract/referrals/admin';
import { noCard } from '@handwise/contract/referrals/holds';
import { useQuery } from '@tanstack/react-query';
import { Link, useSearchParams } from 'react-router';
import { Notice } from '../../ui/feedback/notice.tsx';
import { getRequestedPage } from '../../ui/page/page-links.tsx';
import { referrals, useReferralDecision } from '../../domains/admin/desk/admin-queries.ts';
import styles from '../../domains/admin/desk/case.module.css';
import { Loaded, QueryFilterLinks, formatTime } from '../../domains/admin/desk/list-parts.tsx';
import { Queue } from '../../domains/admin/desk/queue.tsx';
import { ReasonedChoice } from '../../domains/admin/desk/decision-form.tsx';

export const meta: Route.MetaFunction = ({ matches }) =>
  pageMeta(matches, {
    title: 'Referrals',
    description: 'Referrals waiting for a decision.',
    path: adminPaths.referrals,
    noIndex: true,
  });

export default function AdminReferralsPage() {
  return (
    <>
      <h1>Referrals</h1>
      <ReferralQueue />
    </>
  );
}

const filters = [
  { value: '', name: 'Held', empty: 'No referral is held at the moment.' },
  { value: 'pending', name: 'Pending', empty: 'No referral is waiting for its first listing.' },
  { value: 'converted', name: 'Converted', empty: 'No referral has led to a listing yet.' },
  { value: 'refused', name: 'Refused', empty: 'No referral has been refused.' },
] as const;

const states: Record<AdminReferral['status'], string> = {
  held: 'Held',
  pending: 'Pending',
  converted: 'Converted',
  refused: 'Refused',
};

/** Why a referral or its reward waits, or waited. */
const describeWaiting = ({ heldBecause }: AdminReferral): string | null =>
  heldBecause === noCard ? 'Its tickets wait until the new account has saved a card that no other account uses, or has paid.' : heldBecause;

/** What happens to a held referral without a decision, and when. */
const formatEnd = ({ heldOutcome, heldUntil }: AdminReferral): string | null =>
  heldOutcome === null || heldUntil === null ? null : `${heldOutcome === 'lapses' ? 'Lapses' : 'Counts'} on ${formatTime(heldUntil)}`;

/** Referrals awaiting a decision, and the others. */
function ReferralQueue() {
  const [search] = useSearchParams();
  const filter = filters.find((one) => one.value === search.get('status')) ?? filters[0];
  const page = getRequestedPage(search.get('page')) ?? 1;
  const query = useQuery(referrals({ status: filter.value === '' ? 'held' : filter.value, page: String(page) }));
  return (
    <>
      <QueryFilterLinks label="Referrals" name="status" options={filters} />
      <Loaded query={query}>
        {(data) => (
          <Queue
            label="Cases"
            page={page}
            totalPages={data.totalPages}
            empty={filter.empty}
            items={data.referrals.map((one) => ({
              id: one._id,
              title: `${one.referred.fullName}, by ${one.referrer.fullName}`,
              detail: describeWaiting(one) ?? states[one.status],
              when: formatEnd(one) ?? formatTime(one.createdAt),
            }))}
          >
            {(id, next) => {
              const shown = data.referrals.find((one) => one._id === id);
              return shown && <Shown key={`${id} ${shown.status}`} shown={shown} onDone={next} />;
            }}
          </Queue>
        )}
      </Loaded>
    </>
  );
}

function Shown({ shown, onDone }: { shown: AdminReferral; onDone: () => void }) {
  const { referrer, referred, listing, speaksFor, speaksAgainst, decision } = shown;
  const end = formatEnd(shown);
  return (
    <>
      <header className={styles.head}>
        <p className="muted">
          {states[shown.status]} · {shown.code} · {formatTime(shown.createdAt)}
        </p>
        <h2>
          {referred.fullName} signed up with the code of {referrer.fullName}
        </h2>
        {shown.heldBecause && (
          <p>
            {describeWaiting(shown)}
            {end && ` Without a decision: ${end}.`}
          </p>
        )}
      </header>
      <div className={styles.people}>
        <Person title="The code is theirs" person={referrer} />
        <Person title="They signed up with it" person={referred} />
      </div>
      {listing && (
        <p>
          Their first listing: <Link to={paths.listing(listing._id)}>{listing.title}</Link>
        </p>
      )}
      <section className={styles.section}>
        <h3>Evidence against it</h3>
        {speaksAgainst.length === 0 ? (
          <p className="muted">Nothing that the rules look for.</p>
        ) : (
          <ul className={styles.quote}>
            {speaksAgainst.map((one) => (
              <li key={`${one.rule} ${one.createdAt}`}>
                <strong>{one.text}</strong>
                <span className="muted">
                  {one.rule.replaceAll('_', ' ')} · {one.severity} · {formatTime(one.createdAt)}
                </span>
              </li>
            ))}
          </ul>
        )}
      </section>
      <section className={styles.section}>
        <h3>Evidence for it</h3>
        {speaksFor.length === 0 ? (
          <p className="muted">None that we know of.</p>
        ) : (
          <ul className={styles.quote}>
            {speaksFor.map((one) => (
              <li key={one}>{one}</li>
            ))}
          </ul>
        )}
      </section>
      {decision ? (
        <section className={styles.section}>
          <h3>
            {decision.approved ? 'Approved' : 'Refused'} {decision.decidedBy ? `by ${decision.decidedBy}` : 'automatically'},{' '}
            {formatTime(decision.decidedAt)}
          </h3>
          <p className={styles.words}>{decision.reason}</p>
        </section>
      ) : shown.mayDecide ? (
        <DecisionForm shown={shown} onDone={onDone} />
      ) : (
        <Notice>You are one of the two people, so another administrator has to decide.</Notice>
      )}
    </>
  );
}

const Person = ({ title, person }: { title: string; person: AdminReferral['referrer'] }) => (
  <section className={styles.section}>
    <h3>{title}</h3>
    <p className={styles.words}>
      <Link to={adminPaths.user(person._id)}>{person.fullName}</Link>
      {`\n${person.username}\n${person.email}, ${person.emailConfirmed ? 'confirmed' : 'not confirmed'}\nMember since ${formatTime(person.createdAt)}`}
    </p>
  </section>
);

const approval = {
  value: 'yes',
  name: 'Approve: it counts',
  notice: 'The referral counts, and its tickets have been issued.',
  button: 'Approve',
  kind: 'primary',
} as const;
const rejection = {
  value: 'no',
  name: 'Refuse: it does not count',
  notice: 'The referral does not count.',
  button: 'Refuse',
  kind: 'danger',
} as const;

function DecisionForm({ shown, onDone }: { shown: AdminReferral; onDone: () => void }) {
  const decision = useReferralDecision();
  return (
    <ReasonedChoice
      name="referral-decision"
      schema={decideReferralCall.body.pick({ reason: true })}
      legend="Does it count?"
      answers={shown.status === 'held' ? [approval, rejection] : [{ ...rejection, name: 'Refuse it, and cancel what it earned' }]}
      readers="Both people"
      hint="Both people will read this, word for word."
      title={`${shown.referred.fullName} and the code ${shown.code}`}
      send={async (answer, reason) => {
        await decision.mutateAsync({ params: { id: shown._id }, body: { approve: answer === 'yes', reason } });
        onDone();
      }}
    />
  );
}
