import type { Selectable, Updateable } from 'kysely';
import type { DB } from '../../kit/database/database.generated.ts';
import type { Reader, Tx } from '../../kit/database/database.ts';
import { anyId } from '../../kit/database/sql-helpers.ts';
import { type LifeCycle, canTransition, listStatesBefore } from '../../kit/life-cycle.ts';

export type RenewalStatus = Selectable<DB['renewals']>['status'];

/** A renewed one stays so, because its subscription is renewed once. The database holds the same table (022-renewals.sql). */
export const renewalTransitions = {
  on: ['failed', 'needs_action', 'renewed', 'off', 'ended'],
  failed: ['on', 'needs_action', 'renewed', 'off', 'ended'],
  needs_action: ['on', 'failed', 'renewed', 'off', 'ended'],
  renewed: [],
  off: ['on'],
  ended: ['on'],
} as const satisfies LifeCycle<RenewalStatus>;

/** Whether it is still going to be charged, by itself or by its seller. */
export const pendingStatuses = listStatesBefore<RenewalStatus>(renewalTransitions, 'renewed');
export const isRenewalPending = <Row extends { status: RenewalStatus }>(
  renewal: Row,
): renewal is Row & { status: 'on' | 'failed' | 'needs_action' } => pendingStatuses.includes(renewal.status);

export const hasRenewalFailed = ({ status }: { status: RenewalStatus }) => status === 'failed' || status === 'needs_action';

export const isRenewalOn = ({ status }: { status: RenewalStatus }) => status === 'on';
export const isRenewed = ({ status }: { status: RenewalStatus }) => status === 'renewed';
export const isAwaitingCardholder = (status: RenewalStatus) => status === 'needs_action';

type Also = Partial<
  Pick<Updateable<DB['renewals']>, 'problem' | 'charge_at' | 'card_id' | 'amount_minor' | 'agreed_at' | 'noticed_at' | 'notice_queued_at'>
>;

/** The only way to change a status. False when the table has no such step or a concurrent change won; then nothing was changed. */
export async function moveRenewal(
  db: Reader,
  renewal: { subscription_id: string; status: RenewalStatus },
  status: RenewalStatus,
  also: Also = {},
): Promise<boolean> {
  const stays = status === renewal.status && isRenewalPending(renewal);
  if (!stays && !canTransition<RenewalStatus>(renewalTransitions, renewal.status, status)) return false;
  const { numUpdatedRows } = await db
    .updateTable('renewals')
    .set({ charge_at: null, problem: null, ...also, status })
    .where('subscription_id', '=', renewal.subscription_id)
    .where('status', '=', renewal.status)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

const ended = { status: 'ended', charge_at: null, problem: null } as const;

export const endRenewals = (tx: Tx, subscriptionIds: readonly string[]) =>
  tx
    .updateTable('renewals')
    .set(ended)
    .where('subscription_id', '=', anyId(subscriptionIds))
    .where('status', 'in', pendingStatuses)
    .returning('subscription_id')
    .execute();

export const endRenewalsOfUser = (tx: Tx, userId: string) =>
  tx
    .updateTable('renewals')
    .set(ended)
    .where('subscription_id', 'in', (eb) =>
      eb
        .selectFrom('renewals')
        .select('subscription_id')
        .where('user_id', '=', userId)
        .where('status', 'in', pendingStatuses)
        .orderBy('subscription_id')
        .forUpdate(),
    )
    .execute();
