import type { SessionUser } from '@handwise/contract/accounts/calls';
import { paths } from '@handwise/contract/paths';
import { flushSync } from 'react-dom';
import { Link, useLocation } from 'react-router';
import { MessageFirst } from '../../domains/messages/first-message/message-first.tsx';
import { findMessagedListing, hasPendingMessage } from '../../domains/messages/first-message/pending-message.ts';
import { SignUp } from '../../domains/referrals/sign-up.tsx';
import { hasPendingQuotes, leadsToSending } from '../../domains/messages/quotes/ask/quote-draft.ts';
import { QuoteFirst } from '../../domains/messages/quotes/ask/quote-first.tsx';
import { pageMeta } from '../../lib/page-meta.ts';
import { getLoginPath, type RegisterState, signupSuccessPath } from '../../lib/session/redirect.ts';
import { setUser, useSession } from '../../lib/session/session.ts';
import { FormCard } from '../../ui/forms/form-card.tsx';
import { useVisit, VisitNotice, leadsToWizard } from './visit-reason.tsx';
import type { Route } from './+types/register';

export const meta: Route.MetaFunction = ({ matches }) =>
  pageMeta(matches, {
    title: 'Create an account',
    description: 'Join Handwise for free: message home and trade pros, save listings, or list your own business.',
    path: paths.register,
  });

export default function RegisterPage() {
  const { target, continuesListing, leadTo } = useVisit();
  const { initialized } = useSession();
  const state = useLocation().state as RegisterState | null;
  // The browser fills in the invited address, because the page is cached for everyone.
  const email = (initialized && state?.email) || '';

  function signedUp(newUser: SessionUser) {
    const messaged = findMessagedListing(target);
    const continues =
      continuesListing || (messaged !== null && hasPendingMessage(messaged)) || (leadsToSending(target) && hasPendingQuotes());
    flushSync(() => leadTo(continues ? target : signupSuccessPath(target)));
    setUser(newUser);
  }
  return (
    <FormCard
      title="Create an Account"
      intro={
        <p>
          <Link to={target === paths.browse ? paths.login : getLoginPath(target)}>Already have an account?</Link>
        </p>
      }
    >
      <VisitNotice
        reason={leadsToWizard(target) ? 'You need a free account to publish your listing.' : null}
        saved={leadsToWizard(target) ? 'Your listing is saved. After signing up you will be redirected back to complete it.' : null}
        isSaved={continuesListing}
      />
      <MessageFirst target={target} />
      <QuoteFirst target={target} />
      <SignUp email={email} onSignedUp={signedUp} />
    </FormCard>
  );
}
