import { paths } from '@handwise/contract/paths';
import { Link, useNavigate, useSearchParams } from 'react-router';
import { AddCardForm } from '../../domains/payments/cards/add-card-form.tsx';
import { pageMeta } from '../../lib/page-meta.ts';
import { getSafeRedirect } from '../../lib/session/redirect.ts';
import { FormCard } from '../../ui/forms/form-card.tsx';
import { toast } from '../../ui/feedback/toast.tsx';
import type { Route } from './+types/account-billing';

export const meta: Route.MetaFunction = ({ matches }) =>
  pageMeta(matches, {
    title: 'Add a payment method',
    description: 'Save a card for your listings.',
    path: paths.addCard,
    noIndex: true,
  });

export default function AccountBillingPage() {
  const [search] = useSearchParams();
  const navigate = useNavigate();
  const returnTo = search.get('redirect');
  const back = returnTo ? getSafeRedirect(returnTo) : paths.cards;
  return (
    <FormCard
      title="Add a payment method"
      intro={
        <p>
          <Link to={back}>{returnTo ? 'Back to where you were' : 'Back to your saved cards'}</Link>
        </p>
      }
    >
      <AddCardForm
        onAdded={() => {
          toast('Card saved');
          void navigate(back);
        }}
      />
    </FormCard>
  );
}
