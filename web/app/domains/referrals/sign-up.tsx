import type { SessionUser } from '@handwise/contract/accounts/calls';
import { cleanReferralCode } from '@handwise/contract/machine-text';
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
  referral: SignUpReferral;
  onSignedUp: (user: SessionUser) => void;
};

/** The registration form, with the state of its referral code. */
export function SignUp({ email, referral: { linkedCode, check, onTyped }, onSignedUp }: SignUpProps) {
  return (
    <RegisterForm
      referralCode={linkedCode}
      {...(email !== undefined && { email })}
      referral={{ status: <ReferralStatus check={check} />, requireValid: (typed) => requireValidCode(typed, check) }}
      onReferralCode={onTyped}
      onRegistered={(user, usedValidCode) => {
        removeStored(linkedReferralCodeKey);
        writeStored(ownReferralCodeKey, user.referralCode);
        if (usedValidCode) writeStored(newTicketKey, 'true');
        onSignedUp(user);
      }}
    />
  );
}

type SignUpReferral = ReturnType<typeof useSignUpReferral>;

/** The referral code of whoever signs up: that of the followed link until the field holds another or none. */
export function useSignUpReferral() {
  const linkedCode = useLinkedCode();
  const [typed, setTyped] = useState<string>();
  const code = typed ?? linkedCode;
  const check = useReferralCheck(code);
  useEffect(() => {
    if (check === 'invalid' && code === linkedCode) removeStored(linkedReferralCodeKey);
  }, [check, code, linkedCode]);
  return {
    linkedCode,
    check,
    onTyped: setTyped,
    /** Empty without one that can count. */
    usableCode: check === 'invalid' ? '' : cleanReferralCode(code),
  };
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
