import { randomnessOf } from '@handwise/proof/beacon';
import { type Entry, pickEntries } from '@handwise/proof/draw';
import type { DrawContext } from './draws.context.ts';
import * as queries from './draws.queries.ts';
import { complete, isWaiting } from './draws.states.ts';
import { awardNext } from './draws.winners.ts';

/** Completes every draw whose announced round is out. A beacon that does not answer is waited for: no other round is ever taken. */
export async function completeDueDraws(context: DrawContext): Promise<void> {
  const { db, clock, logger } = context;
  for (const draw of await queries.listDue(db, clock.now())) {
    try {
      await completeDraw(context, draw);
    } catch (error) {
      logger.error({ err: error, drawId: draw.id, round: draw.round }, 'the announced round could not be read; the draw waits');
    }
  }
}

async function completeDraw(context: DrawContext, { id, chain, round }: queries.DrawRow): Promise<void> {
  const { db, clock, beacon, logger } = context;
  if (round === null) return;
  if (chain !== beacon.chain.name) throw new Error(`round ${round} is one of ${chain}, but this server reads ${beacon.chain.name}`);
  const signature = await beacon.signatureOf(round);
  if (signature === null) {
    logger.warn({ drawId: id, round }, 'the announced round is due but not out; the draw waits');
    return;
  }
  const randomness = randomnessOf(signature);
  if (randomness === null) throw new Error(`round ${round} has no signature`);
  await db.transaction().execute(async (tx) => {
    const draw = await queries.lockDraw(tx, id);
    if (!draw || !isWaiting(draw)) return;
    const entries = JSON.parse((await queries.readEntries(tx, id)).toString()) as Entry[];
    const picks = pickEntries(entries, randomness, draw.root.toString('hex'));
    await queries.insertPicks(
      tx,
      picks.map(({ entryId, ticketIndex }, place) => ({ draw_id: id, place, entry_id: entryId, ticket_index: ticketIndex })),
    );
    const prize = await awardNext(tx, context, draw);
    await complete(tx, draw, {
      completed_at: clock.now(),
      signature: Buffer.from(signature, 'hex'),
      randomness: Buffer.from(randomness, 'hex'),
      prize,
    });
  });
}
