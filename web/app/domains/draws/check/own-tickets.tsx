import type { OutputOf } from '@handwise/contract/calls';
import type { PublicDraw } from '@handwise/contract/draws/calls';
import { paths } from '@handwise/contract/paths';
import { useState } from 'react';
import { call } from '../../../lib/api.ts';
import { getLoginPath } from '../../../lib/session/redirect.ts';
import { useSession } from '../../../lib/session/session.ts';
import { ErrorDisplay } from '../../../ui/feedback/error-display.tsx';
import { Button, ButtonLink } from '../../../ui/forms/button.tsx';
import type { Checker } from './checker.ts';
import styles from './check.module.css';
import type { OwnEntry } from './check-messages.ts';
import { count, counted } from '@handwise/contract/numbers';
import type { DrawEntry, EntrySource, VoidReason } from '@handwise/contract/tickets/calls';
import { formatDrawDay } from '../draw-times.ts';

const sources: Record<EntrySource, string> = {
  signup: 'for signing up',
  referral: 'because somebody signed up with your code',
  listing: 'for the first listing of somebody you invited',
  other: 'given by us',
};

const reasons: Record<VoidReason, string> = {
  administrator: 'administrators take no part',
  suspended: 'your account was suspended when the draw closed',
  deleted: 'your account was deleted',
  swapped: 'you swapped it for a free month',
  fraud: 'it broke the rules',
  unconfirmed: 'your email address was not confirmed when the draw closed',
};

/** "5 tickets for the first listing of somebody you invited, Oct 12, 2026" */
export const formatOwnEntry = ({ tickets, source, createdAt }: DrawEntry) =>
  `${counted(tickets, 'ticket')} ${sources[source]}, ${formatDrawDay(createdAt)}`;

/** Its place in the draw; null if it took no part. */
export function formatOwnPlace(entry: DrawEntry & { proof: { firstTicket: number } | null }, total: number): string | null {
  if (!entry.proof) return null;
  const first = entry.proof.firstTicket + 1;
  const last = entry.proof.firstTicket + entry.tickets;
  return first === last ? `Ticket ${count(first)} of ${count(total)}` : `Tickets ${count(first)} to ${count(last)} of ${count(total)}`;
}

/** Why an entry takes no part. */
export const formatOwnVoid = (reason: VoidReason | null) => (reason ? `Not in the draw: ${reasons[reason]}.` : null);

type Own = OutputOf<'GET /draws/mine'>['entries'][number];
type Found = { entry: Own; isValid: boolean | null };
type State = { is: 'idle' | 'busy' } | { is: 'failed'; error: unknown } | { is: 'done'; found: Found[] };

const hasProof = (entry: Own): entry is Own & OwnEntry => entry.proof !== null;

/** "Was my ticket in the draw?": the user's entries, each verified against the published seal in the browser. */
export function OwnTickets({ draw, runCheck }: { draw: PublicDraw; runCheck: Checker['runCheck'] }) {
  const { user, initialized } = useSession();
  const [state, setState] = useState<State>({ is: 'idle' });
  if (!initialized || !user) {
    return (
      <p>
        <ButtonLink to={getLoginPath(paths.draw(draw.period))} kind="secondary">
          Sign in to look
        </ButtonLink>
      </p>
    );
  }

  async function load() {
    setState({ is: 'busy' });
    try {
      const query = { period: draw.period };
      const { entries } = await call('GET /draws/mine', { query });
      const proven = entries.filter(hasProof);
      const results = draw.root === null || proven.length === 0 ? [] : await runCheck('own', { entries: proven, root: draw.root });
      const verdicts = new Map(proven.map(({ id }, place) => [id, results[place] ?? null]));
      setState({ is: 'done', found: entries.map((entry) => ({ entry, isValid: verdicts.get(entry.id) ?? null })) });
    } catch (error) {
      setState({ is: 'failed', error });
    }
  }

  return (
    <div className={styles.findings}>
      {state.is !== 'done' && (
        <p>
          <Button kind="secondary" busy={state.is === 'busy'} onClick={() => void load()}>
            {state.is === 'busy' ? 'Looking…' : 'Look for my tickets'}
          </Button>
        </p>
      )}
      {state.is === 'failed' && <ErrorDisplay error={state.error} />}
      {state.is === 'done' && state.found.length === 0 && <p role="status">You had no tickets this month.</p>}
      {state.is === 'done' && state.found.length > 0 && (
        <ul className={styles.entries} aria-label="Your tickets">
          {state.found.map((one) => (
            <OwnLine key={one.entry.id} {...one} draw={draw} />
          ))}
        </ul>
      )}
    </div>
  );
}

function OwnLine({ entry, isValid, draw }: Found & { draw: PublicDraw }) {
  const place = formatOwnPlace(entry, draw.totalTickets);
  const isVoid = formatOwnVoid(entry.voidReason);
  return (
    <li className={styles.step} data-state={isValid === null ? 'not-checked' : isValid ? 'passed' : 'failed'}>
      <div>
        <p className={styles.name}>{formatOwnEntry(entry)}</p>
        {place && isValid !== null && (
          <p>
            {place}.{' '}
            {isValid
              ? 'It was in the draw: your browser has traced it to the published seal.'
              : 'Your browser cannot trace it to the published seal. Please tell us.'}
          </p>
        )}
        {isVoid && <p>{isVoid}</p>}
        {!place && !isVoid && <p>It takes part. Once the draw has closed, your browser can trace it to the published seal.</p>}
        {draw.winner?.entryId === entry.id && <p className={styles.name}>This is the entry that won.</p>}
        <p className={styles.detail}>
          Its number in the published list: <code>{entry.id}</code>
        </p>
      </div>
    </li>
  );
}
