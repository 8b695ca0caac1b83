import { paths } from '@handwise/contract/paths';
import type { ReactNode } from 'react';
import { ButtonLink } from '../../../ui/forms/button.tsx';
import styles from './sign-in-step.module.css';

// They come back to the wizard, which finds its draft and goes on.
const back = { returnTo: paths.addListing };

/** Step 3: an account, for those who have none or are not signed in. */
export const SignInStep = ({ actions }: { actions: ReactNode }) => (
  <>
    <div className={`card ${styles.signIn}`}>
      <ButtonLink to={paths.register} replace state={back} size="lg" wide>
        Create an account
      </ButtonLink>
      <ButtonLink to={paths.login} replace state={back} kind="secondary" size="lg" wide>
        Sign in
      </ButtonLink>
    </div>
    {actions}
  </>
);
