import type { OneIdentity } from '@handwise/contract/accounts/identities';
import { type ProviderName, providerNames } from '@handwise/contract/accounts/provider-names';
import { paths } from '@handwise/contract/paths';
import { useMutation } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { call } from '../../lib/api.ts';
import { useRootData } from '../../lib/root-data.ts';
import { Dialog } from '../../ui/feedback/dialog.tsx';
import { toast } from '../../ui/feedback/toast.tsx';
import { Button } from '../../ui/forms/button.tsx';
import { Moment } from './sessions.tsx';
import styles from './security.module.css';

const failed = (error: Error) => toast(error.message, 'error');

/** The accounts at Google and Apple that sign in here: connect, disconnect. Nothing where neither is set up or connected. */
export function ConnectedAccounts({
  identities,
  canAdd,
  onChanged,
}: {
  identities: readonly OneIdentity[];
  canAdd: boolean;
  onChanged: () => void;
}) {
  const { signInWith } = useRootData();
  const heading = useRef<HTMLHeadingElement>(null);
  const [pending, setPending] = useState<ProviderName | null>(null);
  const connect = useMutation({
    mutationFn: (provider: ProviderName) => call('POST /auth/identities', { body: { provider, redirect: paths.security } }),
    onSuccess: ({ url }) => location.assign(url),
    onError: failed,
  });
  const disconnect = useMutation({
    mutationFn: (provider: ProviderName) => call('DELETE /auth/identities/:provider', { params: { provider } }),
    onSuccess: ({ message }) => {
      toast(message);
      onChanged();
      // The pressed button is gone.
      heading.current?.focus();
    },
    onError: failed,
    onSettled: () => setPending(null),
  });
  const others = signInWith.filter((provider) => !identities.some((one) => one.provider === provider));
  if (identities.length + others.length === 0) return null;
  const pendingName = pending && providerNames[pending];
  return (
    <section className={styles.section} aria-labelledby="connected">
      <h2 id="connected" ref={heading} tabIndex={-1}>
        Google and Apple
      </h2>
      <p>
        Sign in with an account that you already have there. We use your name, your email address and their code for you, and never see your
        password.
      </p>
      {identities.length > 0 && (
        <ul className={styles.list}>
          {identities.map(({ provider, email, createdAt, lastUsedAt }) => (
            <li key={provider} className={`card ${styles.row}`}>
              <div className={styles.facts}>
                <p className={styles.name}>{providerNames[provider]}</p>
                <p className={styles.detail}>
                  {email !== '' && `${email}, `}connected on <Moment iso={createdAt} />
                  {lastUsedAt && (
                    <>
                      , last used <Moment iso={lastUsedAt} />
                    </>
                  )}
                </p>
              </div>
              <Button kind="quiet" size="sm" onClick={() => setPending(provider)}>
                Disconnect<span className="visually-hidden"> {providerNames[provider]}</span>
              </Button>
            </li>
          ))}
        </ul>
      )}
      {others.length > 0 && (
        <div className={styles.buttons}>
          {canAdd
            ? others.map((provider) => (
                <Button
                  key={provider}
                  kind="secondary"
                  busy={connect.isPending && connect.variables === provider}
                  onClick={() => connect.mutate(provider)}
                >
                  Connect {providerNames[provider]}
                </Button>
              ))
            : 'Available once your email address is confirmed.'}
        </div>
      )}
      <Dialog
        open={pending !== null}
        onClose={() => setPending(null)}
        title={`Disconnect ${pendingName ?? ''}?`}
        actions={
          <>
            <Button kind="secondary" onClick={() => setPending(null)}>
              Keep it
            </Button>
            <Button kind="danger" busy={disconnect.isPending} onClick={() => pending && disconnect.mutate(pending)}>
              Disconnect it
            </Button>
          </>
        }
      >
        <p>“Continue with {pendingName}” no longer signs you in. Your account stays as it is.</p>
      </Dialog>
    </section>
  );
}
