import { type ProviderName, providerNames } from '@handwise/contract/accounts/provider-names';
import type { CallOutput } from '@handwise/contract/call';
import { paths } from '@handwise/contract/paths';
import type { finishProviderSignIn, nameProviderAccount } from '@handwise/contract/sign-in/providers';
import { lazy, Suspense, useEffect, useRef, useState } from 'react';
import { useNavigate } from 'react-router';
import { ApiError } from '../../lib/api-error.ts';
import { call } from '../../lib/api.ts';
import {
  linkedReferralCodeKey,
  newTicketKey,
  ownReferralCodeKey,
  readStored,
  removeStored,
  writeStored,
} from '../../lib/browser-storage.ts';
import { LoadingView } from '../../lib/loading-view.tsx';
import { pageMeta } from '../../lib/page-meta.ts';
import { getDeviceHeaders, saveDevice } from '../../lib/session/device.ts';
import { getLoginPath, getRegisterPath, getSafeRedirect, signupSuccessPath } from '../../lib/session/redirect.ts';
import { setUser } from '../../lib/session/session.ts';
import { readUser } from '../../lib/session/stored-user.ts';
import { Notice } from '../../ui/feedback/notice.tsx';
import { toast } from '../../ui/feedback/toast.tsx';
import { ButtonLink } from '../../ui/forms/button.tsx';
import { FormCard } from '../../ui/forms/form-card.tsx';
import styles from './provider-return.module.css';
import { SecondStepForm } from '../../domains/sign-in/second-step-form.tsx';
import { leadsOnward } from './onward.ts';
import type { Route } from './+types/provider-return';

const ProviderNameForm = lazy(async () => ({ default: (await import('../../domains/sign-in/provider-name-form.tsx')).ProviderNameForm }));
const ConnectProvider = lazy(async () => ({ default: (await import('../../domains/sign-in/connect-provider.tsx')).ConnectProvider }));

export const meta: Route.MetaFunction = ({ matches }) =>
  pageMeta(matches, { title: 'Signing in', description: 'One moment, please.', path: paths.providerReturn, noIndex: true });

type Finished = CallOutput<typeof finishProviderSignIn>;
type NewSession = CallOutput<typeof nameProviderAccount>;
type Returned = {
  provider: ProviderName;
  state: string;
  code: string;
  iss: string | null;
  name: string | null;
  error: string | null;
  target: string;
};
type Problem = { code: string; message: string };
type Open = { answer: Extract<Finished, { secondStep: unknown } | { nameNeeded: unknown } | { accountExists: unknown }> };
type Link = { token: string };
type Outcome = { to: string } | Problem | Open;
type Shown = (Problem | Open | Link) & { returned: Returned };

const isProvider = (name: string | null): name is ProviderName => name !== null && Object.hasOwn(providerNames, name);

/** What the provider sent, which is then taken out of the address and the history. */
function takeFragment(): Returned {
  const values = new URLSearchParams(location.hash.slice(1));
  history.replaceState(history.state, '', location.pathname + location.search);
  const provider = values.get('provider');
  const error = values.get('error') ?? (values.has('code') && values.has('state') && isProvider(provider) ? null : 'sign_in_over');
  return {
    provider: isProvider(provider) ? provider : 'google',
    state: values.get('state') ?? '',
    code: values.get('code') ?? '',
    iss: values.get('iss'),
    name: values.get('name'),
    error,
    target: getSafeRedirect(values.get('redirect')),
  };
}

const words: Record<string, (name: string) => string> = {
  cancelled: (name) => `You did not continue with ${name}. Nothing was changed.`,
  provider_unavailable: (name) => `${name} is not answering at the moment. Nothing was changed. Please try again, or sign in another way.`,
  provider_not_found: (name) => `Signing in with ${name} is not available here.`,
  too_many_requests: () => 'Too many attempts. Please wait a moment and try again.',
  sign_in_over: () => 'This sign-in took too long or has already been used. Please sign in again.',
};

const otherwise = () => 'This sign-in could not be confirmed. Nothing was changed. Please try again.';

/** Stores the session; returns the page to go on to. */
function enter(session: Omit<NewSession, 'isNew'> & { isNew?: boolean }, target: string): string {
  saveDevice(session.device);
  if (session.isNew) {
    if (readStored(linkedReferralCodeKey)) writeStored(newTicketKey, 'true');
    removeStored(linkedReferralCodeKey);
    writeStored(ownReferralCodeKey, session.data.referralCode);
  }
  const next = session.isNew && !leadsOnward(target) ? signupSuccessPath(target) : target;
  setUser(session.data);
  return next;
}

