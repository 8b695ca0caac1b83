import type { SessionUser } from '@handwise/contract/accounts/calls';
import { useState } from 'react';
import { newTicketKey, ownReferralCodeKey, writeStored } from '../../lib/browser-storage.ts';
import { RegisterForm } from '../accounts/register-form.tsx';
import { requireValidCode, useReferralCheck, type ReferralCheck } from './use-referral-check.ts';
import styles from './sign-up.module.css';

type SignUpProps = {
  /** Of the link that brought the visitor here. */
  referralCode?: string;
  email?: string;
  onSignedUp: (user: SessionUser) => void;
};

/** The form that makes an account, with what is known of the referral code typed into it. */
export function SignUp({ referralCode = '', email, onSignedUp }: SignUpProps) {
  const [typedCode, setTypedCode] = useState<string>();
  const check = useReferralCheck(typedCode ?? referralCode);
  return (
    <RegisterForm
      referralCode={referralCode}
      {...(email !== undefined && { email })}
      referral={{ status: <ReferralStatus check={check} />, requireValid: (typed) => requireValidCode(typed, check) }}
      onReferralCode={setTypedCode}
      onRegistered={(user, usedValidCode) => {
        writeStored(ownReferralCodeKey, user.referralCode);
        if (usedValidCode) writeStored(newTicketKey, 'true');
        onSignedUp(user);
      }}
    />
  );
}

type Said = { text: string; more?: string };

const texts: Record<ReferralCheck, Said> = {
  empty: { text: '' },
  checking: { text: 'Checking code...' },
  valid: { text: "Valid code! You'll receive 1 draw ticket.", more: 'If you list a business, your first month is free too.' },
  invalid: { text: 'Invalid referral code.', more: 'Correct it, or leave the field empty.' },
  failed: { text: 'Error validating code. Please try again.' },
};

/** What is known of the typed code, read out as it changes. */
export const ReferralStatus = ({ check }: { check: ReferralCheck }) => (
  <div className={styles.status} data-check={check} role="status">
    <p>{texts[check].text}</p>
    {texts[check].more !== undefined && <p>{texts[check].more}</p>}
  </div>
);
