import { paths } from '@handwise/contract/paths';
import { pageMeta } from '../../lib/page-meta.ts';
import type { Route } from './+types/account-settings';
import { useQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { readUser } from '../../lib/session/stored-user.ts';
import { ErrorDisplay } from '../../ui/feedback/error-display.tsx';
import { LoadProblem } from '../../ui/feedback/load-problem.tsx';
import { LoadingWords } from '../../lib/loading-view.tsx';
import { Skeleton } from '../../ui/feedback/skeleton.tsx';
import { ownProfile, ownMails, useSaveProfile } from '../../domains/accounts/account-queries.ts';
import styles from '../../domains/accounts/account-settings.module.css';
import { AddressSection } from '../../domains/accounts/address-section.tsx';
import { AvatarPicker } from '../../domains/accounts/avatar-picker.tsx';
import { DeleteAccount } from '../../domains/accounts/delete-account.tsx';
import { CalendarSection } from '../../domains/visits/calendar-section.tsx';
import { PushSection } from '../../domains/push/push-section.tsx';
import { ProfileForm } from '../../domains/accounts/profile-form.tsx';
import { maxExportsPerDay } from '@handwise/contract/accounts/data';
import { download } from '../../lib/download.ts';
import { toast } from '../../ui/feedback/toast.tsx';
import { Button } from '../../ui/forms/button.tsx';
import type { MailKind } from '@handwise/contract/mail-preferences';
import { call } from '../../lib/api.ts';

export const meta: Route.MetaFunction = ({ matches }) =>
  pageMeta(matches, {
    title: 'Account settings',
    description: 'Your name, your picture, your password and your data.',
    path: paths.account,
    noIndex: true,
  });

export default AccountSettings;

/** The member's account: profile, contents and sign-in. */
function AccountSettings() {
  const { data: profile, error, refetch } = useQuery(ownProfile);
  const saveProfile = useSaveProfile();
  useEffect(() => {
    const user = readUser();
    // The link may have been opened on another device.
    if (user && profile && (user.email !== profile.email || user.emailConfirmed !== profile.emailConfirmed)) saveProfile(profile);
  });
  if (error && !profile) return <ErrorDisplay error={error} onRetry={() => void refetch()} />;
  if (!profile) return <SettingsSkeleton />;
  return (
    <div className={styles.settings}>
      <section className={`card ${styles.part}`} aria-labelledby="profile">
        <h2 id="profile">Profile</h2>
        <AvatarPicker profile={profile} />
        <ProfileForm profile={profile} />
      </section>
      <div className={styles.side}>
        <AddressSection profile={profile} />
        <MailSection />
        <PushSection className={`card ${styles.part}`} />
        <CalendarSection className={`card ${styles.part}`} />
        <DataSection />
        <DeleteAccount hasPassword={profile.hasPassword} />
      </div>
    </div>
  );
}

const SettingsSkeleton = () => (
  <div className={styles.settings} role="status">
    <LoadingWords />
    <Skeleton width="100%" height={860} radius="var(--radius)" />
    <Skeleton width="100%" height={220} radius="var(--radius)" />
  </div>
);

/** The download of the member's data. */
function DataSection() {
  const getting = useMutation({
    mutationFn: () => download('/api/auth/export', 'my-data.zip'),
    onSuccess: () => toast('Your data has been downloaded'),
    onError: (error) => toast(error.message, 'error'),
  });
  return (
    <section className={`card ${styles.part}`} aria-labelledby="your-data">
      <h2 id="your-data">Your data</h2>
      <p>
        Everything we keep about you, as one zip file: your account, listings, messages, reviews, saved listings, plans and payments, and
        what you wrote to us from its confirmed address, as JSON, with your pictures. You can have it {maxExportsPerDay} times a day.
      </p>
      <div>
        <Button kind="secondary" busy={getting.isPending} onClick={() => getting.mutate()}>
          {getting.isPending ? 'Putting it together...' : 'Download your data'}
        </Button>
      </div>
    </section>
  );
}

/** Switches for the user's emails, each applied at once. */
function MailSection() {
  const queries = useQueryClient();
  const { data: mails, error, refetch } = useQuery(ownMails);
  // Shows a change at once, and reverts it if it fails.
  const [choices, setChoices] = useState<Partial<Record<MailKind, boolean>>>({});
  const setting = useMutation({
    // Requests run one after the other, in the order of the presses.
    scope: { id: 'mails' },
    mutationFn: (body: { kind: MailKind; on: boolean }) => call('PUT /mails', { body }),
    onSuccess: ({ mails: saved }) => {
      queries.setQueryData(ownMails.queryKey, saved);
      toast('Your choice is saved');
    },
    onError: (error, { kind }) => {
      setChoices((all) => ({ ...all, [kind]: !all[kind] }));
      toast(error.message, 'error');
    },
  });
  const set = (kind: MailKind, on: boolean) => {
    setChoices((all) => ({ ...all, [kind]: on }));
    setting.mutate({ kind, on });
  };
  return (
    <section className={`card ${styles.part}`} aria-labelledby="mails">
      <h2 id="mails">Emails you get</h2>
      {mails ? (
        <fieldset className={styles.mails}>
          <legend className="visually-hidden">Email me</legend>
          {mails.map(({ kind, text, on }) => (
            <label key={kind} className={styles.mail}>
              <input type="checkbox" checked={choices[kind] ?? on} onChange={({ target }) => set(kind, target.checked)} />
              {text}
            </label>
          ))}
        </fieldset>
      ) : error ? (
        <LoadProblem text="Your choices could not be loaded." onRetry={() => void refetch()} />
      ) : (
        <Skeleton width="100%" height={28} />
      )}
      <p className={styles.note}>
        Tax invoices, the end of a plan, and changes to your password or address are always emailed, so that you do not miss them.
      </p>
    </section>
  );
}
