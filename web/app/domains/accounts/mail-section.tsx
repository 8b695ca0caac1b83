import type { MailKind, setMails } from '@handwise/contract/mail-preferences';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../lib/api.ts';
import { Skeleton } from '../../ui/feedback/skeleton.tsx';
import { toast } from '../../ui/feedback/toast.tsx';
import { ownMails } from './account-queries.ts';
import styles from './account-settings.module.css';

/** Which mails one gets: each is a switch that holds at once. */
export function MailSection() {
  const queries = useQueryClient();
  const { data: mails } = useQuery(ownMails);
  // What was pressed is shown at once, and taken back where it could not be kept.
  const [wishes, setWishes] = useState<Partial<Record<MailKind, boolean>>>({});
  const setting = useMutation({
    // Pressed twice, the second wish follows the first.
    scope: { id: 'mails' },
    mutationFn: (body: { kind: MailKind; on: boolean }) => call<typeof setMails>({ method: 'PUT', url: '/mails' }, { body }),
    onSuccess: ({ mails: kept }) => {
      queries.setQueryData(ownMails.queryKey, kept);
      toast('Your choice is saved');
    },
    onError: (error, { kind }) => {
      setWishes((all) => ({ ...all, [kind]: !all[kind] }));
      toast(error.message, 'error');
    },
  });
  const set = (kind: MailKind, on: boolean) => {
    setWishes((all) => ({ ...all, [kind]: on }));
    setting.mutate({ kind, on });
  };
  return (
    <section className={`card ${styles.part}`} aria-labelledby="mails">
      <h2 id="mails">Emails you get</h2>
      {mails ? (
        <fieldset className={styles.mails}>
          <legend className="visually-hidden">Email me when</legend>
          {mails.map(({ kind, text, on }) => (
            <label key={kind} className={styles.mail}>
              <input type="checkbox" checked={wishes[kind] ?? on} onChange={({ target }) => set(kind, target.checked)} />
              {text}
            </label>
          ))}
        </fieldset>
      ) : (
        <Skeleton width="100%" height={28} />
      )}
      <p className={styles.note}>
        Tax invoices, the end of a plan, and changes to your password or address are always emailed, so that you do not miss them.
      </p>
    </section>
  );
}
