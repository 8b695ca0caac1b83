import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { readUser } from '../../lib/session/stored-user.ts';
import { ErrorDisplay } from '../../ui/feedback/error-display.tsx';
import { Skeleton } from '../../ui/feedback/skeleton.tsx';
import { ownProfile } from './account-queries.ts';
import styles from './account-settings.module.css';
import { AddressSection } from './address-section.tsx';
import { AvatarPicker } from './avatar-picker.tsx';
import { DataSection } from './data-section.tsx';
import { DeleteAccount } from './delete-account.tsx';
import { MailSection } from './mail-section.tsx';
import { ProfileForm } from './profile-form.tsx';
import { useKeepProfile } from './use-keep-profile.ts';

/** One's own account: how others see it, what it says, and what it is signed in with. */
export function AccountSettings() {
  const { data: profile, error, refetch } = useQuery(ownProfile);
  const keep = useKeepProfile();
  useEffect(() => {
    const user = readUser();
    // The link may have been opened on another device.
    if (user && profile && (user.email !== profile.email || user.emailConfirmed !== profile.emailConfirmed)) keep(profile);
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
        <DataSection />
        <DeleteAccount />
      </div>
    </div>
  );
}

const SettingsSkeleton = () => (
  <div className={styles.settings} role="status">
    <span className="visually-hidden">Loading content...</span>
    <Skeleton width="100%" height={860} radius="var(--radius)" />
    <Skeleton width="100%" height={220} radius="var(--radius)" />
  </div>
);
