import { sql } from 'kysely';
import { dayMs } from '@handwise/contract/dates';
import type { AdminReferral } from '@handwise/contract/referrals/admin';
import { noCard } from '@handwise/contract/referrals/holds';
import type { Context } from '../../kit/context.ts';
import type { Reader } from '../../kit/database/database.ts';
import { anyId, rowCount } from '../../kit/database/sql-helpers.ts';
import type { ReferralHooks } from './referrals.context.ts';
import { describeRule } from './referrals.rules.ts';
import { heldOutcome, type ReferralState } from './referrals.states.ts';

type Row = Awaited<ReturnType<typeof listReferralRowsForAdmin>>[number];
type Finding = Awaited<ReturnType<typeof listReferralFindings>>[number];

const weekMs = 7 * dayMs;

export async function listReferralsForAdmin(
  { db, clock }: Context,
  hooks: ReferralHooks,
  viewerId: string,
  { status, page, take }: { status: ReferralState | undefined; page: number; take: number },
) {
  const [rows, counts] = await Promise.all([
    listReferralRowsForAdmin(db, { status, skip: (page - 1) * take, take }),
    countReferralsForAdmin(db),
  ]);
  const findings = Map.groupBy(
    await listReferralFindings(
      db,
      rows.map(({ id }) => id),
    ),
    ({ referral_id }) => referral_id ?? '',
  );
  const titles = await hooks.listTitles(
    db,
    rows.flatMap(({ listing_id }) => listing_id ?? []),
  );
  const now = clock.now();
  const referrals: AdminReferral[] = [];
  for (const row of rows) {
    const found = findings.get(row.id) ?? [];
    const cards = await hooks.listCardSharers(db, row.referred_id);
    const haveSharedCard = cards.some(({ others }) => others.includes(row.referrer_id));
    referrals.push(toAdminReferral(row, found, { titles, viewerId, speaksFor: speaksFor(row, haveSharedCard, now) }));
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

/** What suggests two different people. */
function speaksFor({ referrer, referred, listing_id }: Row, haveSharedCard: boolean, now: Date): string[] {
  const isOld = now.getTime() - Date.parse(referrer.createdAt) > weekMs;
  return [
    ...(referrer.emailConfirmed && referred.emailConfirmed ? ['Both have confirmed their email address.'] : []),
    ...(haveSharedCard ? [] : ['They have no card in common.']),
    ...(listing_id === null ? [] : ['The new account has published a listing.']),
    ...(isOld ? ['The account with the code is older than a week.'] : []),
  ];
}

const toFinding = ({ rule, severity, created_at }: Finding): AdminReferral['speaksAgainst'][number] => ({
  rule,
  severity,
  text: describeRule(rule),
  createdAt: created_at.toISOString(),
});

const toPerson = (person: Row['referrer']): AdminReferral['referrer'] => ({
  ...person,
  createdAt: new Date(person.createdAt).toISOString(),
});

function toAdminReferral(
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
    heldBecause: row.awaits_card ? noCard : row.held_because,
    heldUntil: row.held_until?.toISOString() ?? null,
    heldOutcome: heldOutcome(row),
    referrer: toPerson(row.referrer),
    referred: toPerson(row.referred),
    listing: row.listing_id === null || title === undefined ? null : { _id: row.listing_id, title },
    speaksFor: forThem,
    speaksAgainst: found.map(toFinding),
    decision: row.decision && { ...row.decision, decidedAt: new Date(row.decision.decidedAt).toISOString() },
    mayDecide: row.decision === null && ![row.referrer_id, row.referred_id].includes(viewerId),
  };
}

type Page = { status: ReferralState | undefined; skip: number; take: number };

const getPerson = (table: 'referrer' | 'referred') =>
  sql<{ _id: string; fullName: string; username: string; email: string; createdAt: string; emailConfirmed: boolean }>`json_build_object(
    '_id', ${sql.ref(`${table}.id`)}, 'fullName', ${sql.ref(`${table}.full_name`)}, 'username', ${sql.ref(`${table}.username`)}::text,
    'email', ${sql.ref(`${table}.email`)}::text, 'createdAt', ${sql.ref(`${table}.created_at`)},
    'emailConfirmed', ${sql.ref(`${table}.email_confirmed_at`)} is not null)`;

const decision = sql<{ approved: boolean; reason: string; decidedBy: string | null; decidedAt: string } | null>`
  case when decided_at is not null then json_build_object('approved', approved, 'reason', decision_reason, 'decidedBy', decider.full_name,
    'decidedAt', decided_at) end`;

/** Held referrals longest wait first, others newest first. */
const listReferralRowsForAdmin = (db: Reader, { status, skip, take }: Page) =>
  db
    .selectFrom('referrals')
    .innerJoin('users as referrer', 'referrer.id', 'referrer_id')
    .innerJoin('users as referred', 'referred.id', 'referred_id')
    .leftJoin('users as decider', 'decider.id', 'decided_by')
    .select([
      'referrals.id',
      'code',
      'status',
      'referrals.created_at',
      'held_because',
      'held_until',
      'held_lapses',
      'awaits_card',
      'listing_id',
    ])
    .select(['referrer_id', 'referred_id'])
    .select([getPerson('referrer').as('referrer'), getPerson('referred').as('referred'), decision.as('decision')])
    .$if(status !== undefined, (query) => query.where('status', '=', status ?? 'held'))
    .$if(status === 'held', (query) => query.orderBy('held_at'))
    .orderBy('referrals.created_at', 'desc')
    .orderBy('referrals.id', 'desc')
    .offset(skip)
    .limit(take)
    .execute();

/** The longest held referrals, with the time at which they decide themselves. */
export async function listHeldReferrals(db: Reader, take: number) {
  const held = db.selectFrom('referrals').where('status', '=', sql.lit('held' as const));
  const [rows, { total }] = await Promise.all([
    held.select(['code', 'held_at', 'held_until']).orderBy('held_until').limit(take).execute(),
    held.select(rowCount.as('total')).executeTakeFirstOrThrow(),
  ]);
  const referrals = rows.flatMap(({ code, held_at: since, held_until: until }) => (since && until ? { code, since, until } : []));
  return { referrals, total };
}

export const countReferralsForAdmin = (db: Reader) =>
  db
    .selectFrom('referrals')
    .select(({ cast, fn }) => {
      const all = fn.countAll();
      const inState = (state: ReferralState) => cast<number>(all.filterWhere('status', '=', state), 'integer');
      return [
        cast<number>(all, 'integer').as('total'),
        inState('held').as('held'),
        inState('pending').as('pending'),
        inState('converted').as('converted'),
        inState('refused').as('refused'),
        cast<number>(all.filterWhere('held_at', 'is not', null), 'integer').as('everHeld'),
        cast<number>(all.filterWhere('approved', 'is', true), 'integer').as('wronglyHeld'),
      ];
    })
    .executeTakeFirstOrThrow();

const listReferralFindings = (db: Reader, referralIds: readonly string[]) =>
  db
    .selectFrom('referral_findings')
    .select(['referral_id', 'rule', 'severity', 'created_at'])
    .where('referral_id', '=', anyId(referralIds))
    .orderBy('created_at')
    .orderBy('rule')
    .execute();
