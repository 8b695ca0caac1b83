import { site } from '@handwise/contract/site/site';
import { paths } from '@handwise/contract/paths';
import { Link, useSearchParams } from 'react-router';
import { MessageFirst } from '../../domains/messages/first-message/message-first.tsx';
import { findMessagedListing } from '../../domains/messages/first-message/pending-message.ts';
import { QuoteRequestFirst } from '../../domains/messages/quote-requests/form/quote-request-first.tsx';
import { pageMeta } from '../../lib/page-meta.ts';
import type { PageHandle } from '../../lib/root-data.ts';
import { getRegisterPath, getSafeRedirect } from '../../lib/session/redirect.ts';
import { ButtonLink, Button } from '../../ui/forms/button.tsx';
import { FormCard } from '../../ui/forms/form-card.tsx';
import { SignUpCard, signsInParameter } from './sign-up-card.tsx';
import { useVisit, VisitNotice, leadsToWizard, getVisitReason } from './visit-reason.tsx';
import styles from './login.module.css';
import type { Route } from './+types/login';
import type { PasskeyAnswer } from '@handwise/contract/sign-in/passkeys';
import { loginForm } from '@handwise/contract/sign-in/calls';
import { useEffect, useRef } from 'react';
import { ApiError } from '../../lib/api-error.ts';
import { call } from '../../lib/api.ts';
import { useCheckedForm } from '../../lib/forms/checked-form.ts';
import { getDeviceHeaders } from '../../lib/session/device.ts';
import { toast } from '../../ui/feedback/toast.tsx';
import { ErrorSummary } from '../../ui/forms/error-summary.tsx';
import { PasswordField, TextField } from '../../ui/forms/form-field.tsx';
import { endOffer, offerPasskeys, PasskeyButton } from '../../domains/sign-in/passkey-browser.tsx';
import { useSignUpReferral } from '../../domains/referrals/sign-up.tsx';
import { ProviderButtons } from '../../domains/sign-in/provider-buttons.tsx';
import { SecondStepForm, useSignedIn } from '../../domains/sign-in/second-step-form.tsx';

/** Whoever writes to a business as a stranger has no account, most likely, so signing up comes first. */
const comesToSignUp = (target: string, search: URLSearchParams) => findMessagedListing(target) !== null && !search.has(signsInParameter);

export const handle: PageHandle = { reads: [signsInParameter] };

export const meta: Route.MetaFunction = ({ matches, location }) => {
  const search = new URLSearchParams(location.search);
  return pageMeta(matches, {
    title: comesToSignUp(getSafeRedirect(search.get('redirect')), search) ? 'Create an account' : 'Sign in',
    description: `Sign in to ${site.name} to search, save and message home and trade pros.`,
    path: paths.login,
  });
};

export default function LoginPage() {
  const { target, continuesListing } = useVisit();
  const [search] = useSearchParams();
  if (comesToSignUp(target, search)) return <SignUpCard />;
  return (
    <FormCard
      title="Sign in"
      intro={
        <p>
          New to {site.name}? <Link to={target === paths.browse ? paths.register : getRegisterPath(target)}>Register now</Link>
        </p>
      }
    >
      <VisitNotice
        reason={getVisitReason(target)}
        saved={leadsToWizard(target) ? 'Your listing is saved. After signing in you will be redirected back to complete it.' : null}
        isSaved={continuesListing}
      />
      {search.get('redirect') === paths.browse && <WhatIsBehind />}
      <MessageFirst target={target} />
      <QuoteRequestFirst target={target} />
      <ReferredProviderButtons target={target} />
      <LoginForm />
    </FormCard>
  );
}

/** Somebody new signs up here too, with the code of the link that they followed. */
function ReferredProviderButtons({ target }: { target: string }) {
  const { usableCode, check } = useSignUpReferral();
  return <ProviderButtons target={target} referralCode={usableCode} isValid={check === 'valid'} />;
}

/** What members can do, for visitors whom /home sent here. */
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

/** Signs in. The layout redirects as soon as there is a user. */
function LoginForm() {
  const { secondStep, proceed, startAgain } = useSignedIn();
  const { form, field, summary, busy } = useCheckedForm({
    name: 'sign-in',
    schema: loginForm,
    start: { email: '', password: '' },
    send: async (values) => {
      proceed(await call('POST /auth/login', { headers: getDeviceHeaders(), body: values }));
    },
  });
  const signIn = async (answer: PasskeyAnswer) =>
    proceed(await call('POST /auth/login/passkey', { headers: getDeviceHeaders(), body: { answer } }));
  useOfferedPasskeys(signIn);
  if (secondStep) return <SecondStepForm step={secondStep} onSession={proceed} onStartAgain={startAgain} />;
  return (
    <form {...form}>
      <ErrorSummary {...summary} />
      <TextField label="Email" type="email" autoComplete="username webauthn" inputMode="email" {...field('email')} />
      <PasswordField label="Password" autoComplete="current-password" {...field('password')} />
      <Button type="submit" busy={busy} wide>
        {busy ? 'Signing in...' : 'Sign in'}
      </Button>
      <p>
        <Link to={paths.forgotPassword} className={styles.forgot}>
          Forgot password?
        </Link>
      </p>
      {/* Last, because it appears once the browser has said that it has passkeys. */}
      <PasskeyButton label="Sign in with a passkey" loadOptions={() => call('POST /auth/login/passkey/options', {})} onAnswer={signIn} />
    </form>
  );
}

/** Offers the user's passkeys in the browser's autofill. */
function useOfferedPasskeys(signIn: (answer: PasskeyAnswer) => Promise<void>) {
  const latest = useRef(signIn);
  useEffect(() => {
    latest.current = signIn;
  });
  useEffect(() => {
    if (!('PublicKeyCredential' in globalThis)) return;
    let isHere = true;
    void offerPasskeys(() => call('POST /auth/login/passkey/options', {}))
      // Those who did not choose a passkey have the form.
      .catch(() => undefined)
      .then((answer) => (answer && isHere ? latest.current({ ...answer, clientExtensionResults: {} }) : undefined))
      .catch((error: unknown) => error instanceof ApiError && toast(error.message, 'error'));
    return () => {
      isHere = false;
      void endOffer();
    };
  }, []);
}
