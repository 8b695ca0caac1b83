import type { ComponentProps } from 'react';
import { TextField } from '../../../ui/forms/form-field.tsx';

type FieldProps = Omit<ComponentProps<typeof TextField>, 'label' | 'type' | 'hint'>;

/** How customers reach the business. */
export const BusinessContactFields = ({ email, phone }: { email: FieldProps; phone: FieldProps }) => (
  <>
    <TextField
      label="Business email"
      type="email"
      inputMode="email"
      autoComplete="email"
      hint="For messages from customers. It is never shown. We send a link there to confirm it; until then emails go to your account’s address."
      {...email}
    />
    <TextField
      label="Business phone"
      optional
      type="tel"
      inputMode="tel"
      autoComplete="tel"
      hint="Visitors see it after they press Show number, and you see how many did. Search engines don’t get it."
      {...phone}
    />
  </>
);
