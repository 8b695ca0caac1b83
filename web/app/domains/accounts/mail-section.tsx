import type { MailKind, setMails } from '@handwise/contract/mail-preferences';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { call } from '../../lib/api.ts';
import { Skeleton } from '../../ui/feedback/skeleton.tsx';
import { toast } from '../../ui/feedback/toast.tsx';
import { ownMails } from './account-queries.ts';
import styles from './account-settings.module.css';

/** Which mails one gets: each is a switch that holds at once. */
export function MailSection() {
  const queries = useQueryClient();
  const { data: mails } = useQuery(ownMails);
  const setting = useMutation({
    mutationFn: (wish: { kind: MailKind; on: boolean }) => call<typeof setMails>({ method: 'PUT', url: '/mails' }, { body: wish }),
    onSuccess: ({ mails: kept }) => {
      queries.setQueryData(ownMails.queryKey, kept);
      toast('Your choice is saved');
    },
    onError: (error) => toast(error.message, 'error'),
  });
  // At once, and back again where it fails.
  const isWished = (kind: MailKind) => (setting.isPending && setting.variables.kind === kind ? setting.variables.on : undefined);
  return (
    <section className={`card ${styles.part}`} aria-labelledby="mails">
      <h2 id="mails">Mails you get</h2>
      {mails ? (
        <fieldset className={styles.mails}>
          <legend className="visually-hidden">Mail me when</legend>
          {mails.map(({ kind, text, on }) => (
            <label key={kind} className={styles.mail}>
              <input
                type="checkbox"
                checked={isWished(kind) ?? on}
                onChange={({ target }) => setting.mutate({ kind, on: target.checked })}
              />
              {text}
            </label>
          ))}
        </fieldset>
      ) : (
        <Skeleton width="100%" height={28} />
      )}
      <p className={styles.note}>
        Tax invoices, the end of a plan, and changes of your password or address are mailed in any case: you must not miss them.
      </p>
    </section>
  );
}
