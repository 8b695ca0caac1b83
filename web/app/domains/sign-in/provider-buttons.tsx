import { providerNames } from '@handwise/contract/accounts/provider-names';
import { useRootData } from '../../lib/root-data.ts';
import { ButtonLink } from '../../ui/forms/button.tsx';
import styles from './provider-buttons.module.css';

/** "Continue with Google" and "Continue with Apple", where they are set up: links, which leave this page and come back to `target`. */
export function ProviderButtons({ target }: { target: string }) {
  const { signInWith } = useRootData();
  if (signInWith.length === 0) return null;
  return (
    <div className={styles.providers}>
      {signInWith.map((provider) => (
        <ButtonLink
          key={provider}
          kind="secondary"
          wide
          reloadDocument
          rel="nofollow"
          to={`/api/auth/with/${provider}?redirect=${encodeURIComponent(target)}`}
        >
          <span className={styles[provider]} aria-hidden="true" />
          Continue with {providerNames[provider]}
        </ButtonLink>
      ))}
      <p className={styles.or}>or</p>
    </div>
  );
}
