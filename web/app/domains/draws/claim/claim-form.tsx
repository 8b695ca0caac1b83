import { readAccountNumber } from '@handwise/contract/draws/account-number';
import { claimFieldMissing, submitPaymentDetailsCall, type WonDraw } from '@handwise/contract/draws/calls';
import { formatOpening, type Home, homes } from '@handwise/contract/draws/permits';
import { prizeCurrencies, type PrizeCurrency } from '@handwise/contract/draws/prize';
import { useState } from 'react';
import { z } from 'zod';
import { useCheckedForm } from '../../../lib/forms/checked-form.ts';
import { toast } from '../../../ui/feedback/toast.tsx';
import { Button } from '../../../ui/forms/button.tsx';
import { ErrorSummary } from '../../../ui/forms/error-summary.tsx';
import { SelectField, TextField } from '../../../ui/forms/form-field.tsx';
import styles from './claim-prize.module.css';
import { claimFailure } from './claim-view.ts';
import { useClaim } from './claim-queries.ts';

type Values = { bankName: string; accountHolder: string; accountNumber: string; currency: PrizeCurrency; livesIn: Home | '' };

const currencyNames: Record<PrizeCurrency, string> = { NZD: 'New Zealand dollars (NZD)', AUD: 'Australian dollars (AUD)' };
const hints: Record<PrizeCurrency, string> = {
  NZD: 'Bank, branch, account and suffix, like 12-3456-0123459-00.',
  AUD: 'BSB and account number, like 062-000 12345678.',
};

const { shape } = submitPaymentDetailsCall.body;
// The contract's fields, and the account number in the format of the currency's banks.
const schema = z.object({ ...shape, currency: shape.currency.unwrap(), livesIn: z.custom<Home | ''>() }).transform((values, context) => {
  const read = readAccountNumber(values.accountNumber, values.currency);
  if ('number' in read) return { ...values, accountNumber: read.number };
  context.addIssue({ code: 'custom', path: ['accountNumber'], message: read.problem });
  return values;
});

/** The form for the account that the prize is paid into. */
export function ClaimForm({ draw }: { draw: WonDraw }) {
  const claim = useClaim();
  const [currency, setCurrency] = useState<PrizeCurrency>(draw.currency);
  const { form, field, summary, busy } = useCheckedForm<Values>({
    name: 'claim',
    schema,
    start: { bankName: '', accountHolder: '', accountNumber: '', currency: draw.currency, livesIn: '' },
    send: async ({ livesIn, ...details }) => {
      const body = { ...details, ...(livesIn !== '' && { livesIn }) };
      try {
        await claim.mutateAsync({ body });
        toast('Payment details submitted successfully');
      } catch (error) {
        throw claimFailure(error);
      }
    },
    onInvalid: (messages) => messages.includes(claimFieldMissing) && toast(claimFieldMissing, 'error'),
    onChange: (values) => setCurrency(values.currency),
  });
  const empty = summary.fields.filter(({ message }) => message === claimFieldMissing);
  return (
    <form {...form}>
      <ErrorSummary
        {...summary}
        message={summary.message ?? (empty.length > 0 ? claimFieldMissing : undefined)}
        fields={summary.fields.filter((one) => !empty.includes(one))}
      />
      <fieldset className={styles.fields} disabled={busy}>
        <TextField label="Bank Name" autoComplete="off" maxLength={100} {...field('bankName')} />
        <TextField label="Account Holder Name" autoComplete="name" maxLength={100} {...field('accountHolder')} />
        <SelectField label="Currency of the account" hint="The prize is paid in it." {...field('currency')}>
          {prizeCurrencies.map((one) => (
            <option key={one} value={one}>
              {currencyNames[one]}
            </option>
          ))}
        </SelectField>
        <TextField
          label="Account Number"
          inputMode="text"
          autoComplete="off"
          spellCheck={false}
          maxLength={40}
          hint={`${hints[currency]} Your account information is encrypted and secure.`}
          {...field('accountNumber')}
        />
        {draw.leftOut.length > 0 && (
          <SelectField label="Where do you live?" hint={formatOpening({ permits: [], leftOut: draw.leftOut })} {...field('livesIn')}>
            <option value="">Choose</option>
            {Object.entries(homes).map(([place, name]) => (
              <option key={place} value={place}>
                {name}
              </option>
            ))}
          </SelectField>
        )}
      </fieldset>
      <Button type="submit" wide busy={busy}>
        {busy ? 'Submitting...' : 'Submit Payment Details'}
      </Button>
    </form>
  );
}
