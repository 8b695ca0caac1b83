import { paths } from '@handwise/contract/paths';
import { pageMeta } from '../../lib/page-meta.ts';
import type { Route } from './+types/account-security';
import { useQuery } from '@tanstack/react-query';
import { ErrorDisplay } from '../../ui/feedback/error-display.tsx';
import { Skeleton } from '../../ui/feedback/skeleton.tsx';
import { ButtonLink } from '../../ui/forms/button.tsx';
import { useSession } from '../../lib/session/session.ts';
import { Notice } from '../../ui/feedback/notice.tsx';
import { ResendConfirmation } from '../../domains/accounts/resend-confirmation.tsx';
import { ConnectedAccounts } from '../../domains/sign-in/connected-accounts.tsx';
import { Authenticator } from '../../domains/sign-in/authenticator.tsx';
import { Passkeys } from '../../domains/sign-in/passkeys.tsx';
import { Sessions, ownSecurity } from '../../domains/sign-in/sessions.tsx';
import styles from '../../domains/sign-in/security.module.css';

export const meta: Route.MetaFunction = ({ matches }) =>
  pageMeta(matches, {
    title: 'Security',
    description: 'Where you are signed in, and how.',
    path: paths.security,
    noIndex: true,
  });

export default function AccountSecurityPage() {
  return <Security />;
}

/** How and where the member is signed in. */
function Security() {
  const security = useQuery(ownSecurity);
  const canAdd = useSession().user?.emailConfirmed !== false;
  // A dialog within, such as one with recovery codes, stays.
  if (security.isError && !security.data) return <ErrorDisplay error={security.error} onRetry={() => void security.refetch()} />;
  return (
    <div>
      <section className={styles.section} aria-labelledby="password">
        <h2 id="password">Password</h2>
        {security.data?.hasPassword === false ? (
          <>
            <p>Your account has no password. You can choose one by email; it then signs you in too.</p>
            <div className={styles.buttons}>
              <ButtonLink kind="secondary" to={paths.forgotPassword}>
                Choose a password
              </ButtonLink>
            </div>
          </>
        ) : (
          <>
            <p>A new password signs you out everywhere else.</p>
            <div className={styles.buttons}>
              <ButtonLink kind="secondary" to={paths.account}>
                Change your password
              </ButtonLink>
            </div>
          </>
        )}
      </section>
      {security.data ? (
        <>
          {!canAdd && <UnconfirmedNotice />}
          <Passkeys passkeys={security.data.passkeys} canAdd={canAdd} onChanged={() => void security.refetch()} />
          <ConnectedAccounts identities={security.data.identities} canAdd={canAdd} onChanged={() => void security.refetch()} />
          <Authenticator security={security.data} canAdd={canAdd} onChanged={() => void security.refetch()} />
        </>
      ) : (
        <Skeleton width="100%" height={140} radius="var(--radius)" />
      )}
      <Sessions />
    </div>
  );
}

const UnconfirmedNotice = () => (
  <div className={styles.notice}>
    <Notice>
      <div className={styles.section}>
        <p>
          You can add a passkey or a second step once your email address is confirmed. Until then we cannot tell whether the address is
          yours, and its owner must not be locked out.
        </p>
        <ResendConfirmation />
      </div>
    </Notice>
  </div>
);
