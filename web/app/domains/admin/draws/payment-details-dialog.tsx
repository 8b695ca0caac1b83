import { type AdminDraw, lookAtPaymentDetails } from '@handwise/contract/draws/admin';
import { count } from '@handwise/contract/numbers';
import { useCheckedForm } from '../../../lib/forms/checked-form.ts';
import { Dialog } from '../../../ui/feedback/dialog.tsx';
import { Button } from '../../../ui/forms/button.tsx';
import { ErrorSummary } from '../../../ui/forms/error-summary.tsx';
import { TextArea } from '../../../ui/forms/form-field.tsx';
import admin from '../desk/admin.module.css';
import styles from '../desk/case.module.css';
import { timeText } from '../desk/time-text.ts';
import { usePaymentDetails } from './draw-queries.ts';
import { monthOf } from './draw-words.ts';

type PaymentDetailsDialogProps = { draw: AdminDraw; open: boolean; onClose: () => void };

/** The bank details for a claimed prize, discarded when the dialog closes. */
export const PaymentDetailsDialog = ({ draw, open, onClose }: PaymentDetailsDialogProps) => (
  <Dialog open={open} onClose={onClose} title={`Payment details of ${monthOf(draw)}`}>
    <PaymentDetails draw={draw} />
  </Dialog>
);

function PaymentDetails({ draw }: { draw: AdminDraw }) {
  const look = usePaymentDetails();
  const { form, field, summary, busy } = useCheckedForm<{ reason: string }>({
    name: 'payment-details',
    schema: lookAtPaymentDetails.query,
    start: { reason: '' },
    send: async (query) => void (await look.mutateAsync({ params: { id: draw._id }, query })),
  });
  if (look.data) {
    const { bankName, accountHolder, accountNumber, prizeAmount, currency, claimedAt } = look.data;
    const facts = [
      ['Amount', `$${count(prizeAmount)} ${currency}`],
      ['Account Holder Name', accountHolder],
      ['Account Number', accountNumber],
      ['Bank Name', bankName],
      ['Claimed', timeText(claimedAt)],
    ] as const;
    return (
      <dl className={admin.facts}>
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    );
  }
  return (
    <form {...form} className={styles.form}>
      <ErrorSummary {...summary} />
      <p>Bank details are shown until the prize is paid. The audit log records that you viewed them, with your name and your reason.</p>
      <TextArea label="Reason" rows={2} hint="For example: paying this month’s prize." {...field('reason')} />
      <Button type="submit" busy={busy}>
        {busy ? 'One moment…' : 'Show the details'}
      </Button>
    </form>
  );
}
