import { ErrorSummary } from '../../ui/forms/error-summary.tsx';
import { Button } from '../../ui/forms/button.tsx';
import { bankText } from './checkout-words.ts';
import styles from './checkout.module.css';
import type { useCheckout } from './use-checkout.ts';

/** Reads out what is going on; the button shows it. */
export const Announce = ({ phase }: { phase: string | null }) => (
  <p className="visually-hidden" role="status">
    {phase}
  </p>
);

/** While it is not known what is to be paid, or whether it was: no second payment can begin here. */
export function CheckoutWaiting({ checkout }: { checkout: ReturnType<typeof useCheckout> }) {
  const { phase, bankWaits, trouble, retry } = checkout;
  if (trouble) {
    return (
      <div className={styles.waiting}>
        <ErrorSummary message={trouble} attempt={1} />
        <Button onClick={retry}>Try Again</Button>
      </div>
    );
  }
  return (
    <div className={styles.waiting} role="status">
      <span className="spinner" aria-hidden="true" />
      <div>
        <p>
          <strong>{phase}</strong>
        </p>
        {bankWaits && <p className="muted">{bankText}</p>}
      </div>
    </div>
  );
}
