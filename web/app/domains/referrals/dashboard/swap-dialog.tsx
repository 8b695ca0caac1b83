import { momentText } from '@handwise/contract/dates';
import { subscriptionDays } from '@handwise/contract/plans/table';
import { ticketsOf } from '@handwise/contract/draws/prize';
import type { Referral } from '@handwise/contract/referrals/calls';
import { drawTimeZone } from '@handwise/contract/tickets/calls';
import { Button } from '../../../ui/forms/button.tsx';
import { Dialog } from '../../../ui/feedback/dialog.tsx';
import { toast } from '../../../ui/feedback/toast.tsx';
import { useSwap } from '../referral-queries.ts';
import styles from './swap-dialog.module.css';

type SwapDialogProps = { referral: Referral | null; onClose: () => void };

/** Asks before tickets become a free month, and says what that costs. */
export function SwapDialog({ referral, onClose }: SwapDialogProps) {
  const swap = useSwap();
  return (
    <Dialog
      open={referral !== null}
      onClose={onClose}
      title={`Swap ${ticketsOf.listing} tickets for a free month?`}
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
      <div className={styles.words}>
        <p>
          The {ticketsOf.listing} tickets for {referral?.referredUser.name} leave their draw straight away. You get one free month instead:{' '}
          {subscriptionDays} days on any plan, used before any card is charged, without an end date and without cash value.
        </p>
        <p>
          This cannot be undone.{' '}
          {referral?.swapUntil && `You can choose until ${momentText(referral.swapUntil, drawTimeZone)} New Zealand time.`}
        </p>
      </div>
    </Dialog>
  );
}
