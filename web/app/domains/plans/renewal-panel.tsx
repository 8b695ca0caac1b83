import { dayMs, formatDate } from '@handwise/contract/dates';
import { markets } from '@handwise/contract/markets';
import { money } from '@handwise/contract/money';
import { paths } from '@handwise/contract/paths';
import type { Subscription } from '@handwise/contract/plans/calls';
import { getChargeTime } from '@handwise/contract/plans/renewal';
import { subscriptionDays } from '@handwise/contract/plans/table';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router';
import { call } from '../../lib/api.ts';
import { useNow } from '../../lib/now.ts';
import { LoadProblem } from '../../ui/feedback/load-problem.tsx';
import { Skeleton } from '../../ui/feedback/skeleton.tsx';
import { toast } from '../../ui/feedback/toast.tsx';
import { Button, ButtonLink } from '../../ui/forms/button.tsx';
import { SelectField } from '../../ui/forms/form-field.tsx';
import { getOutcomeProblem } from '../payments/providers/card-outcome-view.ts';
import { useCardAction } from '../payments/providers/use-card-action.tsx';
import { findUsableCard, toSavedCardView } from '../payments/cards/card-view.ts';
import { savedCards } from '../payments/payment-queries.ts';
import { getSubscriptionsKey } from './plan-queries.ts';
import styles from './renewal-panel.module.css';

/** Leads back to the panel. */
const addCardPath = `${paths.addCard}?redirect=${paths.ownListings}`;

type Props = { subscription: Subscription; userId: string | undefined; hasFreeMonth: boolean };

