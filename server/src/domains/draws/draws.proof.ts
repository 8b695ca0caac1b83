import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { ZipFile } from 'yazl';
import type { DrawProof } from '@handwise/contract/draws/calls';
import { claimDays } from '@handwise/contract/draws/prize';
import { chains, scheme } from '@handwise/proof/beacon';
import { algorithm } from '@handwise/proof/draw';
import type { Reader } from '../../kit/database/database.ts';
import { AppError } from '../../kit/errors.ts';
import { getPeriodByMonth, streamLogText, getTerms } from '../tickets/tickets.service.ts';
import type { DrawContext } from './draws.context.ts';
import type { DrawHooks } from './draws.context.ts';
import * as queries from './draws.queries.ts';
import { isWaiting } from './draws.states.ts';
import { listStruckEntries } from './draws.views.ts';
import { findCurrentPick, listReserves } from './draws.winners.ts';

/** Throws `draw_period_not_found`, `draw_still_open`. */
async function findClosedDraw(db: Reader, text: string) {
  const period = await getPeriodByMonth(db, text);
  const draw = await queries.findDraw(db, period.id);
  if (!draw) throw new AppError('draw_still_open');
  return { period, draw };
}

/**
 * The proof file, or the commitment before the round is out. Its entries are the bytes stored at closing. Throws `draw_period_not_found`,
 * `draw_still_open`.
 */
export async function readProof(db: Reader, text: string): Promise<Readable> {
  const { period, draw } = await findClosedDraw(db, text);
  const [entries, picks] = await Promise.all([queries.readEntries(db, draw.id), queries.listPicks(db, [draw.id])]);
  const { head, tail } = createProofParts({ ...draw, year: period.year, month: period.month }, picks);
  return Readable.from([`${JSON.stringify(head).slice(0, -1)},"entries":`, entries, `,${JSON.stringify(tail).slice(1)}\n`]);
}

type Head = Omit<DrawProof, 'entries' | 'winner' | 'reserves' | 'struck'>;
type Tail = Pick<DrawProof, 'winner' | 'reserves' | 'struck'>;

function createProofParts(
  draw: queries.DrawRow & { year: number; month: number },
  picks: readonly queries.PickRow[],
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
    beacon: toBeaconPart(draw),
  };
  if (isWaiting(draw)) return { head, tail: { struck: [] } };
  const current = findCurrentPick(picks);
  const reserves = listReserves(picks).map(toPick);
  return { head, tail: { winner: current ? toPick(current) : null, reserves, struck: listStruckEntries(picks) } };
}

const toPick = ({ entry_id: entryId, ticket_index: ticketIndex }: queries.PickRow) => ({ entryId, ticketIndex });

function toBeaconPart({ chain, round, announced_at: announcedAt, signature, randomness }: queries.DrawRow): Head['beacon'] {
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

const formatReadme = (period: string) => `The papers of the draw ${period}, without personal data.

terms.json       the terms of this month, fixed when its period began, with the rules of each state and country as they were read
entries.csv      every entry that took part: its public id and its tickets, in the order of the draw
log.txt          the ticket log: every ticket that was issued or voided during the month, one a line
checkpoint.txt   the last signed head of that log
proof.json       the proof of the draw (draw-v1): check it with "npm run --silent draw:verify -- proof.json --log log.txt"
dates.json       when it closed, when the round was announced and out, who was to claim until when, when it was claimed and paid
audit.json       what the audit log has of it, each entry with its number and hash

Who the entrants are is kept sealed and is given to authorities only. Times are in UTC. A prize can be claimed for ${claimDays} days.
`;

/** All documents of a closed draw as one zip. Throws `draw_period_not_found`, `draw_still_open`. */
export async function createPack(context: DrawContext, name: string, listAudited: DrawHooks['listAudited']): Promise<Readable> {
  const { db, clock } = context;
  const { period, draw } = await findClosedDraw(db, name);
  const mtime = clock.now();
  const zip = new ZipFile();
  const pack = zip.outputStream as Readable;
  zip.on('error', (error: Error) => void pack.destroy(error));
  const add = (file: string, content: string | Buffer) => zip.addBuffer(Buffer.from(content), file, { mtime });
  const json = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`;
  const entries = JSON.parse((await queries.readEntries(db, draw.id)).toString()) as { id: string; tickets: number }[];
  add('README.txt', formatReadme(name));
  add('terms.json', json(await getTerms(context, name)));
  add('entries.csv', `id,tickets\n${entries.map(({ id, tickets }) => `${id},${tickets}\n`).join('')}`);
  add('log.txt', await text(Readable.from(streamLogText(db, period))));
  add('checkpoint.txt', (draw.log as { checkpoint: string }).checkpoint);
  add('proof.json', await text(await readProof(db, name)));
  add('dates.json', json(packDates(draw, await queries.listPicks(db, [draw.id]))));
  add('audit.json', json(await listAudited(db, await queries.listAuditSubjects(db, draw.id))));
  zip.end();
  return pack;
}

const packDates = (draw: queries.DrawRow, picks: readonly queries.PickRow[]) => ({
  closedAt: draw.closed_at,
  closedByHand: draw.by_hand,
  roundAnnouncedAt: draw.announced_at,
  roundExpectedAt: draw.expected_at,
  completedAt: draw.completed_at,
  prize: draw.prize,
  paidAt: draw.paid_at,
  picks: picks.map((pick) => ({
    place: pick.place,
    entryId: pick.entry_id,
    wonAt: pick.won_at,
    claimBy: pick.claim_by,
    reminders: pick.reminders,
    claimedAt: pick.claimed_at,
    currency: pick.currency,
    bankDetailsErasedAt: pick.erased_at,
    struckAt: pick.struck_at,
    struckReason: pick.struck_reason,
  })),
});
