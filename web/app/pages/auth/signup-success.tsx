import { OwnCode } from '../../domains/referrals/own-code.tsx';
import { RequireMember } from '../../lib/guard.tsx';
import { pageMeta } from '../../lib/page-meta.ts';
import { useSession } from '../../lib/session.ts';
import { ButtonLink } from '../../ui/forms/button.tsx';
import { Notice } from '../../ui/feedback/notice.tsx';
import { SuccessCard } from '../../ui/feedback/success-card.tsx';
import type { Route } from './+types/signup-success';

export const meta: Route.MetaFunction = ({ matches }) =>
  pageMeta(matches, {
    title: 'Registration successful',
    description: 'Your Handwise account is ready.',
    path: '/auth/signup-success',
    noIndex: true,
  });

function Welcome() {
  const { user } = useSession();
  return (
    <SuccessCard title="Registration Successful!" intro="You are signed in and ready to message pros.">
      {user?.referralCode && <OwnCode code={user.referralCode} />}
      <Notice kind="prize">Every time someone uses your code, you can choose between a free month or 5 draw entries!</Notice>
      <ButtonLink to="/home" wide>
        Browse Pros near you
      </ButtonLink>
      <ButtonLink to="/referral" kind="secondary" wide>
        See your referrals
      </ButtonLink>
    </SuccessCard>
  );
}

export default function SignupSuccessPage() {
  return (
    <RequireMember>
      <Welcome />
    </RequireMember>
  );
}
