import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { expect, test } from 'vitest';
import * as draws from '../src/domains/draws/draws.states.ts';
import * as listings from '../src/domains/listings/listings.states.ts';
import * as payments from '../src/domains/payments/payments.states.ts';
import * as renewals from '../src/domains/plans/plans.renewals.states.ts';
import * as quotes from '../src/domains/quotes/quotes.states.ts';
import * as visits from '../src/domains/visits/visits.states.ts';
import * as referrals from '../src/domains/referrals/referrals.states.ts';

const { drawTransitions, prizeTransitions } = draws;
const { listingTransitions } = listings;
const { disputeTransitions, paymentTransitions, refundTransitions } = payments;
const { quoteTransitions } = quotes;
const { visitTransitions } = visits;
const { referralTransitions } = referrals;
const { renewalTransitions } = renewals;

const lives = [
  listingTransitions,
  paymentTransitions,
  refundTransitions,
  disputeTransitions,
  renewalTransitions,
  quoteTransitions,
  visitTransitions,
  referralTransitions,
  drawTransitions,
  prizeTransitions,
];
const states = [...new Set(lives.flatMap((life) => Object.keys(life)))].join('|');
const tables = 'listings|payments|refunds|disputes|renewals|quotes|visits|referrals|draws';
const columns = 'status|prize|hidden_from';

/** Patterns of comparisons with a state: `status === 'held'`, reversed, in a list, or in a switch. */
const comparisons = [
  `(?:status|prize) [!=]== '(?:${states})'`,
  `'(?:${states})' [!=]== [\\w.?]*(?:status|prize)\\b`,
  `'(?:${states})'[^\\n]*\\]\\.includes\\([\\w.?]*(?:status|prize)\\)`,
  `\\bswitch \\([\\w.?]*(?:status|prize)\\)`,
];
/** Patterns of assignments of a state: in the query builder, in SQL, or through columns given by the caller. */
const settings = [
  `\\.updateTable\\('(?:${tables})'\\)\\s*\\.set\\([^;]*?\\b(?:${columns})\\b\\s*[:,}][^;]*?\\.where\\(`,
  `\\bupdate (?:${tables}) set [^\`]*?\\b(?:${columns}) =`,
  `(?<!Omit<)Updateable<DB\\['(?:${tables})'\\]>`,
];

