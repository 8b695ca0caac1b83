import type { OutputOf } from '@handwise/contract/calls';
import { providerNames } from '@handwise/contract/accounts/provider-names';
import { paths } from '@handwise/contract/paths';
import { lazy, Suspense, useEffect, useRef, useState } from 'react';
import { useNavigate } from 'react-router';
import { ApiError } from '../../lib/api-error.ts';
import { call } from '../../lib/api.ts';
import { linkedReferralCodeKey, newTicketKey, ownReferralCodeKey, removeStored, writeStored } from '../../lib/browser-storage.ts';
import { LoadingView } from '../../lib/loading-view.tsx';
import { pageMeta } from '../../lib/page-meta.ts';
import { getDeviceHeaders, saveDevice } from '../../lib/session/device.ts';
import { getLoginPath, getRegisterPath, signupSuccessPath } from '../../lib/session/redirect.ts';
import { setUser } from '../../lib/session/session.ts';
import { readUser } from '../../lib/session/stored-user.ts';
import { Notice } from '../../ui/feedback/notice.tsx';
import { toast } from '../../ui/feedback/toast.tsx';
import { ButtonLink } from '../../ui/forms/button.tsx';
import { FormCard } from '../../ui/forms/form-card.tsx';
import styles from './provider-return.module.css';
import { SecondStepForm } from '../../domains/sign-in/second-step-form.tsx';
import { leadsOnward } from './onward.ts';
import { formatProviderError, type ProviderAnswer, readProviderAnswer } from './provider-answer.ts';
import type { Route } from './+types/provider-return';

const ProviderNameForm = lazy(async () => ({ default: (await import('../../domains/sign-in/provider-name-form.tsx')).ProviderNameForm }));
const ConnectProvider = lazy(async () => ({ default: (await import('../../domains/sign-in/connect-provider.tsx')).ConnectProvider }));

export const meta: Route.MetaFunction = ({ matches }) =>
  pageMeta(matches, { title: 'Signing in', description: 'One moment, please.', path: paths.providerReturn, noIndex: true });

type Finished = OutputOf<'POST /auth/with/finish'>;
type NewSession = OutputOf<'POST /auth/with/name'>;
type Problem = { code: string; message: string };
type Open = { answer: Extract<Finished, { secondStep: unknown } | { nameNeeded: unknown } | { accountExists: unknown }> };
type Link = { token: string };
type Outcome = { to: string } | Problem | Open;
type Shown = (Problem | Open | Link) & { returned: ProviderAnswer };

/** What the provider sent, which is then taken out of the address and the history. */
function takeAnswer(): ProviderAnswer {
  const answer = readProviderAnswer(location.hash);
  history.replaceState(history.state, '', location.pathname + location.search);
  return answer;
}

/** Stores the session; returns the page to go on to. */
function enter(session: Omit<NewSession, 'isNew' | 'isReferred'> & Partial<NewSession>, target: string): string {
  saveDevice(session.device);
  if (session.isNew) {
    if (session.isReferred) writeStored(newTicketKey, 'true');
    removeStored(linkedReferralCodeKey);
    writeStored(ownReferralCodeKey, session.data.referralCode);
  }
  const next = session.isNew && !leadsOnward(target) ? signupSuccessPath(target) : target;
  setUser(session.data);
  return next;
}

async function finish(returned: ProviderAnswer): Promise<Outcome> {
  const { provider, target } = returned;
  const isOverForMember = (problem: string) => problem === 'sign_in_over' && readUser() !== null;
  // Somebody who went back in the browser after signing in, or who took too long to connect or confirm.
  const goBack = () => {
    const name = provider === null ? 'The provider' : providerNames[provider];
    toast(`${name} has already answered, or it took too long. Nothing was changed.`, 'error');
    return { to: target };
  };
  if ('error' in returned) {
    return isOverForMember(returned.error) ? goBack() : { code: returned.error, message: formatProviderError(returned.error, provider) };
  }
  const { state, code, iss, name } = returned;
  const body = { provider: returned.provider, state, code, ...(iss !== null && { iss }), ...(name !== null && { name }) };
  try {
    const answer = await call('POST /auth/with/finish', { headers: getDeviceHeaders(), body });
    if ('data' in answer) return { to: enter(answer, target) };
    if (!('finished' in answer)) return { answer };
    toast(answer.finished === 'connect' ? `${providerNames[returned.provider]} is connected` : 'Thank you. You can go on now.');
    return { to: target };
  } catch (problem) {
    const failed = problem instanceof ApiError ? problem.code : 'internal';
    if (isOverForMember(failed)) return goBack();
    return { code: failed, message: problem instanceof Error ? problem.message : formatProviderError(failed, provider) };
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
    const returned = takeAnswer();
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
          <ProviderNameForm {...answer.nameNeeded} onSession={goOn} />
        </FormCard>
      )}
      {'accountExists' in answer && (
        <AccountExists {...answer.accountExists} name={provider === null ? '' : providerNames[provider]} target={target} />
      )}
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
