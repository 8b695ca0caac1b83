import { type Alert, alertNameForm, alertNameLength } from '@handwise/contract/alerts/calls';
import { useCheckedForm } from '../../../lib/forms/checked-form.ts';
import { Button } from '../../../ui/forms/button.tsx';
import { ErrorSummary } from '../../../ui/forms/error-summary.tsx';
import { TextField } from '../../../ui/forms/form-field.tsx';
import styles from './alert-list.module.css';
import { change } from './alert-queries.ts';

export function AlertName({ alert, onNamed }: { alert: Alert; onNamed: (alert: Alert) => void }) {
  const { form, field, summary, busy } = useCheckedForm({
    name: 'alert-name',
    schema: alertNameForm,
    start: { name: alert.name },
    send: async (body) => onNamed(await change(alert._id, body)),
  });
  return (
    <form {...form} className={styles.form}>
      <ErrorSummary {...summary} />
      <TextField label="Name" autoComplete="off" maxLength={alertNameLength} {...field('name')} />
      <Button type="submit" busy={busy} wide>
        {busy ? 'Saving...' : 'Save'}
      </Button>
    </form>
  );
}