/** Switches a plan's renewal on and off, and pays one that failed. Price, card and next date are in sight before each tap. */
export function RenewalPanel({ subscription, userId, hasFreeMonth }: Props) {
  const { _id: id, plan, country, endDate, timeZone, renewal, isDisputed } = subscription;
  const cards = useQuery(savedCards);
  // Whether the charge is at once changes while the page is open.
  const now = useNow();
  const [picked, setPicked] = useState<string>();
  const [isChanging, setChanging] = useState(false);
  const { on, off, dialog } = useRenewal(id, userId);
  const isBusy = on.isPending || off.isPending;
  const failed = renewal !== null && renewal.state !== 'on';
  const price = money(plan.priceMinor, markets[country].currency);
  const about = <span className="visually-hidden">: {plan.name} plan</span>;

  // In every state of a renewal, also while its plan is disputed and without the cards.
  const switchOff = renewal && (
    <Button kind="secondary" size="sm" busy={isBusy} onClick={() => off.mutate()}>
      Switch off renewal{about}
    </Button>
  );
  const stop = <Link to={paths.howToStop}>How to stop</Link>;

  if (!cards.data && !cards.isError) return <Skeleton width="100%" height={72} radius="var(--radius-sm)" />;
  if (!cards.data || isDisputed) {
    return (
      <section className={styles.panel} aria-label={`Renewal of the ${plan.name} plan`}>
        {!cards.data && <LoadProblem text="Your cards could not be loaded." onRetry={() => void cards.refetch()} />}
        {switchOff && (
          <div className={styles.actions}>
            {switchOff}
            {stop}
          </div>
        )}
      </section>
    );
  }
  const views = cards.data.map((card) => toSavedCardView(card, now));
  const current = views.find((card) => card.id === renewal?.cardId);
  const usable = views.filter((card) => !card.isExpired);
  const usual = current && !current.isExpired ? current.id : findUsableCard(cards.data, now);
  const cardId = picked ?? usual ?? undefined;
  const chargeAt = getChargeTime(new Date(endDate), now, failed);
  // A free month is used before the card, so that the card pays for the period after it.
  const paidFrom = new Date(new Date(endDate).getTime() + (hasFreeMonth ? subscriptionDays * dayMs : 0));
  const cardChargeAt = hasFreeMonth ? getChargeTime(paidFrom, now, false) : chargeAt;
  const facts = (label: string, at: Date | string | null) => (
    <>
      {hasFreeMonth && (
        <>
          <dt>Free month</dt>
          <dd>From {formatDate(endDate, timeZone)}</dd>
        </>
      )}
      <dt>{label}</dt>
      <dd>
        {at ? formatDate(at, timeZone) : 'Now'}, for the {subscriptionDays} days from {formatDate(paidFrom, timeZone)}
      </dd>
    </>
  );
  const hasRisen = renewal !== null && !failed && plan.priceMinor > renewal.amount;

  if (renewal && !failed && !hasRisen && !isChanging) {
    return (
      <section className={styles.panel} aria-label={`Renewal of the ${plan.name} plan`}>
        <p>
          <strong>Renews every {subscriptionDays} days</strong>
        </p>
        <dl className={styles.facts}>
          <dt>Price</dt>
          <dd>{price} incl. GST</dd>
          <dt>Card</dt>
          <dd>{current?.label ?? 'Removed'}</dd>
          {renewal.nextChargeAt && facts('Next charge', hasFreeMonth ? cardChargeAt : renewal.nextChargeAt)}
        </dl>
        {hasFreeMonth && <p className={styles.note}>Your free month is used before the card.</p>}
        <div className={styles.actions}>
          {switchOff}
          <Button kind="quiet" size="sm" onClick={() => setChanging(true)}>
            Change card{about}
          </Button>
          {stop}
        </div>
        {dialog}
      </section>
    );
  }
  const atOnce = hasFreeMonth ? 'Use your free month now and renew' : failed ? `Pay ${price} now` : `Pay ${price} now and renew`;
  const wait = hasRisen || failed ? `Renew for ${price}` : `Renew every ${subscriptionDays} days`;
  const label = chargeAt ? (isChanging ? 'Save card' : wait) : atOnce;
  const isAsked = failed || hasRisen;
  return (
    <section className={styles.panel} aria-label={`Renewal of the ${plan.name} plan`}>
      {failed && (
        <div className={styles.problem} role="alert">
          <strong>Your plan was not renewed</strong>
          <p>{renewal.problem}</p>
          <p>
            {renewal.nextChargeAt
              ? `We try again on ${formatDate(renewal.nextChargeAt, timeZone)}.${chargeAt ? '' : ' You can also pay now.'}`
              : `The plan ends on ${formatDate(endDate, timeZone)} unless you ${chargeAt ? 'renew it' : 'pay'} before.`}
          </p>
        </div>
      )}
      {hasRisen && (
        <div className={styles.problem} role="alert">
          <strong>The price has gone up</strong>
          <p>
            The {plan.name} plan now costs {price}, and you agreed to {money(renewal.amount, renewal.currency)}. Nothing is charged until
            you agree to the new price.
          </p>
        </div>
      )}
      {!renewal && (
        <p className={styles.note}>
          Your plan ends by itself. If you like, it renews every {subscriptionDays} days until you switch that off.
        </p>
      )}
      {usable.length === 0 ? (
        <p className={styles.note}>
          {isAsked
            ? `To ${chargeAt ? `renew for ${price}` : `pay ${price} now`}, add a card first. Saving one charges nothing.`
            : 'Renewing needs a saved card. Saving one charges nothing.'}
        </p>
      ) : (
        <>
          <dl className={styles.facts}>
            <dt>Price</dt>
            <dd>{price} incl. GST</dd>
            {usable.length === 1 && (
              <>
                <dt>Card</dt>
                <dd>{usable[0]?.label}</dd>
              </>
            )}
            {facts(renewal ? 'Charge' : 'First charge', cardChargeAt)}
          </dl>
          {usable.length > 1 && (
            <SelectField label="Card" value={cardId ?? ''} onChange={({ target }) => setPicked(target.value)}>
              {usable.map((card) => (
                <option key={card.id} value={card.id}>
                  {card.label}, expires {card.expiry}
                </option>
              ))}
            </SelectField>
          )}
          {hasFreeMonth && <p className={styles.note}>Your free month is used before the card.</p>}
        </>
      )}
      <div className={styles.actions}>
        {usable.length > 0 && (
          <Button
            kind={isAsked ? 'primary' : 'secondary'}
            size="sm"
            busy={isBusy}
            disabled={cardId === undefined}
            onClick={() => cardId && on.mutate({ cardId, amount: plan.priceMinor }, { onSuccess: () => setChanging(false) })}
          >
            {label}
            {about}
          </Button>
        )}
        {(renewal || usable.length === 0) && (
          <ButtonLink kind={isAsked && usable.length === 0 ? 'primary' : 'secondary'} size="sm" to={addCardPath}>
            Add a card
          </ButtonLink>
        )}
        {isAsked && switchOff}
        {isChanging && (
          <Button
            kind="quiet"
            size="sm"
            onClick={() => {
              setPicked(undefined);
              setChanging(false);
            }}
          >
            Keep card
          </Button>
        )}
        {stop}
      </div>
      {dialog}
    </section>
  );
}

/** Switching on may charge at once, with the bank's challenge in between. */
function useRenewal(id: string, userId: string | undefined) {
  const queries = useQueryClient();
  const { authenticate, dialog } = useCardAction();
  const onSettled = () =>
    Promise.all([
      queries.invalidateQueries({ queryKey: getSubscriptionsKey(userId) }),
      queries.invalidateQueries({ queryKey: ['my-listings'] }),
    ]);
  const onError = (error: Error) => toast(error.message, 'error');
  const on = useMutation({
    mutationFn: async (body: { cardId: string; amount: number }) => {
      const { status, clientSecret, paymentIntentId, message } = await call('PUT /plan-user/:id/renewal', { params: { id }, body });
      if (status !== 'requires_action' || !clientSecret || !paymentIntentId) return message;
      const problem = getOutcomeProblem(await authenticate(clientSecret));
      if (problem !== null) throw new Error(problem);
      const { refunded, message: refundText } = await call('POST /plan-user/confirm-payment', { body: { paymentIntentId } });
      return refunded ? refundText : 'Your plan is renewed';
    },
    onSuccess: (text) => toast(text),
    onError,
    onSettled,
  });
  const off = useMutation({
    mutationFn: () => call('DELETE /plan-user/:id/renewal', { params: { id } }),
    onSuccess: ({ message }) => toast(message),
    onError,
    onSettled,
  });
  return { on, off, dialog };
}
