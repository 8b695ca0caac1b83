import type { SessionUser } from '@handwise/contract/accounts/calls';
import { paths } from '@handwise/contract/paths';
import { flushSync } from 'react-dom';
import { Link, useLocation } from 'react-router';
import { MessageFirst } from '../../domains/messages/first-message/message-first.tsx';
import { findMessagedListing } from '../../domains/messages/first-message/pending-message.ts';
import { QuoteRequestFirst } from '../../domains/messages/quote-requests/form/quote-request-first.tsx';
import { ProviderButtons } from '../../domains/sign-in/provider-buttons.tsx';
import { SignUp, useSignUpReferral } from '../../domains/referrals/sign-up.tsx';
import { getLoginPath, type RegisterState, signupSuccessPath } from '../../lib/session/redirect.ts';
import { setUser, useSession } from '../../lib/session/session.ts';
import { FormCard } from '../../ui/forms/form-card.tsx';
import { leadsOnward } from './onward.ts';
import { leadsToWizard, useVisit, VisitNotice } from './visit-reason.tsx';

/** The parameter of the sign-in page that shows its form where signing up comes first. */
export const signsInParameter = 'sign-in';

/** Signing up, after what the visitor has begun. */
export function SignUpCard() {
  const { target, continuesListing, leadTo } = useVisit();
  const { initialized } = useSession();
  const state = useLocation().state as RegisterState | null;
  const referral = useSignUpReferral();
  // The browser fills in the invited address, because the page is cached for everyone.
  const email = (initialized && state?.email) || '';
  const messaged = findMessagedListing(target);

  function signedUp(newUser: SessionUser) {
    flushSync(() => leadTo(leadsOnward(target) ? target : signupSuccessPath(target)));
    setUser(newUser);
  }
  const signIn = target === paths.browse ? paths.login : getLoginPath(target);
  return (
    <FormCard
      title="Create an Account"
      intro={
        <p>
          <Link to={messaged === null ? signIn : `${signIn}&${signsInParameter}`}>Already have an account?</Link>
        </p>
      }
    >
      <VisitNotice
        reason={leadsToWizard(target) ? 'You need a free account to publish your listing.' : null}
        saved={leadsToWizard(target) ? 'Your listing is saved. After signing up you will be redirected back to complete it.' : null}
        isSaved={continuesListing}
      />
      <MessageFirst target={target} />
      <QuoteRequestFirst target={target} />
      <ProviderButtons target={target} referralCode={referral.usableCode} isValid={referral.check === 'valid'} />
      <SignUp email={email} referral={referral} onSignedUp={signedUp} />
    </FormCard>
  );
}
