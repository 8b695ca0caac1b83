import { counted } from '@handwise/contract/numbers';
import { paths } from '@handwise/contract/paths';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useSearchParams } from 'react-router';
import { Button, ButtonLink } from '../../../ui/forms/button.tsx';
import { Dialog } from '../../../ui/feedback/dialog.tsx';
import { EmptyState } from '../../../ui/feedback/empty-state.tsx';
import { ErrorDisplay } from '../../../ui/feedback/error-display.tsx';
import { CardGridSkeleton } from '../../../ui/feedback/skeleton.tsx';
import { myListings, type StatusFilter, useDeactivation } from './my-listings-queries.ts';
import styles from './my-listings.module.css';
import { type OwnCardView, ownCardView } from './own-card-view.ts';
import { OwnListingCard } from './own-listing-card.tsx';
import { FilterLinks, PageLinks, askedPage, ListCount, ListPage, useListStart } from '../../../ui/page/page-links.tsx';
import { NoCardsHere } from '../../listings/no-cards-here.tsx';

const filters: readonly { status: StatusFilter; name: string; empty: string }[] = [
  { status: 'all', name: 'All', empty: 'You have not published anything yet. Your first listing is a few minutes away.' },
  { status: 'active', name: 'Active', empty: 'None of your listings is active: nobody can find you in the search right now.' },
  { status: 'inactive', name: 'Inactive', empty: 'None of your listings is switched off.' },
  { status: 'expired', name: 'Expired', empty: 'None of your listings has expired.' },
];

const addressOf = (status: StatusFilter, page = 1) => {
  const search = new URLSearchParams({ ...(status !== 'all' && { status }), ...(page > 1 && { page: String(page) }) }).toString();
  return paths.ownListings + (search && `?${search}`);
};

/** One's own listings with what can be done with each. Filter and page stand in the address. Needs `Queries` around it. */
export function MyListings({ figuresOf }: { figuresOf?: (card: OwnCardView) => ReactNode }) {
  const [search] = useSearchParams();
  const filter = filters.find((one) => one.status === search.get('status')) ?? filters[0];
  const status = filter?.status ?? 'all';
  const page = askedPage(search.get('page')) ?? 1;
  const query = useQuery(myListings(status, page));
  const [now] = useState(() => new Date());
  const [asked, setAsked] = useState<OwnCardView | null>(null);
  const { start, focus, show } = useListStart();

  return (
    <div className={styles.page}>
      <FilterLinks
        label="Status"
        links={filters.map((one) => ({ to: addressOf(one.status), name: one.name, isCurrent: one.status === status }))}
      />
      <ListCount start={start}>
        {query.data && !query.isPlaceholderData && query.data.totalListings > 0 && counted(query.data.totalListings, 'listing')}
      </ListCount>
      {query.isError ? (
        <ErrorDisplay error={query.error} onRetry={() => void query.refetch()} />
      ) : !query.data ? (
        <CardGridSkeleton cards={6} />
      ) : query.data.totalListings === 0 ? (
        <EmptyState title="No listings found" action={<ButtonLink to={paths.addListing}>Add a new listing</ButtonLink>}>
          {filter?.empty}
        </EmptyState>
      ) : (
        <ListPage busy={query.isPlaceholderData}>
          {query.data.listings.length === 0 && <NoCardsHere />}
          <ul className="cards" data-wide>
            {query.data.listings.map((listing) => {
              const card = ownCardView(listing, now);
              return (
                <li key={card.id}>
                  <OwnListingCard card={card} figures={figuresOf?.(card)} onDeactivate={setAsked} />
                </li>
              );
            })}
          </ul>
          <PageLinks current={page} total={query.data.totalPages} to={(next) => addressOf(status, next)} onChoose={show} />
        </ListPage>
      )}
      <DeactivateDialog listing={asked} onClose={() => setAsked(null)} onDone={focus} />
    </div>
  );
}

type DeactivateDialogProps = { listing: OwnCardView | null; onClose: () => void; onDone: () => void };

function DeactivateDialog({ listing, onClose, onDone }: DeactivateDialogProps) {
  const deactivation = useDeactivation();
  return (
    <Dialog
      open={listing !== null}
      onClose={onClose}
      title="Deactivate listing"
      actions={
        <>
          <Button kind="secondary" onClick={onClose}>
            Keep it active
          </Button>
          <Button
            kind="danger"
            busy={deactivation.isPending}
            onClick={() =>
              listing &&
              deactivation.mutate(listing.id, {
                onSettled: () => {
                  onClose();
                  onDone();
                },
              })
            }
          >
            Deactivate
          </Button>
        </>
      }
    >
      <p>Are you sure you want to deactivate this listing?</p>
      <p className={styles.consequence}>
        <strong>{listing?.title}</strong> leaves the search straight away and keeps its place in your plan: until the plan ends, you can
        bring it back at no cost.
      </p>
    </Dialog>
  );
}
