import type { SessionUser } from '@handwise/contract/accounts/calls';
import { useState } from 'react';
import { newTicketKey, ownReferralCodeKey, writeStored } from '../../lib/browser-storage.ts';
import { RegisterForm } from '../accounts/register-form.tsx';
import { ReferralStatus } from './referral-status.tsx';
import { requireValidCode, useReferralCheck } from './use-referral-check.ts';

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
