import { type BillingDetails, billingCountries, billingDetails, defaultBillingCountry } from '@handwise/contract/payments/calls';
import { SelectField, TextField } from '../../../ui/forms/form-field.tsx';
import styles from './billing-fields.module.css';

/** For forms: every field exists, even if empty. */
export const billingForm = billingDetails.required();

export const noBilling: BillingDetails = { name: '', email: '', line1: '', city: '', postalCode: '', country: defaultBillingCountry };

type BillingFieldsProps = {
  /** From `useCheckedForm`: the properties of a field by its name. */
  field: (name: keyof BillingDetails) => Omit<React.ComponentProps<'input'> & React.ComponentProps<'select'>, 'ref'> & {
    name: string;
    ref: React.RefCallback<HTMLElement>;
    error: string | undefined;
  };
};

const addressParts = ['line1', 'city', 'postalCode', 'country'] as const;

/** The cardholder's name and billing address. */
export const BillingFields = ({ field }: BillingFieldsProps) => (
  <>
    <TextField label="Name on card" autoComplete="cc-name" {...field('name')} />
    <TextField label="Email" type="email" inputMode="email" autoComplete="email" hint="Receipts go there." {...field('email')} />
    {/* Open if one of its fields has an error, so that the field can be reached. */}
    <details className={styles.address} open={addressParts.some((name) => field(name).error) || undefined}>
      <summary>Billing address (optional)</summary>
      <div className={styles.parts}>
        <TextField label="Street address" optional autoComplete="billing address-line1" {...field('line1')} />
        <div className={styles.pair}>
          <TextField label="City" optional autoComplete="billing address-level2" {...field('city')} />
          <TextField label="Postcode" optional autoComplete="billing postal-code" {...field('postalCode')} />
        </div>
        <SelectField label="Country" autoComplete="billing country" {...field('country')}>
          {Object.entries(billingCountries).map(([code, name]) => (
            <option key={code} value={code}>
              {name}
            </option>
          ))}
        </SelectField>
      </div>
    </details>
  </>
);

/** A card is stored only if the holder ticks this. */
export const SaveCardBox = ({
  checked,
  disabled,
  onChange,
}: {
  checked: boolean;
  disabled: boolean;
  onChange: (checked: boolean) => void;
}) => (
  <label className={styles.save}>
    <input type="checkbox" checked={checked} disabled={disabled} onChange={(event) => onChange(event.target.checked)} />
    <span>Save this card for next time</span>
  </label>
);
