import { text } from 'node:stream/consumers';
import { Readable } from 'node:stream';
import { verifyDraw } from '@handwise/proof/verify';
import type { Reader } from '../../kit/database/database.ts';
import { listPeriods, streamLogText, formatMonth } from '../tickets/tickets.service.ts';
import { listRowFaults } from './draws.audit-queries.ts';
import { readProof } from './draws.proof.ts';
import * as queries from './draws.queries.ts';

type Fault = { id: string; fault: string };

/**
 * Whether every month that has closed has its draw, each draw is what a stranger finds it to be from its proof file and the ticket log, and its
 * prize is one winner’s and was paid only where it was claimed.
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
      faults.push({ id: name, fault: 'the draw closed at another time than its month' });
    const [proof, log] = [await text(await readProof(db, name)), await text(Readable.from(streamLogText(db, period)))];
    for (const { title, state, says } of verifyDraw({ proof, log }).steps) {
      if (state === 'fails') faults.push({ id: name, fault: `this does not hold: ${title} (${says.join('; ')})` });
    }
  }
  return { counts: `${draws} with ${tickets} tickets, each verified with its ticket log`, faults };
}
