import { useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { LoadingWords } from '../../../lib/loading-view.tsx';
import { ErrorDisplay } from '../../../ui/feedback/error-display.tsx';
import { Skeleton } from '../../../ui/feedback/skeleton.tsx';
import { AnotherCardForm, type CollectedCard } from './another-card-form.tsx';
import { BrandMark } from './brand-mark.tsx';
import styles from './card-choice.module.css';
import { cardView } from './card-view.ts';
import { savedCards } from '../payment-queries.ts';

type CardChoiceProps = {
  /** Id of the chosen card; null while another one is being typed in. Undefined before anything was chosen. */
  chosen: string | null | undefined;
  onChoose: (id: string | null) => void;
  disabled?: boolean;
  /** What is to be paid, in cents: wallets show it. */
  amount: number;
  currency: 'NZD' | 'AUD';
  /** The id that the form of another card gets: a button of the page sends it. */
  formId: string;
  onCollected: (card: CollectedCard) => void;
  onBusy?: (busy: boolean) => void;
  /** What to say where no card was chosen and none typed in. */
  emptyText: string;
};

/**
 * The saved cards to pay with, and another one, or whatever else the provider's form offers. Not for the inside of a form: it brings its own, which a
 * `<button type="submit" form={formId}>` sends.
 */
export function CardChoice({ chosen, onChoose, disabled = false, formId, emptyText, ...another }: CardChoiceProps) {
  const cards = useQuery(savedCards);
  const [now] = useState(() => new Date());
  const name = useId();
  if (cards.isError) return <ErrorDisplay error={{ message: 'Failed to load data' }} onRetry={() => void cards.refetch()} />;
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
        const { id, brand, label, expiry, isExpired, name: holder } = cardView(card, now);
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
