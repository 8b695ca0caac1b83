import type { Updateable } from 'kysely';
import type { DB } from '../../kit/database/database.generated.ts';
import type { Tx } from '../../kit/database/database.ts';
import { type LifeCycle, canTransition } from '../../kit/life-cycle.ts';

export type ReferralState = 'held' | 'pending' | 'converted' | 'refused';

/** The life of a referral. The database holds the same table (006-referrals.sql). */
export const referralTransitions = {
  held: ['pending', 'refused'],
  pending: ['held', 'converted', 'refused'],
  converted: ['refused'],
  refused: [],
} as const satisfies LifeCycle<ReferralState>;

type Referral = { status: ReferralState };

/** Whether it waits for an administrator. */
export const isHeld = ({ status }: Referral) => status === 'held';
/** Whether it counts, and waits for the first listing. */
export const isPending = ({ status }: Referral) => status === 'pending';
/** Whether it has earned what a first listing earns. */
export const isConverted = ({ status }: Referral) => status === 'converted';
export const isRefused = ({ status }: Referral) => status === 'refused';
/** What becomes of a held one if nobody decides; null for others. */
export const heldOutcome = ({ status, held_lapses }: Referral & { held_lapses: boolean }) =>
  status !== 'held' ? null : held_lapses ? ('lapses' as const) : ('counts' as const);
/** As its people are told of it: that it is held is said beside it. */
export const toldOf = ({ status }: Referral): Exclude<ReferralState, 'held'> => (status === 'held' ? 'pending' : status);

/** The one way along the table, with what else changes by it. The row must be locked. */
export async function moveTo(
  tx: Tx,
  referral: { id: string; status: ReferralState },
  status: ReferralState,
  also: Omit<Updateable<DB['referrals']>, 'id' | 'status'> = {},
): Promise<void> {
  if (!canTransition<ReferralState>(referralTransitions, referral.status, status)) {
    throw new Error(`a referral that is ${referral.status} cannot become ${status}`);
  }
  await tx
    .updateTable('referrals')
    .set({ ...also, status })
    .where('id', '=', referral.id)
    .where('status', '=', referral.status)
    .execute();
}
