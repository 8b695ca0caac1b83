import { useQuery } from '@tanstack/react-query';
import { ErrorDisplay } from '../../ui/feedback/error-display.tsx';
import { Notice } from '../../ui/feedback/notice.tsx';
import { Skeleton } from '../../ui/feedback/skeleton.tsx';
import { ownProfile } from './account-queries.ts';
import styles from './account-settings.module.css';
import { AvatarPicker } from './avatar-picker.tsx';
import { ProfileForm } from './profile-form.tsx';
import { ResendConfirmation } from './resend-confirmation.tsx';

/** One's own account: how others see it, what it says, and what it is signed in with. */
export function AccountSettings() {
  const { data: profile, error, refetch } = useQuery(ownProfile);
  if (error && !profile) return <ErrorDisplay error={error} onRetry={() => void refetch()} />;
  if (!profile) return <SettingsSkeleton />;
  return (
    <div className={styles.settings}>
      {!profile.emailConfirmed && (
        <Notice>
          <div className={styles.unconfirmed}>
            <p>
              <strong>Please confirm your email address.</strong> We have sent a link to {profile.email}. Until then you cannot write
              reviews, and messages for you wait here instead of being mailed.
            </p>
            <ResendConfirmation />
          </div>
        </Notice>
      )}
      <section className={`card ${styles.part}`} aria-labelledby="profile">
        <h2 id="profile">Profile</h2>
        <AvatarPicker profile={profile} />
        <ProfileForm profile={profile} />
      </section>
    </div>
  );
}

const SettingsSkeleton = () => (
  <div className={styles.settings} role="status">
    <span className="visually-hidden">Loading content...</span>
    <Skeleton width="100%" height={860} radius="var(--radius)" />
  </div>
);
