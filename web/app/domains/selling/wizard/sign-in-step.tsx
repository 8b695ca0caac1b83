import { paths } from '@handwise/contract/paths';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { setUser } from '../../../lib/session/session.ts';
import { SignUp, useSignUpReferral } from '../../referrals/sign-up.tsx';
import styles from './sign-in-step.module.css';

// Leads back to the wizard, which continues with its draft.
const back = { returnTo: paths.addListing };

/** Step 3: an account, for visitors. Signing up goes straight on to the payment. */
export const SignInStep = ({ email, actions }: { email: string; actions: ReactNode }) => (
  <>
    <p>
      Already have an account?{' '}
      <Link to={paths.login} replace state={back}>
        Sign in
      </Link>
    </p>
    <div className={`card ${styles.signIn}`}>
      <SignUp email={email} referral={useSignUpReferral()} onSignedUp={setUser} />
    </div>
    {actions}
  </>
);
