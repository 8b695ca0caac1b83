import type { SessionUser } from '@handwise/contract/accounts';
import { useState } from 'react';
import { flushSync } from 'react-dom';
import { Link, Navigate, useLocation, useSearchParams } from 'react-router';
import { RegisterForm } from '../../domains/accounts/register-form.tsx';
import { ReferralStatus } from '../../domains/referrals/referral-status.tsx';
import { useReferralCheck } from '../../domains/referrals/use-referral-check.ts';
import { hasListingDraft, newTicketKey, ownReferralCodeKey, writeStored } from '../../lib/browser-storage.ts';
import { pageMeta } from '../../lib/page-meta.ts';
import { safeRedirect } from '../../lib/redirect.ts';
import { setUser, useSession } from '../../lib/session.ts';
import { FormCard } from '../../ui/forms/form-card.tsx';
import { Notice } from '../../ui/feedback/notice.tsx';
import type { Route } from './+types/register';

export const meta: Route.MetaFunction = ({ matches }) =>
  pageMeta(matches, {
    title: 'Create an account',
    description: 'Join Handwise for free: message home and trade pros, save listings, or list your own business.',
    path: '/auth/register',
  });

export default function RegisterPage() {
  const { user, initialized } = useSession();
  const [search] = useSearchParams();
  const { state } = useLocation() as { state: { returnTo?: unknown } | null };
  const [next, setNext] = useState('/home');
  const [typedCode, setTypedCode] = useState<string>();
  // The page is kept for everybody and knows no parameters: the code of the link is filled in by the browser.
  const linkedCode = initialized ? (search.get('ref') ?? '') : '';
  const check = useReferralCheck(typedCode ?? linkedCode);

  const asked = search.get('redirect') ?? (typeof state?.returnTo === 'string' ? state.returnTo : null);
  const continuesListing = initialized && safeRedirect(asked).startsWith('/addList') && hasListingDraft();
  if (user) return <Navigate to={next} replace />;

  function registered(newUser: SessionUser, usedValidCode: boolean) {
    writeStored(ownReferralCodeKey, newUser.referralCode);
    if (usedValidCode) writeStored(newTicketKey, 'true');
    // Storing the user leaves this page at once: where to must be known before.
    flushSync(() => setNext(continuesListing ? safeRedirect(asked) : '/auth/signup-success'));
    setUser(newUser);
  }
  return (
    <FormCard
      title="Create an Account"
      intro={
        <p>
          <Link to={asked ? `/auth/login?redirect=${encodeURIComponent(safeRedirect(asked))}` : '/auth/login'}>
            Already have an account?
          </Link>
        </p>
      }
    >
      {continuesListing && (
        <Notice kind="success">Your listing is saved. After signing up you will be redirected back to complete it.</Notice>
      )}
      <RegisterForm
        referralCode={linkedCode}
        referral={{ valid: check === 'valid', status: <ReferralStatus check={check} /> }}
        onReferralCode={setTypedCode}
        onRegistered={registered}
      />
    </FormCard>
  );
}
