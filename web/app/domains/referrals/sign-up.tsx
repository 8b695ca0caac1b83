import type { SessionUser } from '@handwise/contract/accounts/calls';
import { useEffect, useState } from 'react';
import { useSearchParams } from 'react-router';
import {
  linkedReferralCodeKey,
  newTicketKey,
  ownReferralCodeKey,
  readStored,
  removeStored,
  writeStored,
} from '../../lib/browser-storage.ts';
import { useSession } from '../../lib/session/session.ts';
import { RegisterForm } from '../accounts/register-form.tsx';
import { requireValidCode, useReferralCheck, type ReferralCheck } from './use-referral-check.ts';
import styles from './sign-up.module.css';

type SignUpProps = {
  email?: string;
  onSignedUp: (user: SessionUser) => void;
};

/** The registration form, with the state of its referral code. */
export function SignUp({ email, onSignedUp }: SignUpProps) {
  const referralCode = useLinkedCode();
  const [typedCode, setTypedCode] = useState<string>();
  const check = useReferralCheck(typedCode ?? referralCode);
  useEffect(() => {
    if (check === 'invalid' && typedCode === referralCode) removeStored(linkedReferralCodeKey);
  }, [check, typedCode, referralCode]);
  return (
    <RegisterForm
      referralCode={referralCode}
      {...(email !== undefined && { email })}
      referral={{ status: <ReferralStatus check={check} />, requireValid: (typed) => requireValidCode(typed, check) }}
      onReferralCode={setTypedCode}
      onRegistered={(user, usedValidCode) => {
        removeStored(linkedReferralCodeKey);
        writeStored(ownReferralCodeKey, user.referralCode);
        if (usedValidCode) writeStored(newTicketKey, 'true');
        onSignedUp(user);
      }}
    />
  );
}

/** The code of the newest referral link, whatever was opened since. Only the browser knows it, because the pages are cached for everyone. */
function useLinkedCode(): string {
  const { initialized } = useSession();
  const [search] = useSearchParams();
  const followed = search.get('ref');
  useEffect(() => {
    if (followed) writeStored(linkedReferralCodeKey, followed);
  }, [followed]);
  if (!initialized) return '';
  return followed ?? readStored(linkedReferralCodeKey) ?? '';
}

type Text = { text: string; more?: string };

const texts: Record<ReferralCheck, Text> = {
  empty: { text: '' },
  checking: { text: 'Checking code...' },
  valid: { text: "Valid code! You'll receive 1 draw ticket.", more: 'If you list a business, your first month is free too.' },
  invalid: { text: 'Invalid referral code.', more: 'Correct it, or leave the field empty.' },
  failed: { text: 'Error validating code. Please try again.' },
};

/** The state of the typed code, announced as it changes. */
export const ReferralStatus = ({ check }: { check: ReferralCheck }) => (
  <div className={styles.status} data-check={check} role="status">
    <p>{texts[check].text}</p>
    {texts[check].more !== undefined && <p>{texts[check].more}</p>}
  </div>
);
