import { paths } from '@handwise/contract/paths';
import type { FreeMonth, Plan } from '@handwise/contract/plans/calls';
import { freeMonthNeedsCard } from '@handwise/contract/plans/table';
import { useEffect, useEffectEvent } from 'react';
import { Link } from 'react-router';
import { useSession } from '../../lib/session/session.ts';
import { useConfirmedAddress } from '../../lib/session/refresh-user.ts';
import { Notice } from '../../ui/feedback/notice.tsx';
import { ResendConfirmation } from '../accounts/resend-confirmation.tsx';
import { AddCardForm } from '../payments/cards/add-card-form.tsx';
import styles from './checkout.module.css';

/** A free month needs a confirmed address; the page waits until the link is opened on any device. */
export function FreeMonthAddress({ email, plan }: { email: string; plan: Pick<Plan, 'name' | 'planType'> }) {
  useConfirmedAddress(true);
  return (
    <Notice kind="prize">
      <div className={styles.needs}>
        <p>
          <strong>Your free month is waiting for you to confirm your email address.</strong> Open the link that we sent to {email}, on any
          device: this page will notice, and keeps everything you typed. Is the address wrong? <Link to={paths.account}>Change it.</Link>
        </p>
        {freeMonthNeedsCard(plan.planType) && (
          <p>
            On {plan.name} the free month also needs a saved card, which you can add after that. <strong>Nothing is charged</strong>, now or
            when it ends.
          </p>
        )}
        <ResendConfirmation />
      </div>
    </Notice>
  );
}

export type NeededCard = 'saved_card' | 'other_card';

/** Explains why the larger plans need a card for a free month, and a new one if other accounts used the saved cards. */
export const FreeMonthCardWords = ({ needs, plan }: { needs: NeededCard; plan: Pick<Plan, 'name'> }) => (
  <p>
    On {plan.name} the free month needs a saved card, so that each person has one free month.{' '}
    {needs === 'other_card' && 'The card you saved has had its free month with another account: please add a different one. '}
    <strong>Nothing is charged</strong>, now or when it ends.
  </p>
);

type FreeMonthNeedsProps = { needs: NonNullable<FreeMonth['needs']>; plan: Pick<Plan, 'name' | 'planType'>; onMet: () => void };

/** What a free month still needs, in place of its button. */
export function FreeMonthNeeds({ needs, plan, onMet }: FreeMonthNeedsProps) {
  const { user } = useSession();
  const isConfirmed = user?.emailConfirmed === true;
  const met = useEffectEvent(onMet);
  useEffect(() => {
    if (needs === 'confirmed_address' && isConfirmed) met();
  }, [needs, isConfirmed]);
  if (needs === 'confirmed_address') return <FreeMonthAddress email={user?.email ?? ''} plan={plan} />;
  return (
    <div className={styles.form}>
      <FreeMonthCardWords needs={needs} plan={plan} />
      <AddCardForm onAdded={onMet} />
    </div>
  );
}
