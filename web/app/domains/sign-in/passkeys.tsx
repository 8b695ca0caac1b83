import { type OnePasskey, passkeyNameForm, passkeyNameLength } from '@handwise/contract/sign-in/passkeys';
import { useMutation } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { call } from '../../lib/api.ts';
import { Dialog } from '../../ui/feedback/dialog.tsx';
import { toast } from '../../ui/feedback/toast.tsx';
import { Button } from '../../ui/forms/button.tsx';
import { Moment } from './sessions.tsx';
import { makePasskey, usePasskeySupport } from './passkey-browser.tsx';
import styles from './security.module.css';
import { useCheckedForm } from '../../lib/forms/checked-form.ts';
import { ErrorSummary } from '../../ui/forms/error-summary.tsx';
import { TextField } from '../../ui/forms/form-field.tsx';
import inStyles from './sign-in.module.css';

const failed = (error: Error) => toast(error.message, 'error');

/** The member's passkeys: create one on this device, rename, remove. */
export function Passkeys({ passkeys, canAdd, onChanged }: { passkeys: readonly OnePasskey[]; canAdd: boolean; onChanged: () => void }) {
  const heading = useRef<HTMLHeadingElement>(null);
  const [named, setNamed] = useState<OnePasskey | null>(null);
  const [pending, setPending] = useState<OnePasskey | null>(null);
  const isSupported = usePasskeySupport();
  const done = (text: string) => {
    toast(text);
    onChanged();
    // The pressed button is gone.
    heading.current?.focus();
  };
  const add = useMutation({
    mutationFn: async () => {
      const { options } = await call('POST /auth/passkeys/options', {});
      const answer = await makePasskey(options);
      return call('POST /auth/passkeys', { body: { answer: { ...answer, clientExtensionResults: {} } } });
    },
    onSuccess: () => done('From now on you can sign in with this passkey'),
    onError: failed,
  });
  const remove = useMutation({
    mutationFn: (id: string) => call('DELETE /auth/passkeys/:id', { params: { id } }),
    onSuccess: ({ message }) => done(message),
    onError: failed,
    onSettled: () => setPending(null),
  });

  return (
    <section className={styles.section} aria-labelledby="passkeys">
      <h2 id="passkeys" ref={heading} tabIndex={-1}>
        Passkeys
      </h2>
      <p>
        Sign in with your fingerprint, your face or your screen lock, without a password. A passkey only works on this site, so nobody can
        trick you into giving it away.
      </p>
      {passkeys.length > 0 && (
        <ul className={styles.list}>
          {passkeys.map((one) => (
            <li key={one._id} className={`card ${styles.row}`}>
              <div className={styles.facts}>
                <p className={styles.name}>{one.name}</p>
                <p className={styles.detail}>
                  Made on <Moment iso={one.createdAt} />
                  {one.lastUsedAt ? (
                    <>
                      , last used <Moment iso={one.lastUsedAt} />
                    </>
                  ) : (
                    ', not used yet'
                  )}
                </p>
              </div>
              <div className={styles.rowButtons}>
                <Button kind="quiet" size="sm" onClick={() => setNamed(one)}>
                  Rename<span className="visually-hidden"> {one.name}</span>
                </Button>
                <Button kind="quiet" size="sm" onClick={() => setPending(one)}>
                  Remove<span className="visually-hidden"> {one.name}</span>
                </Button>
              </div>
            </li>
          ))}
        </ul>
      )}
      <div className={styles.buttons}>
        {!canAdd ? (
          <p>Available once your email address is confirmed.</p>
        ) : isSupported ? (
          <Button kind="secondary" busy={add.isPending} onClick={() => add.mutate()}>
            Add a passkey
          </Button>
        ) : (
          <p>This browser has no passkeys.</p>
        )}
      </div>
      <Dialog open={named !== null} onClose={() => setNamed(null)} title="Name your passkey">
        {named && (
          <PasskeyName
            passkey={named}
            onNamed={(text) => {
              setNamed(null);
              done(text);
            }}
          />
        )}
      </Dialog>
      <Dialog
        open={pending !== null}
        onClose={() => setPending(null)}
        title="Remove this passkey?"
        actions={
          <>
            <Button kind="secondary" onClick={() => setPending(null)}>
              Keep it
            </Button>
            <Button kind="danger" busy={remove.isPending} onClick={() => pending && remove.mutate(pending._id)}>
              Remove it
            </Button>
          </>
        }
      >
        <p>
          <strong>{pending?.name}</strong> can no longer be used to sign in. Remove it from your device as well, in its password settings.
        </p>
      </Dialog>
    </section>
  );
}

function PasskeyName({ passkey, onNamed }: { passkey: OnePasskey; onNamed: (text: string) => void }) {
  const { form, field, summary, busy } = useCheckedForm({
    name: 'passkey-name',
    schema: passkeyNameForm,
    start: { name: passkey.name },
    send: async (body) => {
      const { message } = await call('PUT /auth/passkeys/:id', { params: { id: passkey._id }, body });
      onNamed(message);
    },
  });
  return (
    <form {...form} className={inStyles.stack}>
      <ErrorSummary {...summary} />
      <TextField label="Name" autoComplete="off" maxLength={passkeyNameLength} {...field('name')} />
      <Button type="submit" busy={busy} wide>
        {busy ? 'Saving...' : 'Save'}
      </Button>
    </form>
  );
}
