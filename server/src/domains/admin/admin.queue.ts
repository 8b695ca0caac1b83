import { adminPageSize } from '@handwise/contract/admin/calls';
import type { ReportKind } from '@handwise/contract/admin/report-words';
import type { Context } from '../../kit/context.ts';
import type { Db } from '../../kit/database/database.ts';
import { countSuspendedUsers, hasOtherAdministrators } from '../accounts/accounts.service.ts';
import { countHidden } from '../listings/listings.service.ts';
import { countForAdmin as countReferrals } from '../referrals/referrals.service.ts';
import { countPaymentWork, getRejectedEvents } from '../payments/payments.service.ts';
import { mayAnswer } from './admin.appeals.ts';
import { findHead } from './admin.audit-queries.ts';
import * as decisions from './admin.decision-queries.ts';
import * as queries from './admin.queries.ts';
import { asAppeal, asCase, asDecision } from './admin.views.ts';

type Page = { page?: number | undefined; limit?: number | undefined };

const windowOf = ({ page = 1, limit = adminPageSize }: Page) => ({ skip: (page - 1) * limit, take: limit });
const pagesOf = ({ page = 1, limit = adminPageSize }: Page, total: number) => ({
  currentPage: page,
  totalPages: Math.ceil(total / limit),
  total,
});

/** The queue of reports, or what was decided. */
export async function listReports(
  db: Db,
  adminId: string,
  asked: Page & { status?: 'open' | 'decided' | undefined; kind?: ReportKind | undefined },
) {
  const { rows, total } = await queries.listCases(db, { status: asked.status ?? 'open', kind: asked.kind, ...windowOf(asked) });
  const decided = new Map(
    (
      await decisions.listByIds(
        db,
        rows.flatMap((row) => row.decision_id ?? []),
      )
    ).map((row) => [row.id, row]),
  );
  const counted = await decisions.countMeasures(
    db,
    rows.map((row) => row.concerned_id),
  );
  const measures = new Map(counted.map((row) => [row.concerned_id, row.measures]));
  const others = await hasOtherAdministrators(db, adminId);
  const reports = rows.map((row) =>
    asCase(row, {
      decision: decided.get(row.decision_id ?? ''),
      measures: measures.get(row.concerned_id) ?? 0,
      mayDecide: row.concerned_id !== adminId || !others,
    }),
  );
  return { reports, ...pagesOf(asked, total) };
}

export async function listDecisions(db: Db, asked: Page & { concerned?: string | undefined }) {
  const { rows, total } = await decisions.listDecisions(db, asked.concerned, windowOf(asked));
  return { decisions: rows.map(asDecision), ...pagesOf(asked, total) };
}

export async function listAppeals(db: Db, adminId: string, asked: Page & { status?: 'open' | 'answered' | undefined }) {
  const { rows, total } = await decisions.listAppeals(db, asked.status ?? 'open', windowOf(asked));
  const appeals = await Promise.all(rows.map(async (row) => asAppeal(row, await mayAnswer(db, adminId, row))));
  return { appeals, ...pagesOf(asked, total) };
}

/** How much waits. */
export async function getOverview({ db, clock }: Context) {
  const [{ things, oldest }, appeals, suspendedAccounts, hiddenListings, money, events, referrals, head] = await Promise.all([
    queries.countOpen(db),
    decisions.listAppeals(db, 'open', { skip: 0, take: 1 }),
    countSuspendedUsers(db),
    countHidden(db),
    countPaymentWork(db),
    getRejectedEvents({ db, clock }),
    countReferrals(db),
    findHead(db),
  ]);
  return {
    openReports: things,
    openAppeals: appeals.total,
    suspendedAccounts,
    hiddenListings,
    ...money,
    refusedEvents: events.refused,
    lastEventAt: events.lastTaken,
    heldReferrals: referrals.held,
    refusedReferrals: referrals.refused,
    wronglyHeldReferrals: referrals.wronglyHeld,
    oldestReportAt: oldest?.toISOString() ?? null,
    head,
  };
}