/** Exceptions: the same words with another meaning. Unused exceptions fail. */
const others: [RegExp, string][] = [
  [/\bintent\??\.status\b/, 'an intent at the provider'],
  [/\$if\(status === '|\bopen: status === 'open'|\bstatus === 'open' \? /, 'the filter of a list'],
  [/\bexpiryDate !== null\b/, 'an entry of a draw, whose state is derived from the draw’s'],
];

type Source = { path: string; text: string };

/** Lines that compare or set a state outside the file of its life cycle. */
function strays(sources: readonly Source[]) {
  return sources.flatMap(({ path, text }) =>
    [...text.matchAll(new RegExp([...comparisons, ...settings].join('|'), 'g'))].map(({ index }) => {
      const before = text.slice(0, index);
      return {
        at: `${path}:${before.split('\n').length}`,
        line:
          text
            .slice(before.lastIndexOf('\n') + 1)
            .split('\n', 1)[0]
            ?.trim() ?? '',
      };
    }),
  );
}
const isOther = ({ line }: { line: string }) => others.some(([pattern]) => pattern.test(line));

// The kit has no life cycles, and domains compare states in their `x.states.ts`.
const isChecked = (path: string) => path.endsWith('.ts') && !/^kit\/|\.(?:states|test|generated)\.ts$/.test(path);
const sourceFolder = join(import.meta.dirname, '../src');
const sources = readdirSync(sourceFolder, { recursive: true, encoding: 'utf8' })
  .filter(isChecked)
  .map((path) => ({ path: relative('', path), text: readFileSync(join(sourceFolder, path), 'utf8') }));

test('states are compared and set only in the file of their life cycle', () => {
  expect(sources.length).toBeGreaterThan(200);
  expect(strays(sources).filter((one) => !isOther(one))).toEqual([]);
});

test('every listed exception is still in use', () => {
  const lines = strays(sources);
  for (const [pattern, what] of others) expect([what, lines.some(({ line }) => pattern.test(line))]).toEqual([what, true]);
});

test.each([
  "if (listing.status === 'active') return;",
  "if (draw?.prize !== 'claimed') return;",
  "const isHeld = 'held' === referral.status;",
  "const isOver = ['won', 'lost'].includes(dispute.status);",
  'switch (payment.status) {',
  "tx.updateTable('listings')\n    .set({ status: 'hidden', updated_at: now })\n    .where('id', '=', id)",
  "tx.updateTable('draws').set({ ...also, prize }).where('id', '=', id)",
  "sql`update payments set check_at = null, status = 'failed' where id = ${id}`",
  "changes: Updateable<DB['refunds']>,",
])('detects: %s', (text) => {
  expect(strays([{ path: 'planted.ts', text }])).toMatchObject([{ at: expect.stringMatching(/^planted\.ts:1$/) }]);
});

test.each([
  "query.where('status', '=', 'active')",
  "if (filter.status === 'all') return;",
  "tx.updateTable('listings').set({ verified: true }).where('status', '=', active)",
  "tx.updateTable('reports').set({ status: 'open' }).where('id', '=', id)",
  "changes: Omit<Updateable<DB['listings']>, 'status' | 'hidden_from'>,",
])('ignores: %s', (text) => {
  expect(strays([{ path: 'planted.ts', text }])).toEqual([]);
});

/** Names of the predicates that are true in a state. */
const listTrue = <Subject>(predicates: Record<string, (subject: Subject) => boolean>, subject: Subject) =>
  Object.keys(predicates).filter((name) => predicates[name]?.(subject));

test.each([
  ['active', ['isLive', 'canExpire', 'canBeDeactivated'], 'listing_already_active'],
  ['inactive', ['canExpire', 'canBeActivated'], 'listing_already_active'],
  ['expired', ['canBeActivated'], 'listing_already_active'],
  ['hidden', ['isHidden'], 'listing_hidden'],
] as const)('a listing that is %s', (status, expected, reactivationError) => {
  const { isLive, isHidden, canBecome } = listings;
  const predicates = {
    isLive,
    isHidden,
    canExpire: (one: { status: typeof status }) => canBecome(one, 'expired'),
    canBeActivated: (one: { status: typeof status }) => canBecome(one, 'active'),
    canBeDeactivated: (one: { status: typeof status }) => canBecome(one, 'inactive'),
  };
  expect(listTrue(predicates, { status })).toEqual(expected);
  expect(listings.getReactivationError({ status })).toBe(reactivationError);
});

test.each([
  ['open', ['isPaymentOpen', 'isBookable']],
  ['failed', ['isBookable']],
  ['canceled', ['isBookable']],
  ['succeeded', ['isPaid']],
] as const)('a payment that is %s', (status, expected) => {
  const { isPaymentOpen, isPaid, isBookable } = payments;
  expect(listTrue({ isPaymentOpen, isPaid, isBookable }, { status })).toEqual(expected);
});

test.each([
  ['pending', ['isRefundPending']],
  ['succeeded', ['isRefundDone']],
  ['failed', ['hasRefundFailed']],
  ['canceled', ['hasRefundFailed']],
] as const)('a refund that is %s', (status, expected) => {
  const { isRefundPending, isRefundDone, hasRefundFailed } = payments;
  expect(listTrue({ isRefundPending, isRefundDone, hasRefundFailed }, status)).toEqual(expected);
  expect(payments.toRefundStatus(status)).toBe(status);
  expect(payments.isRefundUnsent({ status, provider_id: null })).toBe(status === 'pending');
  expect(payments.isRefundUnsent({ status, provider_id: 're_1' })).toBe(false);
});

test('a refund that waits at the provider is pending', () => {
  expect([payments.toRefundStatus('requires_action'), payments.toRefundStatus(null)]).toEqual(['pending', 'pending']);
});

test.each([
  ['warning_needs_response', []],
  ['warning_under_review', []],
  ['warning_closed', ['isDisputeClosed']],
  ['needs_response', ['isDisputeOpen']],
  ['under_review', ['isDisputeOpen']],
  ['won', ['isDisputeWon', 'isDisputeClosed']],
  ['lost', ['isDisputeLost', 'isDisputeClosed']],
  ['prevented', ['isDisputeClosed']],
  ['appeal_needs_response', []],
  ['appeal_under_review', []],
] as const)('a dispute that is %s', (status, expected) => {
  const { isDisputeOpen, isDisputeLost, isDisputeWon, isDisputeClosed } = payments;
  expect(listTrue({ isDisputeOpen, isDisputeLost, isDisputeWon, isDisputeClosed }, status)).toEqual(expected);
});

test.each([
  ['held', ['isHeld'], 'pending', ['counts', 'lapses']],
  ['pending', ['isPending'], 'pending', [null, null]],
  ['converted', ['isConverted'], 'converted', [null, null]],
  ['refused', ['isRefused'], 'refused', [null, null]],
] as const)('a referral that is %s', (status, expected, shown, outcomes) => {
  const { isHeld, isPending, isConverted, isRefused } = referrals;
  expect(listTrue({ isHeld, isPending, isConverted, isRefused }, { status })).toEqual(expected);
  expect(referrals.publicStatus({ status })).toBe(shown);
  expect([false, true].map((lapses) => referrals.heldOutcome({ status, held_lapses: lapses }))).toEqual(outcomes);
});

test.each([
  [null, [], 'pending'],
  ['pending', ['isUnclaimed', 'isOwed'], 'pending'],
  ['claimed', ['isClaimed', 'isOwed'], 'claimed'],
  ['paid', ['isPrizePaid'], 'paid'],
  ['not_awarded', ['isNotAwarded'], 'pending'],
] as const)('a draw whose prize is %s', (prize, expected, payout) => {
  const { isUnclaimed, isClaimed, isPrizePaid, isOwed, isNotAwarded } = draws;
  expect(listTrue({ isUnclaimed, isClaimed, isPrizePaid, isOwed, isNotAwarded }, { prize })).toEqual(expected);
  expect(draws.payoutState(prize)).toBe(payout);
});

test.each([
  ['waiting', ['isWaiting']],
  ['completed', ['isCompleted']],
] as const)('a draw that is %s', (status, expected) => {
  const { isWaiting, isCompleted } = draws;
  expect(listTrue({ isWaiting, isCompleted }, { status })).toEqual(expected);
});

test.each([
  ['on', ['isRenewalPending', 'isRenewalOn']],
  ['failed', ['isRenewalPending', 'hasRenewalFailed']],
  ['needs_action', ['isRenewalPending', 'hasRenewalFailed', 'isAwaitingCardholder']],
  ['renewed', ['isRenewed']],
  ['off', []],
  ['ended', []],
] as const)('a renewal that is %s', (status, expected) => {
  const { isRenewalPending, hasRenewalFailed, isRenewalOn, isRenewed } = renewals;
  const isAwaitingCardholder = (one: { status: typeof status }) => renewals.isAwaitingCardholder(one.status);
  const predicates = { isRenewalPending, hasRenewalFailed, isRenewalOn, isRenewed, isAwaitingCardholder };
  expect(listTrue(predicates, { status })).toEqual(expected);
});

test.each([
  ['sent', ['isUnseen'], 0, 'expired'],
  ['seen', [], 0, 'expired'],
  ['accepted', ['isAccepted'], 1, 'accepted'],
  ['declined', [], 2, 'declined'],
  ['replaced', [], 2, 'replaced'],
  ['expired', [], 2, 'expired'],
  ['withdrawn', [], 2, 'withdrawn'],
] as const)('a quote that is %s', (status, expected, rank, afterwards) => {
  const { isUnseen, isAccepted, getRank, getStatusAt } = quotes;
  expect(listTrue({ isUnseen, isAccepted }, status)).toEqual(expected);
  expect(getRank(status)).toBe(rank);
  const end = new Date('2027-03-01T11:00:00Z');
  const statusAt = (time: number) => getStatusAt({ status, expires_at: end }, new Date(end.getTime() + time));
  expect([-1, 0, 1].map(statusAt)).toEqual([status, afterwards, afterwards]);
});

test.each([
  ['proposed', ['isOpenProposal', 'isChangeable'], 'lapsed'],
  ['asked', ['isAsked', 'isChangeable'], 'asked'],
  ['agreed', ['isAgreed', 'isChangeable'], 'agreed'],
  ['cancelled', ['isCancelled'], 'cancelled'],
  ['lapsed', [], 'lapsed'],
] as const)('a visit that is %s', (status, expected, afterwards) => {
  const { isAgreed, isAsked, isCancelled, isOpenProposal, isChangeable, getVisitStateAt } = visits;
  expect(listTrue({ isAgreed, isAsked, isCancelled, isOpenProposal, isChangeable }, status)).toEqual(expected);
  const times = ['2027-03-01T10:00:00Z', '2027-03-01T11:00:00Z'].map((time) => ({ starts_at: new Date(time) }));
  const stateAt = (ms: number) => getVisitStateAt(status, times, new Date(Date.parse('2027-03-01T11:00:00Z') + ms));
  expect([-1, 0, 1].map(stateAt)).toEqual([status, afterwards, afterwards]);
});
