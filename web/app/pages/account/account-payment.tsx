import { paths } from '@handwise/contract/paths';
import { Link } from 'react-router';
import { pageMeta } from '../../lib/page-meta.ts';
import type { Route } from './+types/account-payment';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { call } from '../../lib/api.ts';
import { ApiError } from '../../lib/api-error.ts';
import { LoadingWords } from '../../lib/loading-view.tsx';
import { Button } from '../../ui/forms/button.tsx';
import { Dialog } from '../../ui/feedback/dialog.tsx';
import { EmptyState } from '../../ui/feedback/empty-state.tsx';
import { ErrorDisplay } from '../../ui/feedback/error-display.tsx';
import { Skeleton } from '../../ui/feedback/skeleton.tsx';
import { toast } from '../../ui/feedback/toast.tsx';
import { AddCardForm } from '../../domains/payments/cards/add-card-form.tsx';
import { BrandMark } from '../../domains/payments/cards/brand-mark.tsx';
import { type SavedCardView, toSavedCardView } from '../../domains/payments/cards/card-view.ts';
import { savedCards } from '../../domains/payments/payment-queries.ts';
import styles from './account-payment.module.css';

export const meta: Route.MetaFunction = ({ matches }) =>
  pageMeta(matches, { title: 'Payment', description: 'Your saved cards and tax invoices.', path: paths.cards, noIndex: true });

export default function AccountPaymentPage() {
  return (
    <>
      <SavedCards />
      <p>
        What you have paid so far: <Link to={paths.receipts}>your tax invoices</Link>.
      </p>
    </>
  );
}

/** The member's saved cards: list, add, delete. */
function SavedCards() {
  const cards = useQuery(savedCards);
  const [isAdding, setAdding] = useState(false);
  const [pending, setPending] = useState<SavedCardView | null>(null);
  const [now] = useState(() => new Date());
  const heading = useRef<HTMLHeadingElement>(null);
  const done = (text: string) => {
    toast(text);
    // The pressed button is gone.
    heading.current?.focus();
  };

  // A card that is being typed stays.
  if (cards.isError && !cards.data) return <ErrorDisplay error={cards.error} onRetry={() => void cards.refetch()} />;
  const isEmpty = cards.data?.length === 0;
  const add = (
    <Button kind={isEmpty ? 'primary' : 'secondary'} onClick={() => setAdding(true)}>
      <IconPlus size={20} stroke={1.75} aria-hidden="true" />
      Add a card
    </Button>
  );
  return (
    <section className={styles.section} aria-labelledby="saved-cards">
      <div className={styles.head}>
        <h2 id="saved-cards" ref={heading} tabIndex={-1}>
          Saved cards
        </h2>
        {!isAdding && cards.data && !isEmpty && add}
      </div>
      {isAdding && (
        <div className={`card ${styles.adding}`}>
          <h3>Add a card</h3>
          <AddCardForm
            onAdded={() => {
              setAdding(false);
              done('Card saved');
            }}
            onCancel={() => setAdding(false)}
          />
        </div>
      )}
      {!cards.data && <CardsSkeleton />}
      {isEmpty && !isAdding && (
        <EmptyState title="No payment methods found" action={add}>
          Save a card to change plans and reactivate listings without typing it again.
        </EmptyState>
      )}
      {cards.data && !isEmpty && (
        <ul className={styles.cards}>
          {cards.data.map((card) => (
            <SavedCard key={card._id} card={toSavedCardView(card, now)} onDelete={setPending} />
          ))}
        </ul>
      )}
      <DeleteDialog card={pending} onClose={() => setPending(null)} onDeleted={() => done('Card deleted')} />
    </section>
  );
}

const SavedCard = ({ card, onDelete }: { card: SavedCardView; onDelete: (card: SavedCardView) => void }) => (
  <li className={`card ${styles.card}`}>
    <BrandMark brand={card.brand} />
    <div className={styles.facts}>
      <p className={styles.label}>{card.label}</p>
      <p className={styles.detail}>{card.name}</p>
      <p className={styles.detail}>
        {card.isExpired ? <span className={styles.expired}>Expired {card.expiry}</span> : <>Expires {card.expiry}</>}
      </p>
    </div>
    <Button kind="quiet" size="sm" onClick={() => onDelete(card)}>
      <IconTrash size={20} stroke={1.75} aria-hidden="true" />
      <span className={styles.delete}>
        Delete<span className="visually-hidden"> {card.label}</span>
      </span>
    </Button>
  </li>
);

type DeleteDialogProps = { card: SavedCardView | null; onClose: () => void; onDeleted: () => void };

function DeleteDialog({ card, onClose, onDeleted }: DeleteDialogProps) {
  const queries = useQueryClient();
  const deletion = useMutation({
    mutationFn: (id: string) => call('DELETE /credit/:id', { params: { id } }),
    onError: (error) => {
      // Already deleted in another tab.
      if (!(error instanceof ApiError && error.code === 'card_not_found')) toast(error.message, 'error');
    },
    onSuccess: onDeleted,
    onSettled: async (_data, error, id) => {
      queries.setQueryData(savedCards.queryKey, (cards) => (error ? cards : cards?.filter((one) => one._id !== id)));
      onClose();
      await queries.invalidateQueries(savedCards);
    },
  });
  return (
    <Dialog
      open={card !== null}
      onClose={onClose}
      title="Delete this card?"
      actions={
        <>
          <Button kind="secondary" onClick={onClose}>
            Keep card
          </Button>
          <Button kind="danger" busy={deletion.isPending} onClick={() => card && deletion.mutate(card.id)}>
            Delete card
          </Button>
        </>
      }
    >
      <p>
        <strong>{card?.label}</strong> will be removed here and at the payment provider. Plans it paid for run to their end, and you can add
        it again at any time.
      </p>
    </Dialog>
  );
}

const CardsSkeleton = () => (
  <div className={styles.cards} role="status">
    <LoadingWords />
    {Array.from({ length: 2 }, (_, index) => (
      <Skeleton key={index} width="100%" height={104} radius="var(--radius)" />
    ))}
  </div>
);
