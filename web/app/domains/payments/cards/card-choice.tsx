import { useQuery } from '@tanstack/react-query';
import { useId, useState, useRef } from 'react';
import { LoadingWords } from '../../../lib/loading-view.tsx';
import { ErrorDisplay } from '../../../ui/feedback/error-display.tsx';
import { Skeleton } from '../../../ui/feedback/skeleton.tsx';
import { BrandMark } from './brand-mark.tsx';
import styles from './card-choice.module.css';
import { toSavedCardView } from './card-view.ts';
import { savedCards } from '../payment-queries.ts';
import { ApiError } from '../../../lib/api-error.ts';
import { useCheckedForm } from '../../../lib/forms/checked-form.ts';
import { useRootData } from '../../../lib/root-data.ts';
import { useSession } from '../../../lib/session/session.ts';
import { ErrorSummary } from '../../../ui/forms/error-summary.tsx';
import { TextField } from '../../../ui/forms/form-field.tsx';
import { CardField } from '../providers/card-field.tsx';
import { type CardHandle, cardTexts } from '../providers/card-outcome-view.ts';
import formStyles from './add-card-form.module.css';
import { billingForm, noBilling, SaveCardBox } from './billing-fields.tsx';

type CardChoiceProps = {
  /** The id of the chosen card; null for a new card, undefined before a choice. */
  chosen: string | null | undefined;
  onChoose: (id: string | null) => void;
  disabled?: boolean;
  /** The amount in cents, for wallets. */
  amount: number;
  currency: 'NZD' | 'AUD';
  /** The id of the new card's form, which a button of the page submits. */
  formId: string;
  onCollected: (card: CollectedCard) => void;
  onBusy?: (busy: boolean) => void;
  /** The error if no card was chosen or typed. */
  emptyText: string;
};

/**
 * The saved cards to pay with, or a new payment method through the provider's form. Must not be inside a form: it renders its own, which a
 * `<button type="submit" form={formId}>` submits.
 */
export function CardChoice({ chosen, onChoose, disabled = false, formId, emptyText, ...another }: CardChoiceProps) {
  const cards = useQuery(savedCards);
  const [now] = useState(() => new Date());
  const name = useId();
  if (cards.isError && !cards.data) return <ErrorDisplay error={{ message: 'Failed to load data' }} onRetry={() => void cards.refetch()} />;
  if (!cards.data) {
    return (
      <div className={styles.choices} role="status">
        <LoadingWords />
        <Skeleton width="100%" height={72} radius="var(--radius-sm)" />
        <Skeleton width="100%" height={72} radius="var(--radius-sm)" />
      </div>
    );
  }
  const isAnother = chosen === null || cards.data.length === 0;
  return (
    <fieldset className={styles.choices} disabled={disabled}>
      <legend className={styles.legend}>Payment method</legend>
      {cards.data.map((card) => {
        const { id, brand, label, expiry, isExpired, name: holder } = toSavedCardView(card, now);
        return (
          <label key={id} className={styles.choice}>
            <input type="radio" name={name} checked={chosen === id} disabled={isExpired} onChange={() => onChoose(id)} />
            <BrandMark brand={brand} />
            <span className={styles.facts}>
              <span className={styles.label}>{label}</span>
              <span className={styles.detail}>
                {holder && `${holder} · `}
                {isExpired ? <span className={styles.expired}>Expired {expiry}</span> : `Expires ${expiry}`}
              </span>
            </span>
          </label>
        );
      })}
      {cards.data.length > 0 && (
        <label className={styles.choice}>
          <input type="radio" name={name} checked={isAnother} onChange={() => onChoose(null)} />
          <BrandMark brand="" />
          <span className={styles.label}>Use another card</span>
        </label>
      )}
      {isAnother && (
        <div className={styles.another}>
          <AnotherCardForm id={formId} disabled={disabled} emptyText={emptyText} {...another} />
        </div>
      )}
    </fieldset>
  );
}

/** A payment method collected by the provider's form for one payment. */
export type CollectedCard = { confirmationToken: string; saveCard: boolean };

type AnotherCardFormProps = {
  /** The form's id, for the page's submit button. */
  id: string;
  amount: number;
  currency: 'NZD' | 'AUD';
  disabled: boolean;
  /** Instead of "Card information is required." if another way to pay is offered. */
  emptyText: string;
  onCollected: (card: CollectedCard) => void;
  /** Called when collecting the card starts and ends. */
  onBusy?: ((busy: boolean) => void) | undefined;
};

/** A new card to pay with once. It is stored if its holder chooses so. */
function AnotherCardForm({ id, amount, currency, disabled, emptyText, onCollected, onBusy }: AnotherCardFormProps) {
  const { user } = useSession();
  const { market } = useRootData();
  const card = useRef<CardHandle>(null);
  const [saveCard, setSaveCard] = useState(false);
  const { form, field, summary, busy } = useCheckedForm({
    name: 'another-card',
    schema: billingForm,
    start: { ...noBilling, name: user?.fullName ?? '', email: user?.email ?? '', country: market ?? noBilling.country },
    send: async (billing) => {
      onBusy?.(true);
      try {
        const collected = (await card.current?.collect(billing)) ?? { error: cardTexts.notInitialized };
        if ('error' in collected) {
          throw new ApiError(402, 'card_declined', collected.error === cardTexts.required ? emptyText : collected.error);
        }
        onCollected({ confirmationToken: collected.token, saveCard });
      } finally {
        onBusy?.(false);
      }
    },
  });
  return (
    <form {...form} id={id} className={formStyles.form}>
      <ErrorSummary {...summary} />
      <CardField ref={card} purpose={{ kind: 'pay', amount, currency, saveCard }} disabled={busy || disabled} />
      <TextField label="Name on card" autoComplete="cc-name" {...field('name')} />
      <SaveCardBox checked={saveCard} disabled={busy || disabled} onChange={setSaveCard} />
    </form>
  );
}
