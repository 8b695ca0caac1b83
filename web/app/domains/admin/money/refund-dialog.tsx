import { type PaymentLedger, refundPaymentCall } from '@handwise/contract/admin/payments';
import { money } from '@handwise/contract/money';
import { useEffect, useRef, useState } from 'react';
import { Dialog } from '../../../ui/feedback/dialog.tsx';
import { ErrorSummary } from '../../../ui/forms/error-summary.tsx';
import { Button } from '../../../ui/forms/button.tsx';
import styles from '../desk/admin.module.css';
import caseStyles from '../desk/case.module.css';
import { Preview, Choices } from '../desk/decision-form.tsx';
import { useRefund } from '../desk/admin-queries.ts';
import {
  listConsequences,
  parseCents,
  type HowMuch,
  getRefundableCents,
  mustTransfer,
  type RefundChoice,
  takesAll,
} from './refund-consequences.ts';
import { z } from 'zod';
import { useCheckedForm } from '../../../lib/forms/checked-form.ts';
import { TextArea, TextField } from '../../../ui/forms/form-field.tsx';

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
  const [request, setRequest] = useState<RefundRequest>();
  const [isSure, setSure] = useState(false);
  if (!request || !isSure) {
    return (
      <RefundForm
        ledger={ledger}
        start={request}
        onDone={(next) => {
          setRequest(next);
          setSure(true);
        }}
      />
    );
  }
  return <Confirm ledger={ledger} request={request} requestId={requestId} onBack={() => setSure(false)} onDone={onClose} />;
}

type ConfirmProps = { ledger: PaymentLedger; request: RefundRequest; requestId: string; onBack: () => void; onDone: () => void };

function Confirm({ ledger, request, requestId, onBack, onDone }: ConfirmProps) {
  const refund = useRefund();
  const heading = useRef<HTMLHeadingElement>(null);
  const [attempt, setAttempt] = useState(0);
  useEffect(() => heading.current?.focus(), []);
  const { amountMinor, reason, keep: keepPlan, fraud, transferred } = request;
  const sum = money(amountMinor, ledger.currency);
  const send = () =>
    refund.mutate(
      { params: { id: ledger._id }, body: { amountMinor, reason, keep: keepPlan, fraud, transferred, requestId } },
      { onSuccess: onDone, onError: () => setAttempt((before) => before + 1) },
    );
  return (
    <div className={caseStyles.form}>
      <ErrorSummary message={refund.error?.message} attempt={attempt} />
      <h3 ref={heading} tabIndex={-1}>
        What this will do
      </h3>
      <ul className={styles.lines}>
        {listConsequences(ledger, request).map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
      </ul>
      <Preview
        by={ledger.payer.name}
        notice={amountMinor === ledger.capturedMinor ? `Your payment of ${sum} is going back` : `${sum} of your payment is going back`}
        title={`Your payment for the ${ledger.planName} plan`}
        reason={reason}
      />
      <div className={styles.actions}>
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

type RefundRequest = RefundChoice & { howMuch: HowMuch; reason: string };

type RefundFormProps = { ledger: PaymentLedger; start: RefundRequest | undefined; onDone: (request: RefundRequest) => void };

type Typed = { amount: string; reason: string };

/** The partial amount is typed in dollars; it is at most the rest. */
const schemaFor = (howMuch: HowMuch, most: number, currency: string) =>
  z.object({ amount: z.string(), reason: refundPaymentCall.body.shape.reason }).check(({ value, issues }) => {
    if (howMuch !== 'part') return;
    const cents = parseCents(value.amount);
    const wrong =
      cents === undefined || cents === 0
        ? 'Use dollars and cents, such as 12.50'
        : cents > most
          ? `At most ${money(most, currency)} is left`
          : undefined;
    if (wrong) issues.push({ code: 'custom', input: value, path: ['amount'], message: wrong });
  });

/** The refund's amount, method and reason, and what happens to the plan. `start`: what was chosen before, to be changed. */
export function RefundForm({ ledger, start, onDone }: RefundFormProps) {
  const { owedMinor, currency, payer, bought } = ledger;
  const left = getRefundableCents(ledger);
  const [howMuch, setHowMuch] = useState<HowMuch>(start?.howMuch ?? (owedMinor > 0 ? 'owed' : 'all'));
  const [way, setWay] = useState(start?.transferred || mustTransfer(ledger) ? 'transfer' : 'card');
  const [keepPlan, setKeepPlan] = useState(start?.keep ?? false);
  const [fraud, setFraud] = useState(start?.fraud ?? false);
  const [typed, setTyped] = useState<Typed>();
  const amountOf = ({ amount }: Pick<Typed, 'amount'>) =>
    howMuch === 'owed' ? owedMinor : howMuch === 'all' ? left : (parseCents(amount) ?? 0);
  const { form, field, summary, busy } = useCheckedForm<Typed>({
    name: 'refund',
    schema: schemaFor(howMuch, left, currency),
    start: { amount: start?.howMuch === 'part' ? (start.amountMinor / 100).toFixed(2) : '', reason: start?.reason ?? '' },
    onChange: setTyped,
    send: ({ amount, reason }) => {
      const amountMinor = amountOf({ amount });
      onDone({ howMuch, amountMinor, reason, keep: keepPlan && takesAll(ledger, amountMinor), fraud, transferred: way === 'transfer' });
    },
  });
  const endsPlan = bought !== null && takesAll(ledger, amountOf({ amount: typed?.amount ?? '' }));
  return (
    <form {...form} className={caseStyles.form}>
      <ErrorSummary {...summary} />
      <Choices
        legend="How much should be refunded?"
        options={[
          ...(owedMinor > 0 ? [{ value: 'owed', name: `What we owe: ${money(owedMinor, currency)}` }] : []),
          ...(left > owedMinor ? [{ value: 'all', name: `Everything that is left: ${money(left, currency)}` }] : []),
          { value: 'part', name: 'A part' },
        ]}
        value={howMuch}
        onChange={(value) => setHowMuch(value as HowMuch)}
      />
      {howMuch === 'part' && (
        <TextField
          label={`Amount in ${currency}`}
          inputMode="decimal"
          autoComplete="off"
          hint={`At most ${money(left, currency)}. A partial refund leaves the plan as it is.`}
          {...field('amount')}
        />
      )}
      {!mustTransfer(ledger) && (
        <Choices
          legend="How are you paying it back?"
          options={[
            { value: 'card', name: 'To the card' },
            { value: 'transfer', name: 'I have transferred it to a bank account' },
          ]}
          value={way}
          onChange={setWay}
        />
      )}
      <TextArea label="Reason" rows={3} hint={`${payer.name} will read this, word for word.`} {...field('reason')} />
      {endsPlan && (
        <Check checked={keepPlan} onChange={setKeepPlan}>
          Keep {payer.name}’s plan running, as a gift
        </Check>
      )}
      <Check checked={fraud} onChange={setFraud}>
        The payment was fraudulent: tickets that others got from it become void
      </Check>
      <div>
        <Button type="submit" busy={busy}>
          See what this will do
        </Button>
      </div>
    </form>
  );
}

type CheckProps = { checked: boolean; onChange: (checked: boolean) => void; children: React.ReactNode };

const Check = ({ checked, onChange, children }: CheckProps) => (
  <label className={caseStyles.choice}>
    <input type="checkbox" checked={checked} onChange={(event) => onChange(event.target.checked)} />
    <span>{children}</span>
  </label>
);
