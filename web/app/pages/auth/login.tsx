import { paths } from '@handwise/contract/paths';
import { Link, useSearchParams } from 'react-router';
import { MessageFirst } from '../../domains/messages/first-message/message-first.tsx';
import { LoginForm } from '../../domains/sign-in/login-form.tsx';
import { QuoteFirst } from '../../domains/messages/quotes/ask/quote-first.tsx';
import { pageMeta } from '../../lib/page-meta.ts';
import { registerPath } from '../../lib/session/redirect.ts';
import { ButtonLink } from '../../ui/forms/button.tsx';
import { FormCard } from '../../ui/forms/form-card.tsx';
import { useVisit } from '../layouts/use-visit.ts';
import { VisitNotice, leadsToWizard, visitReason } from './visit-reason.tsx';
import styles from './login.module.css';
import type { Route } from './+types/login';

export const meta: Route.MetaFunction = ({ matches }) =>
  pageMeta(matches, {
    title: 'Sign in',
    description: 'Sign in to Handwise to search, save and message home and trade pros.',
    path: paths.login,
  });

export default function LoginPage() {
  const { target, continuesListing } = useVisit();
  const [search] = useSearchParams();
  return (
    <FormCard
      title="Sign in"
      intro={
        <p>
          New to Handwise? <Link to={target === paths.browse ? paths.register : registerPath(target)}>Register now</Link>
        </p>
      }
    >
      <VisitNotice
        reason={visitReason(target)}
        saved={leadsToWizard(target) ? 'Your listing is saved. After signing in you will be redirected back to complete it.' : null}
        isSaved={continuesListing}
      />
      {search.get('redirect') === paths.browse && <WhatIsBehind />}
      <MessageFirst target={target} />
      <QuoteFirst target={target} />
      <LoginForm />
      <p>
        <Link to={paths.forgotPassword} className={styles.forgot}>
          Forgot password?
        </Link>
      </p>
    </FormCard>
  );
}

/** For newcomers from the front page, whose link to the pros near them leads here. */
const WhatIsBehind = () => (
  <div className={styles.behind}>
    <p>
      Members browse the pros near them by trade and place, save the ones they like and message them for free. Signing up takes a minute and
      costs nothing.
    </p>
    <ButtonLink to={paths.register} wide>
      Create a free account
    </ButtonLink>
    <p>
      Just looking? <Link to={paths.search}>Search without an account</Link>
    </p>
    <h2 className={styles.or}>Already a member?</h2>
  </div>
);
