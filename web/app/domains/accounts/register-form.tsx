import { passwordLength, registerForm, type SessionUser } from '@handwise/contract/accounts/calls';
import { suggestUsername, usernameLength } from '@handwise/contract/accounts/username';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { call } from '../../lib/api.ts';
import { useCheckedForm } from '../../lib/forms/checked-form.ts';
import { getDeviceHeaders, saveDevice } from '../../lib/session/device.ts';
import { Button } from '../../ui/forms/button.tsx';
import { ErrorSummary } from '../../ui/forms/error-summary.tsx';
import { PasswordField, TextField } from '../../ui/forms/form-field.tsx';

type RegisterFormProps = {
  /** From the followed link, which only the browser knows. */
  referralCode: string;
  /** An address that the visitor has typed elsewhere or was invited by. */
  email?: string;
  /**
   * The referral code's state, which another domain determines; the page combines the two. `requireValid` resolves to whether a code is
   * valid, and throws for the field if it is not.
   */
  referral: { status: ReactNode; requireValid: (code: string) => Promise<boolean> };
  onReferralCode: (code: string) => void;
  onRegistered: (user: SessionUser, usedValidCode: boolean) => void;
};

export function RegisterForm({ referralCode, email = '', referral, onReferralCode, onRegistered }: RegisterFormProps) {
  const [digits] = useState(() => 1000 + Math.floor(Math.random() * 9000));
  // The username follows the name until its field is visited: a suggestion under the cursor would mix with what is being typed.
  const suggested = useRef('');
  const isVisited = useRef(false);
  const { form, field, summary, busy, fillIn, choose, getValues, errorOf } = useCheckedForm({
    name: 'sign-up',
    schema: registerForm,
    start: { fullName: '', username: '', email, password: '', referralCode: '' },
    onChange: ({ fullName, username }) => {
      const next = suggestUsername(fullName, digits);
      if (isVisited.current || username !== suggested.current || next === username) return;
      suggested.current = next;
      choose('username', next);
    },
    send: async (values) => {
      const hasValidReferral = await referral.requireValid(values.referralCode ?? '');
      const body = { ...values, referralCode: values.referralCode || null, hasValidReferral };
      const { data, device } = await call('POST /auth/register', { headers: getDeviceHeaders(), body });
      saveDevice(device);
      onRegistered(data, hasValidReferral);
    },
  });
  useEffect(() => {
    if (referralCode) fillIn({ referralCode });
    // Includes what was typed before the script loaded.
    onReferralCode(getValues('referralCode') ?? '');
  }, [referralCode, fillIn, getValues, onReferralCode]);
  useEffect(() => {
    if (email && !getValues('email')) fillIn({ email });
  }, [email, fillIn, getValues]);
  useEffect(() => {
    isVisited.current ||= document.activeElement?.getAttribute('name') === 'username';
    // A name typed before the script loaded has no username yet.
    if (getValues('username') || isVisited.current) return;
    suggested.current = suggestUsername(getValues('fullName'), digits);
    if (suggested.current) choose('username', suggested.current);
  }, [getValues, choose, digits]);

  return (
    <form {...form}>
      <ErrorSummary {...summary} />
      <TextField label="Full name" autoComplete="name" {...field('fullName')} />
      <TextField
        label="Username"
        autoComplete="nickname"
        autoCapitalize="off"
        spellCheck={false}
        hint={`${usernameLength.min} to ${usernameLength.max} letters, numbers or underscores. Change it now if you like: it cannot be changed later.`}
        onFocus={({ target }) => {
          isVisited.current = true;
          // What is typed replaces a suggestion as a whole.
          if (target.value === suggested.current) target.select();
        }}
        {...field('username')}
      />
      <TextField label="Email" type="email" autoComplete="email" inputMode="email" {...field('email')} />
      <PasswordField
        label="Password"
        autoComplete="new-password"
        hint={`At least ${passwordLength.min} characters.`}
        {...field('password')}
      />
      <TextField
        label="Referral code"
        optional
        autoComplete="off"
        autoCapitalize="characters"
        spellCheck={false}
        hint="Got a code from a friend? Enter it for a draw ticket. They’ll see your full name, username and email address."
        // The field's own error says the same.
        after={errorOf('referralCode') === undefined && referral.status}
        {...field('referralCode', (event) => onReferralCode(event.target.value))}
      />
      <Button type="submit" busy={busy} wide>
        {busy ? 'Creating your account...' : 'Create account'}
      </Button>
    </form>
  );
}
