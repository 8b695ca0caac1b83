import type { Selectable, Updateable } from 'kysely';
import { publishChange } from '../../kit/events/changes.ts';
import type { DB } from '../../kit/database/database.generated.ts';
import type { Tx } from '../../kit/database/database.ts';
import { type LifeCycle, canTransition } from '../../kit/life-cycle.ts';

type Draws = DB['draws'];
export type DrawStatus = Selectable<Draws>['status'];
/** `none`: the draw is not over, or there was nothing to draw. */
export type PrizeStatus = NonNullable<Selectable<Draws>['prize']> | 'none';

/** The life of a draw, from its closing on. The database holds the same tables (018-draws.sql). */
export const drawTransitions = {
  waiting: ['completed'],
  completed: [],
} as const satisfies LifeCycle<DrawStatus>;

/** The life of its prize. A winner who is struck gives it back, and the next reserve is to claim it; what is paid stays paid. */
export const prizeTransitions = {
  none: ['pending', 'not_awarded'],
  pending: ['claimed', 'not_awarded'],
  claimed: ['pending', 'paid', 'not_awarded'],
  paid: [],
  not_awarded: [],
} as const satisfies LifeCycle<PrizeStatus>;

/** Whether it is closed and its round is to come. */
export const isWaiting = ({ status }: { status: DrawStatus }) => status === 'waiting';
export const isCompleted = ({ status }: { status: DrawStatus }) => status === 'completed';

type WithPrize = { prize: Selectable<Draws>['prize'] };

/** Whether its winner has still to say where it goes. */
export const isUnclaimed = ({ prize }: WithPrize) => prize === 'pending';
export const isClaimed = ({ prize }: WithPrize) => prize === 'claimed';
export const isPaid = ({ prize }: WithPrize) => prize === 'paid';
/** Whether it is somebody's, and not with them yet. */
export const isOwed = (draw: WithPrize) => isUnclaimed(draw) || isClaimed(draw);
/** Whether nobody was left who may have it. */
export const isNobodys = ({ prize }: WithPrize) => prize === 'not_awarded';
/** How far it is on its way to a winner. */
export const wayOf = (prize: PrizeStatus | null | undefined): 'pending' | 'claimed' | 'paid' =>
  prize === 'claimed' || prize === 'paid' ? prize : 'pending';

/** The last step of a draw. False where somebody else was quicker: then nothing was changed. */
export async function complete(
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

/** The one way of a prize along its table. False where the table has no such step, or where somebody else was quicker. */
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
