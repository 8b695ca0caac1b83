import { dayMs } from '@handwise/contract/dates';
import type { AdminReferral } from '@handwise/contract/referrals/admin';
import type { Context } from '../../kit/context.ts';
import { textOfRule } from './referrals.abuse.ts';
import * as admin from './referrals.admin-queries.ts';
import type { ReferralAsks } from './referrals.asks.ts';
import { heldOutcome, type ReferralState } from './referrals.states.ts';

type Row = Awaited<ReturnType<typeof admin.listForAdmin>>[number];
type Finding = Awaited<ReturnType<typeof admin.listFindings>>[number];

const weekMs = 7 * dayMs;

/** Referrals for administrators, with what the rules found and what speaks against it. */
export async function listForAdmin(
  { db, clock }: Context,
  asks: ReferralAsks,
  viewerId: string,
  { status, page, take }: { status: ReferralState | undefined; page: number; take: number },
) {
  const [rows, counts] = await Promise.all([admin.listForAdmin(db, { status, skip: (page - 1) * take, take }), admin.countForAdmin(db)]);
  const findings = Map.groupBy(
    await admin.listFindings(
      db,
      rows.map(({ id }) => id),
    ),
    ({ referral_id }) => referral_id ?? '',
  );
  const titles = await asks.titlesOf(
    db,
    rows.flatMap(({ listing_id }) => listing_id ?? []),
  );
  const now = clock.now();
  const referrals: AdminReferral[] = [];
  for (const row of rows) {
    const found = findings.get(row.id) ?? [];
    const cards = await asks.listCardSharers(db, row.referred_id);
    const haveSharedCard = cards.some(({ others }) => others.includes(row.referrer_id));
    referrals.push(asAdminReferral(row, found, { titles, viewerId, speaksFor: speaksFor(row, haveSharedCard, now) }));
  }
  const total = status === undefined ? counts.total : counts[status];
  const { held, everHeld, refused, wronglyHeld } = counts;
  return {
    referrals,
    counts: { held, everHeld, refused, wronglyHeld },
    currentPage: page,
    totalPages: Math.max(1, Math.ceil(total / take)),
    total,
  };
}

/** What speaks for two people who are not one. */
function speaksFor({ referrer, referred, listing_id }: Row, haveSharedCard: boolean, now: Date): string[] {
  const isOld = now.getTime() - Date.parse(referrer.createdAt) > weekMs;
  return [
    ...(referrer.emailConfirmed && referred.emailConfirmed ? ['Both have confirmed their email address.'] : []),
    ...(haveSharedCard ? [] : ['They have no card in common.']),
    ...(listing_id === null ? [] : ['The new account has published a listing.']),
    ...(isOld ? ['The account with the code is older than a week.'] : []),
  ];
}

const asFinding = ({ rule, severity, created_at }: Finding): AdminReferral['speaksAgainst'][number] => ({
  rule,
  severity: severity === 'reject' || severity === 'hold' ? severity : 'watch',
  text: textOfRule(rule),
  createdAt: created_at.toISOString(),
});

const asPerson = (person: Row['referrer']): AdminReferral['referrer'] => ({
  ...person,
  createdAt: new Date(person.createdAt).toISOString(),
});

function asAdminReferral(
  row: Row,
  found: readonly Finding[],
  { titles, viewerId, speaksFor: forThem }: { titles: ReadonlyMap<string, string>; viewerId: string; speaksFor: string[] },
): AdminReferral {
  const title = row.listing_id === null ? undefined : titles.get(row.listing_id);
  return {
    _id: row.id,
    code: row.code,
    status: row.status,
    createdAt: row.created_at.toISOString(),
    heldBecause: row.held_because,
    heldUntil: row.held_until?.toISOString() ?? null,
    heldOutcome: heldOutcome(row),
    referrer: asPerson(row.referrer),
    referred: asPerson(row.referred),
    listing: row.listing_id === null || title === undefined ? null : { _id: row.listing_id, title },
    speaksFor: forThem,
    speaksAgainst: found.map(asFinding),
    decision:
      row.approved === null || row.decision_reason === null || row.decided_at === null
        ? null
        : { approved: row.approved, reason: row.decision_reason, decidedBy: row.decided_by, decidedAt: row.decided_at.toISOString() },
    mayDecide: row.decided_at === null && ![row.referrer_id, row.referred_id].includes(viewerId),
  };
}
