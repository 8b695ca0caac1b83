import { formatDate, formatMoment } from '@handwise/contract/dates';
import type { Referral } from '@handwise/contract/referrals/calls';
import { noCard } from '@handwise/contract/referrals/holds';
import { useState } from 'react';
import { Button } from '../../../ui/forms/button.tsx';
import { EmptyState } from '../../../ui/feedback/empty-state.tsx';
import { Avatar } from '../../../ui/pictures/avatar.tsx';
import { useFirstRows } from '../first-rows.tsx';
import { canSwap, referralState, formatReward } from '../referral-view.ts';
import { StateChip } from '../state-chip.tsx';
import { HeldWords } from '../held-words.tsx';
import styles from './table.module.css';
import { subscriptionDays } from '@handwise/contract/plans/table';
import { drawTimeZone, referralTickets } from '@handwise/contract/draws/prize';
import { Dialog } from '../../../ui/feedback/dialog.tsx';
import { toast } from '../../../ui/feedback/toast.tsx';
import { useSwap } from '../referral-queries.ts';
import swapDialogStyles from './swap-dialog.module.css';

/** The people who used the code, their progress, and the rewards. */
export function ReferralsTable({ referrals }: { referrals: readonly Referral[] }) {
  const [swapped, setSwapped] = useState<Referral | null>(null);
  const [now] = useState(() => Date.now());
  const { shown, more } = useFirstRows(referrals, 'referrals');
  if (referrals.length === 0) {
    return (
      <EmptyState title="No Referrals Yet">
        You don't have any referred users yet. Pending referrals convert when the person you referred creates a listing. Converted ones earn
        you more tickets.
      </EmptyState>
    );
  }
  return (
    <>
      <table className={styles.table}>
        <thead>
          <tr>
            <th scope="col">User</th>
            <th scope="col">Joined</th>
            <th scope="col">Status</th>
            <th scope="col">Reward</th>
          </tr>
        </thead>
        <tbody>
          {shown.map((one) => (
            <tr key={one.id}>
              <th scope="row">
                <span className={styles.user}>
                  <Avatar name={one.referredUser.name} size={36} />
                  <span className={styles.userText}>
                    <strong>{one.referredUser.name}</strong>
                    <span className="muted">{one.referredUser.username}</span>
                    <span className="muted">{one.referredUser.email}</span>
                  </span>
                </span>
              </th>
              <td data-name="Joined" className={styles.day}>
                {formatDate(one.referredUser.joinedAt, drawTimeZone)}
              </td>
              <td data-name="Status">
                <span>
                  <StateChip state={referralState(one.status)} />
                  {one.listing && <span className={styles.note}>{one.listing.title}</span>}
                  {one.heldBecause === noCard && (
                    <span className={styles.note}>
                      The reward waits until they have saved a card that no other account uses, which charges nothing, or paid for a plan.
                    </span>
                  )}
                  {one.heldBecause && one.heldBecause !== noCard && (
                    <span className={styles.note}>
                      Being checked. <HeldWords held={one} payer="they" />
                    </span>
                  )}
                  {one.refusedBecause && <span className={styles.note}>{one.refusedBecause}</span>}
                </span>
              </td>
              <td data-name="Reward">
                <span className={styles.reward}>
                  {one.status === 'refused' ? 'None' : formatReward(one.rewardType)}
                  {canSwap(one, now) && (
                    <Button kind="secondary" size="sm" onClick={() => setSwapped(one)}>
                      Take a free month instead
                      <span className="visually-hidden"> for {one.referredUser.name}</span>
                    </Button>
                  )}
                </span>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {more}
      <SwapDialog referral={swapped} onClose={() => setSwapped(null)} />
    </>
  );
}

type SwapDialogProps = { referral: Referral | null; onClose: () => void };

/** Confirms swapping tickets for a free month, with its cost. */
function SwapDialog({ referral, onClose }: SwapDialogProps) {
  const swap = useSwap();
  return (
    <Dialog
      open={referral !== null}
      onClose={onClose}
      title={`Swap ${referralTickets.listing} tickets for a free month?`}
      actions={
        <>
          <Button kind="secondary" onClick={onClose}>
            Keep the tickets
          </Button>
          <Button
            busy={swap.isPending}
            onClick={() =>
              referral &&
              swap.mutate(referral.id, {
                onSuccess: ({ message }) => toast(message),
                onError: (error) => toast(error.message, 'error'),
                onSettled: onClose,
              })
            }
          >
            {swap.isPending ? 'Swapping...' : 'Take the free month'}
          </Button>
        </>
      }
    >
      <div className={swapDialogStyles.words}>
        <p>
          The {referralTickets.listing} tickets for {referral?.referredUser.name} leave their draw straight away. You get one free month
          instead: {subscriptionDays} days on any plan, used before any card is charged, without an end date and without cash value.
        </p>
        <p>
          This cannot be undone.{' '}
          {referral?.swapUntil && `You can choose until ${formatMoment(referral.swapUntil, drawTimeZone)} New Zealand time.`}
        </p>
      </div>
    </Dialog>
  );
}
