import { homes } from '@handwise/contract/draws/permits';
import { adminPaths } from '@handwise/contract/admin/paths';
import { type AdminDraw, strikeWinnerCall, lookAtPaymentDetailsCall } from '@handwise/contract/draws/admin';
import { counted, count } from '@handwise/contract/numbers';
import { useState } from 'react';
import { Link } from 'react-router';
import { toast } from '../../../ui/feedback/toast.tsx';
import { Button } from '../../../ui/forms/button.tsx';
import styles from '../desk/admin.module.css';
import { formatTime } from '../desk/list-parts.tsx';
import { describeFailure, usePayment, useStrike, usePaymentDetails } from './draw-queries.ts';
import { listPrizeActions, prizePaymentStates, winnerName, formatDrawMonth } from './draw-words.ts';
import { useCheckedForm } from '../../../lib/forms/checked-form.ts';
import { Dialog } from '../../../ui/feedback/dialog.tsx';
import { ErrorSummary } from '../../../ui/forms/error-summary.tsx';
import { TextArea } from '../../../ui/forms/form-field.tsx';
import caseStyles from '../desk/case.module.css';

/** A draw's winner, the state of the prize, and the next action. */
export function WinnerCard({ draw }: { draw: AdminDraw }) {
  const name = winnerName(draw);
  return (
    <>
      {name === null ? (
        <p>{draw.outcome === 'no_entries' ? 'Nobody took part, so there is no winner.' : 'The prize was not awarded.'}</p>
      ) : (
        <div className={`card ${styles.tile}`}>
          <h3>{draw.winner?.userId ? <Link to={adminPaths.user(draw.winner.userId._id)}>{name}</Link> : name}</h3>
          {draw.winner?.userId && <p>{draw.winner.userId.email}</p>}
          <p>{counted(draw.winner?.entries ?? 0, 'entry', 'entries')}</p>
          <p>
            Payment: <PaymentState draw={draw} />
          </p>
          {draw.paymentStatus === 'pending' && draw.claimBy && <p className="muted">Can be claimed until {formatTime(draw.claimBy)}.</p>}
          {draw.claimedAt && <p className="muted">Claimed on {formatTime(draw.claimedAt)}.</p>}
          {draw.paidAt && <p className="muted">Paid on {formatTime(draw.paidAt)}.</p>}
          <p className="muted">{counted(draw.reservesLeft, 'reserve')} left.</p>
          <WinnerDeeds draw={draw} />
        </div>
      )}
      {draw.struck.length > 0 && (
        <ul className={styles.bullets}>
          {draw.struck.map((one) => (
            <li key={one.entryId}>
              Struck on {formatTime(one.struckAt)}: {one.reason} <span className={styles.hash}>{one.entryId}</span>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

export const PaymentState = ({ draw }: { draw: Pick<AdminDraw, 'paymentStatus'> }) => (
  <span className={styles.state} data-bad={draw.paymentStatus === 'not_awarded' || undefined}>
    {prizePaymentStates[draw.paymentStatus]}
  </span>
);

/** The actions for a winner, each with its own confirmation. */
export function WinnerDeeds({ draw }: { draw: AdminDraw }) {
  const [open, setOpen] = useState<'look' | 'strike' | null>(null);
  const payment = usePayment();
  const can = listPrizeActions(draw);
  if (!can.pay && !can.look && !can.strike) return null;
  async function pay() {
    try {
      await payment.mutateAsync({ params: { id: draw._id }, body: {} });
      toast('Payment marked as processed');
    } catch (error) {
      toast(describeFailure(error, 'Error processing payment'), 'error');
    }
  }
  return (
    <div className={styles.actions}>
      {can.look && (
        <Button kind="secondary" size="sm" onClick={() => setOpen('look')}>
          Payment details
        </Button>
      )}
      {can.pay && (
        <Button size="sm" busy={payment.isPending} onClick={() => void pay()}>
          Process Payment
        </Button>
      )}
      {can.strike && (
        <Button kind="danger" size="sm" onClick={() => setOpen('strike')}>
          Strike the winner
        </Button>
      )}
      <PaymentDetailsDialog draw={draw} open={open === 'look'} onClose={() => setOpen(null)} />
      <StrikeDialog draw={draw} open={open === 'strike'} onClose={() => setOpen(null)} />
    </div>
  );
}

type StrikeDialogProps = { draw: AdminDraw; open: boolean; onClose: () => void };

/** Strikes an ineligible winner; the next reserve takes their place. */
const StrikeDialog = ({ draw, open, onClose }: StrikeDialogProps) => (
  <Dialog open={open} onClose={onClose} title={`Strike the winner of ${formatDrawMonth(draw)}`}>
    <StrikeForm draw={draw} onDone={onClose} />
  </Dialog>
);

function StrikeForm({ draw, onDone }: { draw: AdminDraw; onDone: () => void }) {
  const strike = useStrike();
  const { form, field, summary, busy } = useCheckedForm<{ reason: string }>({
    name: 'strike',
    schema: strikeWinnerCall.body,
    start: { reason: '' },
    send: async (body) => {
      const { message } = await strike.mutateAsync({ params: { id: draw._id }, body });
      toast(message);
      onDone();
    },
  });
  return (
    <form {...form} className={caseStyles.form}>
      <ErrorSummary {...summary} />
      <p>
        {winnerName(draw)} loses the prize for good.{' '}
        {draw.reservesLeft > 0
          ? `The next of ${counted(draw.reservesLeft, 'reserve')} takes their place and is told.`
          : 'There is no reserve left, so the prize will not be awarded.'}
      </p>
      <TextArea
        label="Reason"
        rows={3}
        hint="Everybody can read it on the draw’s page, word for word, so no names and nothing personal."
        {...field('reason')}
      />
      <Button type="submit" kind="danger" busy={busy}>
        {busy ? 'Sending…' : 'Strike the winner'}
      </Button>
    </form>
  );
}

type PaymentDetailsDialogProps = { draw: AdminDraw; open: boolean; onClose: () => void };

/** The bank details for a claimed prize, discarded when the dialog closes. */
const PaymentDetailsDialog = ({ draw, open, onClose }: PaymentDetailsDialogProps) => (
  <Dialog open={open} onClose={onClose} title={`Payment details of ${formatDrawMonth(draw)}`}>
    <PaymentDetails draw={draw} />
  </Dialog>
);

function PaymentDetails({ draw }: { draw: AdminDraw }) {
  const details = usePaymentDetails();
  const { form, field, summary, busy } = useCheckedForm<{ reason: string }>({
    name: 'payment-details',
    schema: lookAtPaymentDetailsCall.query,
    start: { reason: '' },
    send: async (query) => void (await details.mutateAsync({ params: { id: draw._id }, query })),
  });
  if (details.data) {
    const { bankName, accountHolder, accountNumber, prizeAmount, currency, livesIn, claimedAt } = details.data;
    const facts = [
      ['Amount', `$${count(prizeAmount)} ${currency}`],
      ['Account Holder Name', accountHolder],
      ['Account Number', accountNumber],
      ['Bank Name', bankName],
      ...(livesIn ? [['Lives in', homes[livesIn]] as const] : []),
      ['Claimed', formatTime(claimedAt)],
    ] as const;
    return (
      <dl className={styles.facts}>
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
    <form {...form} className={caseStyles.form}>
      <ErrorSummary {...summary} />
      <p>Bank details are shown until the prize is paid. The audit log records that you viewed them, with your name and your reason.</p>
      <TextArea label="Reason" rows={2} hint="For example: paying this month’s prize." {...field('reason')} />
      <Button type="submit" busy={busy}>
        {busy ? 'One moment…' : 'Show the details'}
      </Button>
    </form>
  );
}
