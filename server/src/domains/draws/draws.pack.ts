import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { ZipFile } from 'yazl';
import { claimDays } from '@handwise/contract/draws/prize';
import type { Reader } from '../../kit/database/database.ts';
import { streamLogText, getTerms } from '../tickets/tickets.service.ts';
import type { DrawContext } from './draws.context.ts';
import * as queries from './draws.queries.ts';
import { findClosedDraw, readProof } from './draws.proof.ts';

const about = (period: string) => `The papers of the draw ${period}, without personal data.

terms.json       the terms of this month, fixed when its period began, with the rules of each state and country as they were read
entries.csv      every entry that took part: its public id and its tickets, in the order of the draw
log.txt          the ticket log: every ticket that was issued or voided during the month, one a line
checkpoint.txt   the last signed head of that log
proof.json       the proof of the draw (draw-v1): check it with "npm run --silent draw:verify -- proof.json --log log.txt"
dates.json       when it closed, when the round was announced and out, who was to claim until when, when it was claimed and paid
audit.json       what the audit log has of it, each entry with its number and hash

Who the entrants are is kept sealed and is given to authorities only. Times are in UTC. A prize can be claimed for ${claimDays} days.
`;

/** The entries that the audit log has about these, without anybody's name. It is the administration's, which stands above draws. */
export type ListAudited = (db: Reader, subjectIds: readonly string[]) => Promise<unknown[]>;

/** All papers of a closed draw as one zip. Throws `draw_period_not_found`, `draw_still_open`. */
export async function packOf(context: DrawContext, name: string, listAudited: ListAudited): Promise<Readable> {
  const { db, clock } = context;
  const { period, draw } = await findClosedDraw(db, name);
  const mtime = clock.now();
  const zip = new ZipFile();
  const pack = zip.outputStream as Readable;
  zip.on('error', (error: Error) => void pack.destroy(error));
  const add = (file: string, content: string | Buffer) => zip.addBuffer(Buffer.from(content), file, { mtime });
  const json = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`;
  const entries = JSON.parse((await queries.readEntries(db, draw.id)).toString()) as { id: string; tickets: number }[];
  add('README.txt', about(name));
  add('terms.json', json(await getTerms(context, name)));
  add('entries.csv', `id,tickets\n${entries.map(({ id, tickets }) => `${id},${tickets}\n`).join('')}`);
  add('log.txt', await text(Readable.from(streamLogText(db, period))));
  add('checkpoint.txt', (draw.log as { checkpoint: string }).checkpoint);
  add('proof.json', await text(await readProof(db, name)));
  add('dates.json', json(datesOf(draw, await queries.listPicks(db, [draw.id]))));
  add('audit.json', json(await listAudited(db, await queries.listSubjects(db, draw.id))));
  zip.end();
  return pack;
}

const datesOf = (draw: queries.DrawRow, picks: readonly queries.PickRow[]) => ({
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
