import { providerNames } from '@handwise/contract/accounts/provider-names';
import { useRootData } from '../../lib/root-data.ts';
import { ButtonLink } from '../../ui/forms/button.tsx';
import styles from './provider-buttons.module.css';

/**
 * "Continue with Google" and "Continue with Apple", where they are set up: links, which leave this page and come back to `target`. A new account counts
 * for `referralCode`, which is empty without one. `isValid`: the server has said so.
 */
export function ProviderButtons({ target, referralCode, isValid }: { target: string; referralCode: string; isValid: boolean }) {
  const { signInWith } = useRootData();
  if (signInWith.length === 0) return null;
  const query = new URLSearchParams({ redirect: target, ...(referralCode !== '' && { referralCode }) }).toString();
  return (
    <div className={styles.providers}>
      {referralCode !== '' && (
        <p className={styles.referred} id="provider-referral">
          {isValid ? 'Your friend’s referral code counts here too.' : 'Your friend’s referral code counts here too, if it is valid.'} If
          you’re new, they’ll see your full name, username and email address.
        </p>
      )}
      {signInWith.map((provider) => (
        <ButtonLink
          key={provider}
          kind="secondary"
          wide
          reloadDocument
          rel="nofollow"
          aria-describedby={referralCode === '' ? undefined : 'provider-referral'}
          to={`/api/auth/with/${provider}?${query}`}
        >
          <span className={styles[provider]} aria-hidden="true" />
          Continue with {providerNames[provider]}
        </ButtonLink>
      ))}
      <p className={styles.or}>or</p>
    </div>
  );
}
