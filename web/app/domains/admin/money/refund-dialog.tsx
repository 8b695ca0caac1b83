import type { PaymentLedger } from '@handwise/contract/admin/payments';
import { money } from '@handwise/contract/money';
import { useEffect, useRef, useState } from 'react';
import { Dialog } from '../../../ui/feedback/dialog.tsx';
import { ErrorSummary } from '../../../ui/forms/error-summary.tsx';
import { Button } from '../../../ui/forms/button.tsx';
import admin from '../desk/admin.module.css';
import styles from '../desk/case.module.css';
import { Preview } from '../desk/decision-form.tsx';
import { useRefund } from './money-queries.ts';
import { consequencesOf } from './refund-consequences.ts';
import { RefundForm, type RefundWish } from './refund-form.tsx';

type RefundDialogProps = { ledger: PaymentLedger; open: boolean; onClose: () => void };

/** Refunds money in two steps: the form, then its consequences to confirm. */
export const RefundDialog = ({ ledger, open, onClose }: RefundDialogProps) => (
  <Dialog open={open} onClose={onClose} title={`Refund ${ledger.payer.name}`}>
    <Steps ledger={ledger} onClose={onClose} />
  </Dialog>
);

function Steps({ ledger, onClose }: Omit<RefundDialogProps, 'open'>) {
  // One idempotency key for all attempts.
  const [requestId] = useState(() => crypto.randomUUID());
  const [wish, setWish] = useState<RefundWish>();
  const [isSure, setSure] = useState(false);
  if (!wish || !isSure) {
    return (
      <RefundForm
        ledger={ledger}
        start={wish}
        onDone={(next) => {
          setWish(next);
          setSure(true);
        }}
      />
    );
  }
  return <Confirm ledger={ledger} wish={wish} requestId={requestId} onBack={() => setSure(false)} onDone={onClose} />;
}

type ConfirmProps = { ledger: PaymentLedger; wish: RefundWish; requestId: string; onBack: () => void; onDone: () => void };

function Confirm({ ledger, wish, requestId, onBack, onDone }: ConfirmProps) {
  const refund = useRefund();
  const heading = useRef<HTMLHeadingElement>(null);
  const [attempt, setAttempt] = useState(0);
  useEffect(() => heading.current?.focus(), []);
  const { amountMinor, reason, keep, fraud, transferred } = wish;
  const sum = money(amountMinor, ledger.currency);
  const send = () =>
    refund.mutate(
      { params: { id: ledger._id }, body: { amountMinor, reason, keep, fraud, transferred, requestId } },
      { onSuccess: onDone, onError: () => setAttempt((before) => before + 1) },
    );
  return (
    <div className={styles.form}>
      <ErrorSummary message={refund.error?.message} attempt={attempt} />
      <h3 ref={heading} tabIndex={-1}>
        What this will do
      </h3>
      <ul className={admin.lines}>
        {consequencesOf(ledger, wish).map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
      </ul>
      <Preview
        by={ledger.payer.name}
        notice={amountMinor === ledger.capturedMinor ? `Your payment of ${sum} is going back` : `${sum} of your payment is going back`}
        title={`Your payment for the ${ledger.planName} plan`}
        reason={reason}
      />
      <div className={admin.actions}>
        <Button kind="secondary" onClick={onBack}>
          Change it
        </Button>
        <Button kind="danger" busy={refund.isPending} onClick={send}>
          {refund.isPending ? 'Sending…' : transferred ? `Book ${sum} as paid back` : `Send ${sum} back`}
        </Button>
      </div>
    </div>
  );
}
