import { noCard } from '@handwise/contract/referrals/holds';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Notice } from '../../ui/feedback/notice.tsx';
import { Button } from '../../ui/forms/button.tsx';
import { AddCardForm } from '../payments/cards/add-card-form.tsx';
import { savedCards } from '../payments/payment-queries.ts';
import { referralDashboard } from '../referrals/referral-queries.ts';
import styles from './checkout.module.css';

/** After a free listing: the reward of the person whose code the member used waits until the member has saved a card. */
export function SaveCardOffer({ userId }: { userId: string | undefined }) {
  const { data, refetch } = useQuery({ ...referralDashboard(userId), staleTime: 0 });
  const [step, setStep] = useState<'offer' | 'form' | 'saved' | 'dismissed'>('offer');
  const waits = data?.ownReferral?.heldBecause === noCard;
  const cards = useQuery({ ...savedCards, staleTime: 0, enabled: waits });
  if (!data || step === 'dismissed' || (!waits && step !== 'saved')) return null;
  // A card may have been saved just before, for the free month itself.
  if (waits && !cards.data && !cards.isError) return null;
  const hasCard = step === 'saved' || (cards.data ?? []).length > 0;
  if (step === 'saved' && !waits)
    return (
      <Notice kind="success">
        <p role="status">Your card is saved, and the person whose code you used has their reward. Nothing was charged.</p>
      </Notice>
    );
  return (
    <Notice kind="prize">
      <div className={styles.needs}>
        {hasCard ? (
          <p role="status">
            <strong>
              Another account uses {step === 'saved' ? 'this card' : 'your saved card'}, so the reward of the person whose code you used is
              still waiting.
            </strong>{' '}
            Nothing was charged. You can save a different card.
          </p>
        ) : (
          <p>
            <strong>Would you like to save a card?</strong> The person whose code you used gets their reward once you have saved a card that
            no other account uses, or paid for a plan: that is how we know that each person counts once. Nothing is charged, now or when
            your free month ends.
          </p>
        )}
        {step === 'form' ? (
          <AddCardForm onAdded={() => void refetch().then(() => setStep('saved'))} onCancel={() => setStep('offer')} />
        ) : (
          <div className={styles.offer}>
            <Button size="sm" onClick={() => setStep('form')}>
              {hasCard ? 'Save a different card' : 'Save a card'}
            </Button>
            <Button kind="quiet" size="sm" onClick={() => setStep('dismissed')}>
              Not now
            </Button>
          </div>
        )}
      </div>
    </Notice>
  );
}
