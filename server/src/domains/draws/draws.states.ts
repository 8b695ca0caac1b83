import type { Selectable, Updateable } from 'kysely';
import type { DB } from '../../kit/database/database.generated.ts';
import type { Tx } from '../../kit/database/database.ts';
import { publishChange } from '../../kit/events/changes.ts';
import { type LifeCycle, canTransition } from '../../kit/life-cycle.ts';

type Draws = DB['draws'];
export type DrawStatus = Selectable<Draws>['status'];
/** `none`: the draw is not over, or there was nothing to draw. */
export type PrizeStatus = NonNullable<Selectable<Draws>['prize']> | 'none';

/** The database enforces the same tables (018-draws.sql). */
export const drawTransitions = {
  waiting: ['completed'],
  completed: [],
} as const satisfies LifeCycle<DrawStatus>;

/** Striking a winner makes the prize pending for the next reserve; a paid prize stays paid. */
export const prizeTransitions = {
  none: ['pending', 'not_awarded'],
  pending: ['claimed', 'not_awarded'],
  claimed: ['pending', 'paid', 'not_awarded'],
  paid: [],
  not_awarded: [],
} as const satisfies LifeCycle<PrizeStatus>;

/** Closed, and its round is not out yet. */
export const isWaiting = ({ status }: { status: DrawStatus }) => status === 'waiting';
export const isCompleted = ({ status }: { status: DrawStatus }) => status === 'completed';

type WithPrize = { prize: Selectable<Draws>['prize'] };

/** The winner has not submitted bank details yet. */
export const isUnclaimed = ({ prize }: WithPrize) => prize === 'pending';
export const isClaimed = ({ prize }: WithPrize) => prize === 'claimed';
export const isPrizePaid = ({ prize }: WithPrize) => prize === 'paid';
/** Has a winner but is not paid yet. */
export const isOwed = (draw: WithPrize) => isUnclaimed(draw) || isClaimed(draw);
/** No eligible pick was left. */
export const isNotAwarded = ({ prize }: WithPrize) => prize === 'not_awarded';
export const payoutState = (prize: PrizeStatus | null | undefined): 'pending' | 'claimed' | 'paid' =>
  prize === 'claimed' || prize === 'paid' ? prize : 'pending';

/** False, without a change, if the draw was completed meanwhile. */
export async function setCompleted(
  tx: Tx,
  draw: { id: string; status: DrawStatus },
  also: Required<Pick<Updateable<Draws>, 'completed_at' | 'signature' | 'randomness' | 'prize'>>,
): Promise<boolean> {
  if (!canTransition<DrawStatus>(drawTransitions, draw.status, 'completed')) return false;
  await publishChange(tx, 'draws', draw.id);
  const { numUpdatedRows } = await tx
    .updateTable('draws')
    .set({ ...also, status: 'completed' })
    .where('id', '=', draw.id)
    .where('status', '=', draw.status)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** The only way to change a prize's status. False if the transition is not allowed or the status has changed meanwhile. */
export async function movePrize(
  tx: Tx,
  draw: { id: string; prize: Selectable<Draws>['prize'] },
  prize: Exclude<PrizeStatus, 'none'>,
  also: Pick<Updateable<Draws>, 'paid_at'> = {},
): Promise<boolean> {
  if (!canTransition<PrizeStatus>(prizeTransitions, draw.prize ?? 'none', prize)) return false;
  await publishChange(tx, 'draws', draw.id);
  const { numUpdatedRows } = await tx
    .updateTable('draws')
    .set({ ...also, prize })
    .where('id', '=', draw.id)
    .where('prize', 'is not distinct from', draw.prize)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}
