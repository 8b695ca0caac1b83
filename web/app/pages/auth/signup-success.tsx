import { site } from '@handwise/contract/site/site';
import { paths } from '@handwise/contract/paths';
import { useSearchParams } from 'react-router';
import { BackLink } from '../../domains/listings/back-link.tsx';
import { OwnCode } from '../../domains/referrals/own-code.tsx';
import { pageMeta } from '../../lib/page-meta.ts';
import { getSafeRedirect } from '../../lib/session/redirect.ts';
import { useSession } from '../../lib/session/session.ts';
import { Notice } from '../../ui/feedback/notice.tsx';
import { SuccessCard } from '../../ui/feedback/success-card.tsx';
import { ButtonLink } from '../../ui/forms/button.tsx';
import type { Route } from './+types/signup-success';

export const meta: Route.MetaFunction = ({ matches }) =>
  pageMeta(matches, {
    title: 'Registration successful',
    description: `Your ${site.name} account is ready.`,
    path: paths.signupSuccess,
    noIndex: true,
  });

export default function SignupSuccessPage() {
  const { user } = useSession();
  const [search] = useSearchParams();
  const from = getSafeRedirect(search.get('redirect'));
  const hasOrigin = from !== paths.browse;
  return (
    <SuccessCard
      title="Registration Successful!"
      intro={
        user?.emailConfirmed
          ? 'You are signed in.'
          : `You are signed in. We have sent a link to ${user?.email ?? 'your address'}: please confirm that it is yours.`
      }
    >
      {user?.referralCode && <OwnCode code={user.referralCode} />}
      <Notice kind="prize">
        <p>Every time someone uses your code, you can choose between a free month or 5 draw entries!</p>
        <p>You choose once their first listing is live.</p>
      </Notice>
      {hasOrigin && <BackLink to={from} />}
      <ButtonLink to={paths.browse} kind={hasOrigin ? 'secondary' : 'primary'} wide>
        Browse Pros near you
      </ButtonLink>
      <ButtonLink to={paths.referral} kind="secondary" wide>
        See your referrals
      </ButtonLink>
    </SuccessCard>
  );
}
