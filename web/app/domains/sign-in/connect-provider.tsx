import { providerNames } from '@handwise/contract/accounts/provider-names';
import { paths } from '@handwise/contract/paths';
import { useState } from 'react';
import { call } from '../../lib/api.ts';
import { Notice } from '../../ui/feedback/notice.tsx';
import { Button, ButtonLink } from '../../ui/forms/button.tsx';
import { FormCard } from '../../ui/forms/form-card.tsx';

/** Connects on a press instead of the visit, because mail programs and virus scanners open links. */
export function ConnectProvider({ token }: { token: string }) {
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState('');
  const [name, setName] = useState<string>();

  async function connect() {
    setBusy(true);
    setProblem('');
    try {
      const body = { token };
      const { provider } = await call('POST /auth/with/connect', { body });
      setName(providerNames[provider]);
    } catch (error) {
      setProblem(error instanceof Error ? error.message : 'An unexpected error occurred');
    } finally {
      setBusy(false);
    }
  }

  return (
    <FormCard title={name === undefined ? 'Connect your account' : `${name} is connected`}>
      <div role="status">
        {name !== undefined && <Notice kind="success">From now on, “Continue with {name}” signs you in.</Notice>}
        {problem !== '' && <Notice>{problem}</Notice>}
      </div>
      {name === undefined ? (
        <>
          <p>Somebody, probably you, wanted to sign in this way with your address. Connect it only if that was you.</p>
          <Button wide busy={busy} onClick={() => void connect()}>
            Connect it
          </Button>
        </>
      ) : (
        <ButtonLink to={paths.login} wide>
          Sign in
        </ButtonLink>
      )}
    </FormCard>
  );
}
