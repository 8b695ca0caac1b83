import { expect, test } from 'vitest';
import * as draws from '../src/domains/draws/draws.states.ts';
import * as listings from '../src/domains/listings/listings.states.ts';
import * as payments from '../src/domains/payments/payments.states.ts';
import * as renewals from '../src/domains/plans/plans.renewals.states.ts';
import * as quotes from '../src/domains/quotes/quotes.states.ts';
import * as referrals from '../src/domains/referrals/referrals.states.ts';
import * as visits from '../src/domains/visits/visits.states.ts';

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
