import { Readable } from 'node:stream';
import type { DrawProof } from '@handwise/contract/draws/calls';
import { chains, scheme } from '@handwise/proof/beacon';
import { algorithm } from '@handwise/proof/draw';
import type { Reader } from '../../kit/database/database.ts';
import { AppError } from '../../kit/errors.ts';
import { getPeriodByMonth } from '../tickets/tickets.service.ts';
import * as queries from './draws.queries.ts';
import { isWaiting } from './draws.states.ts';
import { struckOf } from './draws.views.ts';
import { currentPick, findOwners, listReserves } from './draws.winners.ts';

/** Throws `draw_period_not_found`, `draw_still_open`. */
export async function findClosedDraw(db: Reader, text: string) {
  const period = await getPeriodByMonth(db, text);
  const draw = await queries.findDraw(db, period.id);
  if (!draw) throw new AppError('draw_still_open');
  return { period, draw };
}

/**
 * The proof file, or before the round is out the commitment; its entries are the bytes that were made at the closing. Throws
 * `draw_period_not_found`, `draw_still_open`.
 */
export async function readProof(db: Reader, text: string): Promise<Readable> {
  const { period, draw } = await findClosedDraw(db, text);
  const [entries, picks] = await Promise.all([queries.readEntries(db, draw.id), queries.listPicks(db, [draw.id])]);
  const owners = await findOwners(db, picks);
  const { head, tail } = aroundEntries({ ...draw, year: period.year, month: period.month }, picks, owners);
  return Readable.from([`${JSON.stringify(head).slice(0, -1)},"entries":`, entries, `,${JSON.stringify(tail).slice(1)}\n`]);
}

type Head = Omit<DrawProof, 'entries' | 'winner' | 'reserves' | 'struck'>;
type Tail = Pick<DrawProof, 'winner' | 'reserves' | 'struck'>;

function aroundEntries(
  draw: queries.DrawRow & { year: number; month: number },
  picks: readonly queries.PickRow[],
  owners: Awaited<ReturnType<typeof findOwners>>,
): { head: Head; tail: Tail } {
  const head: Head = {
    algorithm,
    year: draw.year,
    month: draw.month,
    closedAt: draw.closed_at.toISOString(),
    root: draw.root.toString('hex'),
    totalTickets: draw.total_tickets,
    voided: draw.voided as Head['voided'],
    log: draw.log as Head['log'],
    beacon: beaconOf(draw),
  };
  if (isWaiting(draw)) return { head, tail: { struck: [] } };
  const current = currentPick(picks);
  const reserves = listReserves(picks, owners).map(asPicked);
  return { head, tail: { winner: current ? asPicked(current) : null, reserves, struck: struckOf(picks, owners) } };
}

const asPicked = ({ entry_id: entryId, ticket_index: ticketIndex }: queries.PickRow) => ({ entryId, ticketIndex });

function beaconOf({ chain, round, announced_at: announcedAt, signature, randomness }: queries.DrawRow): Head['beacon'] {
  if (!chain || round === null || !announcedAt) return null;
  const { chainHash, publicKey, genesisTime, period } = chains[chain];
  return {
    chainHash,
    publicKey,
    genesisTime,
    period,
    scheme,
    round,
    announcedAt: announcedAt.toISOString(),
    ...(signature && randomness && { signature: signature.toString('hex'), randomness: randomness.toString('hex') }),
  };
}
