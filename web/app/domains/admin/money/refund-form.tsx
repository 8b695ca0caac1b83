import { type PaymentLedger, refundPayment } from '@handwise/contract/admin/payments';
import { money } from '@handwise/contract/money';
import { useState } from 'react';
import { z } from 'zod';
import { useCheckedForm } from '../../../lib/forms/checked-form.ts';
import { Button } from '../../../ui/forms/button.tsx';
import { ErrorSummary } from '../../../ui/forms/error-summary.tsx';
import { TextArea, TextField } from '../../../ui/forms/form-field.tsx';
import styles from '../desk/case.module.css';
import { Choices } from '../desk/decision-form.tsx';
import { centsOf, type HowMuch, leftOf, mustTransfer, type RefundChoice, takesAll } from './refund-consequences.ts';

export type RefundWish = RefundChoice & { howMuch: HowMuch; reason: string };

type RefundFormProps = { ledger: PaymentLedger; start: RefundWish | undefined; onDone: (wish: RefundWish) => void };

type Typed = { amount: string; reason: string };

/** The part's amount is typed in dollars; it is at most what is left. */
const schemaFor = (howMuch: HowMuch, most: number, currency: string) =>
  z.object({ amount: z.string(), reason: refundPayment.body.shape.reason }).check(({ value, issues }) => {
    if (howMuch !== 'part') return;
    const cents = centsOf(value.amount);
    const wrong =
      cents === undefined || cents === 0
        ? 'Use dollars and cents, such as 12.50'
        : cents > most
          ? `At most ${money(most, currency)} is left`
          : undefined;
    if (wrong) issues.push({ code: 'custom', input: value, path: ['amount'], message: wrong });
  });

/** The refund's amount, method and reason, and what happens to the plan. */
export function RefundForm({ ledger, start, onDone }: RefundFormProps) {
  const { owedMinor, currency, payer, bought } = ledger;
  const left = leftOf(ledger);
  const [howMuch, setHowMuch] = useState<HowMuch>(start?.howMuch ?? (owedMinor > 0 ? 'owed' : 'all'));
  const [way, setWay] = useState(start?.transferred || mustTransfer(ledger) ? 'transfer' : 'card');
  const [keep, setKeep] = useState(start?.keep ?? false);
  const [fraud, setFraud] = useState(start?.fraud ?? false);
  const [typed, setTyped] = useState<Typed>();
  const amountOf = ({ amount }: Pick<Typed, 'amount'>) =>
    howMuch === 'owed' ? owedMinor : howMuch === 'all' ? left : (centsOf(amount) ?? 0);
  const { form, field, summary, busy } = useCheckedForm<Typed>({
    name: 'refund',
    schema: schemaFor(howMuch, left, currency),
    start: { amount: start?.howMuch === 'part' ? (start.amountMinor / 100).toFixed(2) : '', reason: start?.reason ?? '' },
    onChange: setTyped,
    send: ({ amount, reason }) => {
      const amountMinor = amountOf({ amount });
      onDone({ howMuch, amountMinor, reason, keep: keep && takesAll(ledger, amountMinor), fraud, transferred: way === 'transfer' });
    },
  });
  const endsPlan = bought !== null && takesAll(ledger, amountOf({ amount: typed?.amount ?? '' }));
  return (
    <form {...form} className={styles.form}>
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
        <Check checked={keep} onChange={setKeep}>
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
  <label className={styles.choice}>
    <input type="checkbox" checked={checked} onChange={(event) => onChange(event.target.checked)} />
    <span>{children}</span>
  </label>
);
