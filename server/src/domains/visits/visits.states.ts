import { type ExpressionBuilder, sql } from 'kysely';
import type { VisitState } from '@handwise/contract/visits/words';
import type { DB } from '../../kit/database/database.generated.ts';
import type { Tx } from '../../kit/database/database.ts';
import { type LifeCycle, canTransition, listStatesBefore } from '../../kit/life-cycle.ts';

/** The database holds the same table (068-visits.sql). */
export const visitTransitions = {
  proposed: ['asked', 'agreed', 'cancelled', 'lapsed'],
  asked: ['proposed', 'cancelled'],
  agreed: ['cancelled'],
  cancelled: [],
  lapsed: [],
} as const satisfies LifeCycle<VisitState>;

type Timed = { status: VisitState; starts_at: Date | null };

/** The state by the clock: a proposal whose times have all begun has lapsed, whether or not the next one has ended it. */
export const getVisitStateAt = (status: VisitState, times: readonly { starts_at: Date }[], now: Date): VisitState =>
  canTransition<VisitState>(visitTransitions, status, 'lapsed') && times.every((time) => time.starts_at <= now) ? 'lapsed' : status;

export const isAgreed = (status: VisitState) => status === 'agreed';
export const isAsked = (status: VisitState) => status === 'asked';
export const isCancelled = (status: VisitState) => status === 'cancelled';
/** Whether one of the proposed times could still be taken for the first time. */
export const isOpenProposal = (status: VisitState) => canTransition<VisitState>(visitTransitions, status, 'agreed');
/** Whether there is something that can still change. */
export const isChangeable = (status: VisitState) => canTransition<VisitState>(visitTransitions, status, 'cancelled');
/** Whether it was agreed and has begun: it took place, as far as anybody can know. */
export const hasBegun = ({ status, starts_at }: Timed, now: Date) => isAgreed(status) && starts_at !== null && starts_at <= now;

const openStates = ['proposed', 'asked'] as const satisfies readonly VisitState[];
export const whereOpen = (eb: ExpressionBuilder<DB, 'visits'>) => eb('visits.status', 'in', openStates);
export const whereAgreed = (eb: ExpressionBuilder<DB, 'visits'>) => eb('visits.status', '=', 'agreed' satisfies VisitState);
export const whereChangeable = (eb: ExpressionBuilder<DB, 'visits'>) =>
  eb('visits.status', 'in', listStatesBefore<VisitState>(visitTransitions, 'cancelled'));

type Change =
  | { status: 'proposed'; client_id: string; proposed_by: 'buyer' | 'seller' }
  | { status: 'asked' | 'lapsed' }
  | { status: 'agreed'; starts_at: Date; minutes: number; remind_at: Date | null }
  | { status: 'cancelled'; cancelled_by: 'buyer' | 'seller'; cancel_reason: string };

type Kept =
  | { client_id: string; proposed_by: 'buyer' | 'seller' }
  | { proposed_by: null }
  | { starts_at: Date; minutes: number; remind_at: Date | null };

/** The only way to change a status; the conversation must be locked, or the visit itself. */
export async function changeVisitStatus(tx: Tx, visit: { id: string; status: VisitState }, change: Change, at: Date): Promise<void> {
  if (!canTransition<VisitState>(visitTransitions, visit.status, change.status)) {
    throw new Error(`visit ${visit.id} cannot go from ${visit.status} to ${change.status}`);
  }
  const { numUpdatedRows } = await tx
    .updateTable('visits')
    .set({
      proposed_by: null,
      ...change,
      proposed_at: 'proposed_by' in change ? at : null,
      ...('starts_at' in change && { agreed_at: at }),
      ...(isCancelled(change.status) && { remind_at: null }),
      revision: sql<number>`revision + 1`,
      // The first invitation is number 0, and what was never agreed is in nobody's calendar.
      ...(isAgreed(visit.status) && { sequence: sql<number>`sequence + 1` }),
    })
    .where('id', '=', visit.id)
    .where('status', '=', visit.status)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) throw new Error(`visit ${visit.id} was not locked`);
}

/** Changes an open proposal, or what is proposed instead of an agreed time, or moves an agreed visit; the status stays. */
export async function updateVisit(tx: Tx, visit: { id: string }, change: Kept, at: Date): Promise<void> {
  await tx
    .updateTable('visits')
    .set({
      proposed_by: null,
      ...change,
      proposed_at: 'client_id' in change ? at : null,
      ...('starts_at' in change && { agreed_at: at, sequence: sql<number>`sequence + 1` }),
      revision: sql<number>`revision + 1`,
    })
    .where('id', '=', visit.id)
    .execute();
}
