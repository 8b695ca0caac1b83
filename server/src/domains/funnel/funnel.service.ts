import { addDays, dayMs, getClock, getMoment, siteTimeZone } from '@handwise/contract/dates';
import type { Funnel } from '@handwise/contract/funnel/calls';
import {
  type FunnelMetric,
  funnelMetrics,
  type FunnelTable,
  funnelWeeks,
  type LadderMetric,
  ladderMetrics,
  unansweredDays,
} from '@handwise/contract/funnel/words';
import { findCategoryByCode } from '@handwise/contract/listings/categories';
import { findDistrictByCode, findRegionByCode, findRegionByDistrict } from '@handwise/contract/places/regions';
import type { Context } from '../../kit/context.ts';
import { formatCsv } from '../../kit/csv.ts';
import * as queries from './funnel.queries.ts';
import { hideSmall } from './funnel.rules.ts';

type FunnelContext = Pick<Context, 'db' | 'clock'>;

const metrics = Object.keys(funnelMetrics) as FunnelMetric[];
const ladder = Object.keys(ladderMetrics) as LadderMetric[];

/** The Mondays of the weeks that are shown, in New Zealand, up to the current one. */
function listWeeks(now: Date): string[] {
  const { day, weekday } = getClock(now, siteTimeZone);
  const monday = addDays(day, -((weekday + 6) % 7));
  return Array.from({ length: funnelWeeks }, (_, at) => addDays(monday, 7 * (at + 1 - funnelWeeks)));
}

/** Computes the weeks that are shown. Idempotent. */
export async function computeFunnel({ db, clock }: FunnelContext): Promise<void> {
  const now = clock.now();
  const weeks = listWeeks(now);
  const [firstDay = '', lastMonday = ''] = [weeks[0], weeks.at(-1)];
  const period = {
    from: getMoment(firstDay, '00:00', siteTimeZone),
    until: getMoment(addDays(lastMonday, 7), '00:00', siteTimeZone),
    firstDay,
    lastDay: addDays(lastMonday, 6),
  };
  await db.transaction().execute((tx) => queries.replaceCells(tx, period, now));
}

type Cell = Awaited<ReturnType<typeof queries.listCells>>[number];

const noPlace = 'No listing yet';

/** Rows of these names, each with the sums of its cells; small numbers are hidden. */
function toRows<Metric extends string, One extends { metric: string; value: number }>(
  all: readonly Metric[],
  cells: readonly One[],
  names: readonly string[],
  nameOf: (cell: One) => string,
) {
  const columns = all.map((metric) => {
    const sums = new Map(names.map((name) => [name, 0]));
    for (const cell of cells) if (cell.metric === metric) sums.set(nameOf(cell), (sums.get(nameOf(cell)) ?? 0) + cell.value);
    return [metric, hideSmall(names.map((name) => sums.get(name) ?? 0))] as const;
  });
  return names.map((name, at) => ({
    name,
    values: Object.fromEntries(columns.map(([metric, shown]) => [metric, shown[at] ?? null])) as Record<Metric, number | null>,
  }));
}

type Placed = Pick<Cell, 'region_code' | 'category_code'>;
const getRegionName = ({ region_code: code }: Placed) => (code === null ? noPlace : (findRegionByCode(code)?.name ?? noPlace));
const getCategoryName = ({ category_code: code }: Placed) => (code === null ? noPlace : (findCategoryByCode(code)?.name ?? noPlace));
const listNames = <One>(cells: readonly One[], nameOf: (cell: One) => string) => [...new Set(cells.map(nameOf))].toSorted();

/** The last weeks, newest first; places and trades by name; towns with unanswered requests, most first. */
export async function getFunnel({ db, clock }: FunnelContext): Promise<Funnel> {
  const now = clock.now();
  const weeks = listWeeks(now);
  const since = new Date(now.getTime() - unansweredDays * dayMs);
  const [cells, unanswered, steps] = await Promise.all([
    queries.listCells(db, weeks[0] ?? ''),
    queries.countUnanswered(db, since),
    queries.listLadderCells(db, since, now),
  ]);
  const toLadder = (nameOf: (cell: Placed) => string) => toRows(ladder, steps, listNames(steps, nameOf), nameOf);
  const requests = hideSmall(unanswered.map((row) => row.requests));
  return {
    computedAt: cells[0]?.computed_at.toISOString() ?? null,
    week: cells.length === 0 ? [] : toRows(metrics, cells, weeks.toReversed(), (cell) => cell.week),
    place: toRows(metrics, cells, listNames(cells, getRegionName), getRegionName),
    trade: toRows(metrics, cells, listNames(cells, getCategoryName), getCategoryName),
    // Hidden numbers are last, because their place among the others would give them away.
    unanswered: unanswered
      .map(({ district_code: code }, at) => ({ name: formatTown(code), requests: requests[at] ?? null }))
      .toSorted((a, b) => (b.requests ?? 0) - (a.requests ?? 0)),
    ladder_place: toLadder(getRegionName),
    ladder_trade: toLadder(getCategoryName),
  };
}

function formatTown(districtCode: number): string {
  return [findDistrictByCode(districtCode)?.name, findRegionByDistrict(districtCode)?.name].filter(Boolean).join(', ');
}

const formatNumber = (value: number | null) => (value === null ? 'hidden' : String(value));

/** A table as CSV, with the same numbers hidden. */
export async function getFunnelCsv(context: FunnelContext, table: FunnelTable): Promise<string> {
  const funnel = await getFunnel(context);
  if (table === 'unanswered') {
    return formatCsv([['town', 'requests'], ...funnel.unanswered.map(({ name, requests }) => [name, formatNumber(requests)])]);
  }
  if (table === 'ladder_place' || table === 'ladder_trade') {
    return formatCsv([
      [table === 'ladder_place' ? 'place' : 'trade', ...ladder],
      ...funnel[table].map(({ name, values }) => [name, ...ladder.map((one) => formatNumber(values[one]))]),
    ]);
  }
  return formatCsv([
    [table, ...metrics],
    ...funnel[table].map(({ name, values }) => [name, ...metrics.map((one) => formatNumber(values[one]))]),
  ]);
}
