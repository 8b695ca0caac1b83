import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { sql } from 'kysely';
import { verifyDraw } from '@handwise/proof/verify';
import type { Reader } from '../../kit/database/database.ts';
import { listPeriods, streamLogText, formatMonth } from '../tickets/tickets.service.ts';
import { readProof } from './draws.proof.ts';
import * as queries from './draws.queries.ts';

type Fault = { id: string; fault: string };

/**
 * Every closed month has its draw, each draw verifies from its public proof file and ticket log, and each prize has one winner and was paid only
 * after a claim.
 */
export async function auditDraws(db: Reader): Promise<{ counts: string; faults: Fault[] }> {
  const faults: Fault[] = await listRowFaults(db);
  let [tickets, draws] = [0, 0];
  for (const period of await listPeriods(db)) {
    const name = formatMonth(period);
    const draw = await queries.findDraw(db, period.id);
    if (!draw && period.closedAt) faults.push({ id: name, fault: 'the month is closed and has no draw' });
    if (!draw) continue;
    draws += 1;
    tickets += draw.total_tickets;
    if (draw.closed_at.getTime() !== period.closedAt?.getTime())
      faults.push({ id: name, fault: 'the draw and its month closed at different times' });
    const [proof, log] = [await text(await readProof(db, name)), await text(Readable.from(streamLogText(db, period)))];
    for (const { title, state, details } of verifyDraw({ proof, log }).steps) {
      if (state === 'failed') faults.push({ id: name, fault: `this cannot be verified: ${title} (${details.join('; ')})` });
    }
  }
  return { counts: `${draws} with ${tickets} tickets, each verified with its ticket log`, faults };
}

/** Rows of draws, picks, claims and actions that contradict each other. */
async function listRowFaults(db: Reader): Promise<{ id: string; fault: string }[]> {
  const { rows } = await sql<{ id: string; fault: string }>`
    with winners as (
      select draw_picks.draw_id, count(*) as winners, count(prize_claims.id) as claims
      from draw_picks left join prize_claims on pick_id = draw_picks.id
      where won_at is not null and struck_at is null group by draw_id
    ), faults as (
      select draws.id, format('the draw says %s tickets in %s entries of %s people, its month has %s in %s of %s',
        total_tickets, total_entries, total_participants, tickets, entries, people) as fault
      from draws cross join lateral (
        select coalesce(sum(tickets), 0) as tickets, count(*) as entries, count(distinct user_id) as people
        from draw_entries where period_id = draws.id and voided_at is null
      ) as frozen
      where (total_tickets, total_entries, total_participants) <> (tickets, entries, people)
      union all
      select draws.id, format('the prize is %s, and %s of those picked have it', coalesce(prize, 'nobody’s'), coalesce(winners, 0))
      from draws left join winners on draw_id = draws.id
      where coalesce(winners, 0) <> (coalesce(prize, 'not_awarded') <> 'not_awarded')::int
      union all
      select draws.id, format('the prize is %s, and its winner has claimed it %s times', prize, claims)
      from draws join winners on draw_id = draws.id
      where claims <> (prize in ('claimed', 'paid'))::int
      union all
      select draws.id, 'the prize is paid, but no administrator said so'
      from draws where prize = 'paid' and not exists (select from draw_actions where draw_id = draws.id and action = 'pay')
      union all
      select draws.id, format('the draw waits for round %s since %s: is any server running the jobs, and is the beacon there?', round, expected_at)
      from draws where status = 'waiting' and expected_at < now() - interval '1 day'
    )
    select year || '-' || lpad(month::text, 2, '0') as id, fault from faults join draw_periods on draw_periods.id = faults.id order by 1, 2`.execute(
    db,
  );
  return rows;
}
