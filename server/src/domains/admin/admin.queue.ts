import { adminPageSize } from '@handwise/contract/admin/calls';
import type { ReportKind } from '@handwise/contract/admin/report-words';
import type { Context } from '../../kit/context.ts';
import type { Db } from '../../kit/database/database.ts';
import { countSuspendedUsers, hasOtherAdministrators } from '../accounts/accounts.service.ts';
import { countHiddenListings } from '../listings/listings.service.ts';
import { countPaymentWork, getRejectedEvents } from '../payments/payments.service.ts';
import { countReferralsForAdmin as countReferrals } from '../referrals/referrals.service.ts';
import { canAnswer } from './admin.appeals.ts';
import { findHead } from './admin.audit.ts';
import * as decisions from './admin.decisions.queries.ts';
import * as queries from './admin.queries.ts';
import { findAttached, nothingAttached } from './admin.reports.ts';
import { toAppeal, toCase, toDecision } from './admin.views.ts';

type Page = { page?: number | undefined; limit?: number | undefined };

const getWindow = ({ page = 1, limit = adminPageSize }: Page) => ({ skip: (page - 1) * limit, take: limit });
const getPages = ({ page = 1, limit = adminPageSize }: Page, total: number) => ({
  currentPage: page,
  totalPages: Math.ceil(total / limit),
  total,
});

/** The queue of open or decided reports. */
export async function listReports(
  db: Db,
  adminId: string,
  query: Page & { status?: 'open' | 'decided' | undefined; kind?: ReportKind | undefined },
) {
  const { rows, total } = await queries.listCases(db, { status: query.status ?? 'open', kind: query.kind, ...getWindow(query) });
  const decided = new Map(
    (
      await decisions.listDecisionsByIds(
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
  const attached = await Promise.all(rows.map((row) => findAttached(db, row.kind, row.subject_id)));
  const reports = rows.map((row, index) =>
    toCase(row, {
      attached: attached[index] ?? nothingAttached,
      decision: decided.get(row.decision_id ?? ''),
      measures: measures.get(row.concerned_id) ?? 0,
      mayDecide: row.concerned_id !== adminId || !others,
    }),
  );
  return { reports, ...getPages(query, total) };
}

export async function listDecisions(db: Db, query: Page & { concerned?: string | undefined }) {
  const { rows, total } = await decisions.listDecisionRows(db, query.concerned, getWindow(query));
  return { decisions: rows.map(toDecision), ...getPages(query, total) };
}

export async function listAppeals(db: Db, adminId: string, query: Page & { status?: 'open' | 'answered' | undefined }) {
  const { rows, total } = await decisions.listAppealRows(db, query.status ?? 'open', getWindow(query));
  const appeals = await Promise.all(rows.map(async (row) => toAppeal(row, await canAnswer(db, adminId, row))));
  return { appeals, ...getPages(query, total) };
}

/** Counts of everything that waits for administrators. */
export async function getOverview({ db, clock }: Context) {
  const [{ things, oldest }, appeals, suspendedAccounts, hiddenListings, money, events, referrals, head] = await Promise.all([
    queries.countOpenReports(db),
    decisions.listAppealRows(db, 'open', { skip: 0, take: 1 }),
    countSuspendedUsers(db),
    countHiddenListings(db),
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
