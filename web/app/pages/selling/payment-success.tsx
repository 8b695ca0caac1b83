import { site } from '@handwise/contract/site/site';
import { paths } from '@handwise/contract/paths';
import { pageMeta } from '../../lib/page-meta.ts';
import { ButtonLink } from '../../ui/forms/button.tsx';
import { SuccessCard } from '../../ui/feedback/success-card.tsx';
import type { Route } from './+types/payment-success';

export const meta: Route.MetaFunction = ({ matches }) =>
  pageMeta(matches, {
    title: 'Payment successful',
    description: `Your ${site.name} plan is paid.`,
    path: paths.paymentSuccess,
    noIndex: true,
  });

export default function PaymentSuccessPage() {
  return (
    <SuccessCard title="Payment successful" intro="Thank you. Each payment gets a tax invoice, by email and in your account.">
      <ButtonLink to={paths.ownListings} wide>
        My Listings
      </ButtonLink>
      <ButtonLink to={paths.referral} kind="secondary" wide>
        Referral Program
      </ButtonLink>
    </SuccessCard>
  );
}
