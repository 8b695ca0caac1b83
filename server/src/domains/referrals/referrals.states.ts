import type { Updateable } from 'kysely';
import type { DB } from '../../kit/database/database.generated.ts';
import type { Tx } from '../../kit/database/database.ts';
import { type LifeCycle, canTransition } from '../../kit/life-cycle.ts';

export type ReferralState = 'held' | 'pending' | 'converted' | 'refused';

/** The database enforces the same table (006-referrals.sql). */
export const referralTransitions = {
  held: ['pending', 'refused'],
  pending: ['held', 'converted', 'refused'],
  converted: ['refused'],
  refused: [],
} as const satisfies LifeCycle<ReferralState>;

type Referral = { status: ReferralState };

/** Waits for an administrator. */
export const isHeld = ({ status }: Referral) => status === 'held';
/** Counts, and waits for the first listing. */
export const isPending = ({ status }: Referral) => status === 'pending';
/** The first listing has earned its rewards. */
export const isConverted = ({ status }: Referral) => status === 'converted';
export const isRefused = ({ status }: Referral) => status === 'refused';
/** What happens to a held referral without a decision; null for others. */
export const heldOutcome = ({ status, held_lapses }: Referral & { held_lapses: boolean }) =>
  status !== 'held' ? null : held_lapses ? ('lapses' as const) : ('counts' as const);
/** The status in the API, which reports a hold in separate fields. */
export const publicStatus = ({ status }: Referral): Exclude<ReferralState, 'held'> => (status === 'held' ? 'pending' : status);

/** The only way to change the status. The row must be locked. */
export async function moveReferral(
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
