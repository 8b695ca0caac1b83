import { type OnePasskey, passkeyNameForm, passkeyNameLength, renamePasskey } from '@handwise/contract/sign-in/passkeys';
import { call } from '../../lib/api.ts';
import { useCheckedForm } from '../../lib/forms/checked-form.ts';
import { Button } from '../../ui/forms/button.tsx';
import { ErrorSummary } from '../../ui/forms/error-summary.tsx';
import { TextField } from '../../ui/forms/form-field.tsx';
import styles from './sign-in.module.css';

export function PasskeyName({ passkey, onNamed }: { passkey: OnePasskey; onNamed: (text: string) => void }) {
  const { form, field, summary, busy } = useCheckedForm({
    name: 'passkey-name',
    schema: passkeyNameForm,
    start: { name: passkey.name },
    send: async (body) => {
      const { message } = await call(renamePasskey, { params: { id: passkey._id }, body });
      onNamed(message);
    },
  });
  return (
    <form {...form} className={styles.stack}>
      <ErrorSummary {...summary} />
      <TextField label="Name" autoComplete="off" maxLength={passkeyNameLength} {...field('name')} />
      <Button type="submit" busy={busy} wide>
        {busy ? 'Saving...' : 'Save'}
      </Button>
    </form>
  );
}