async function finish({ provider, state, code, iss, name, error, target }: Returned): Promise<Outcome> {
  const isOverForMember = (problem: string) => problem === 'sign_in_over' && readUser() !== null;
  // Somebody who went back in the browser after signing in, or who took too long to connect or confirm.
  const goBack = () => {
    toast(`${providerNames[provider]} has already answered, or it took too long. Nothing was changed.`, 'error');
    return { to: target };
  };
  if (error !== null) {
    return isOverForMember(error)
      ? goBack()
      : { code: error, message: ((Object.hasOwn(words, error) ? words[error] : undefined) ?? otherwise)(providerNames[provider]) };
  }
  const body = {
    provider,
    state,
    code,
    ...(iss !== null && { iss }),
    ...(name !== null && { name }),
    referralCode: readStored(linkedReferralCodeKey),
  };
  try {
    const answer = await call<typeof finishProviderSignIn>(
      { method: 'POST', url: '/auth/with/finish' },
      { headers: getDeviceHeaders(), body },
    );
    if ('data' in answer) return { to: enter(answer, target) };
    if (!('finished' in answer)) return { answer };
    toast(answer.finished === 'connect' ? `${providerNames[provider]} is connected` : 'Thank you. You can go on now.');
    return { to: target };
  } catch (problem) {
    const failed = problem instanceof ApiError ? problem.code : 'internal';
    if (isOverForMember(failed)) return goBack();
    return { code: failed, message: problem instanceof Error ? problem.message : otherwise() };
  }
}

/** Where Google and Apple send the browser back to. It finishes what was begun and goes on to the page that was wanted. */
export default function ProviderReturnPage() {
  const navigate = useNavigate();
  const isStarted = useRef(false);
  const [shown, setShown] = useState<Shown>();
  useEffect(() => {
    // Once, also if React runs the effect twice: the code works once.
    if (isStarted.current) return;
    isStarted.current = true;
    const token = new URLSearchParams(location.search).get('token');
    const returned = takeFragment();
    async function goOn() {
      const outcome = token === null ? await finish(returned) : { token };
      if ('to' in outcome) await navigate(outcome.to, { replace: true });
      else setShown({ ...outcome, returned });
    }
    void goOn();
  }, [navigate]);

  if (!shown) {
    return (
      <FormCard title="Signing in">
        <LoadingView />
      </FormCard>
    );
  }
  const { provider, target } = shown.returned;
  if ('code' in shown) return <Failure code={shown.code} message={shown.message} target={target} />;
  if ('token' in shown) {
    return (
      <Suspense fallback={<LoadingView />}>
        <ConnectProvider token={shown.token} />
      </Suspense>
    );
  }
  const { answer } = shown;
  const goOn = (session: Parameters<typeof enter>[0]) => void navigate(enter(session, target), { replace: true });
  return (
    <Suspense fallback={<LoadingView />}>
      {'secondStep' in answer && (
        <FormCard title="Sign in">
          <SecondStepForm
            step={answer.secondStep}
            onSession={(next) => 'data' in next && goOn(next)}
            onStartAgain={() => void navigate(getLoginPath(target), { replace: true })}
          />
        </FormCard>
      )}
      {'nameNeeded' in answer && (
        <FormCard title="Create an Account">
          <ProviderNameForm {...answer.nameNeeded} referralCode={readStored(linkedReferralCodeKey)} onSession={goOn} />
        </FormCard>
      )}
      {'accountExists' in answer && <AccountExists {...answer.accountExists} name={providerNames[provider]} target={target} />}
    </Suspense>
  );
}

function Failure({ code, message, target }: { code: string; message: string; target: string }) {
  const isSignedIn = readUser() !== null;
  return (
    <FormCard title={code === 'cancelled' ? 'Not signed in' : 'That did not work'}>
      <div role="alert" className={styles.stack}>
        <Notice>{message}</Notice>
      </div>
      <div className={styles.stack}>
        <ButtonLink to={isSignedIn ? target : getLoginPath(target)} wide>
          {isSignedIn ? 'Go back' : 'Back to signing in'}
        </ButtonLink>
        {code === 'provider_address_not_verified' && (
          <ButtonLink to={getRegisterPath(target)} kind="secondary" wide>
            Create an account
          </ButtonLink>
        )}
      </div>
    </FormCard>
  );
}

function AccountExists({ email, isLinkSent, name, target }: { email: string; isLinkSent: boolean; name: string; target: string }) {
  return (
    <FormCard title="You already have an account">
      <div role="status" className={styles.stack}>
        <Notice>
          {isLinkSent ? (
            <>
              {name} is not connected to your account yet. We have sent a link to <strong>{email}</strong> that connects it. Or sign in as
              before and connect {name} under Security.
            </>
          ) : (
            <>
              There is an account with <strong>{email}</strong>, and the address has never been confirmed. Choose a new password by email:
              that makes the account yours. Then you can connect {name} under Security.
            </>
          )}
        </Notice>
      </div>
      <div className={styles.stack}>
        {isLinkSent ? (
          <ButtonLink to={getLoginPath(target)} wide>
            Sign in
          </ButtonLink>
        ) : (
          <ButtonLink to={paths.forgotPassword} wide>
            Choose a password
          </ButtonLink>
        )}
      </div>
    </FormCard>
  );
}
