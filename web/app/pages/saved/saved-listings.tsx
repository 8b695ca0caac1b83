import { paths } from '@handwise/contract/paths';
import { pageMeta } from '../../lib/page-meta.ts';
import { ListingTabs } from '../layouts/listing-tabs.tsx';
import styles from './saved-listings.module.css';
import type { Route } from './+types/saved-listings';
import type { ListingStatus } from '@handwise/contract/listings/calls';
import { counted } from '@handwise/contract/numbers';
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useSearchParams } from 'react-router';
import { call } from '../../lib/api.ts';
import { EmptyState } from '../../ui/feedback/empty-state.tsx';
import { ErrorDisplay } from '../../ui/feedback/error-display.tsx';
import { ReloadProblem } from '../../ui/feedback/reload-problem.tsx';
import { CardGridSkeleton } from '../../ui/feedback/skeleton.tsx';
import { ButtonLink } from '../../ui/forms/button.tsx';
import { ListCount, ListPage, useListStart, PageLinks, getRequestedPage } from '../../ui/page/page-links.tsx';
import { NoCardsHere } from '../../domains/listings/no-cards-here.tsx';
import { toCardView } from '../../domains/listings/card-view.ts';
import { ListingCard } from '../../domains/listings/listing-card.tsx';
import { CompareBar, CompareChoice, maxCompared } from '../../domains/saved/compare-choice.tsx';
import { SaveHeart } from '../../domains/saved/save-heart.tsx';

export const meta: Route.MetaFunction = ({ matches }) =>
  pageMeta(matches, {
    title: 'Saved Listings',
    description: 'The listings you keep for later.',
    path: paths.savedListings,
    noIndex: true,
  });

export default function SavedListingsPage() {
  return (
    <div className={styles.page}>
      <h1 className={styles.heading}>Saved Listings</h1>
      <ListingTabs />
      <SavedListings />
    </div>
  );
}

const savedPage = (page: number) =>
  queryOptions({
    queryKey: ['saved', page],
    queryFn: ({ signal }) => call('GET /listing/saved/find', { query: { page } }, signal),
    placeholderData: keepPreviousData,
    // Hearts change on other pages, so the list is always reloaded.
    staleTime: 0,
  });

const endings: Record<ListingStatus, string | undefined> = {
  active: undefined,
  inactive: 'Not available right now',
  expired: 'Has ended',
  hidden: 'Not available right now',
};

const getAddress = (page: number) => (page > 1 ? `${paths.savedListings}?page=${page}` : paths.savedListings);

/** The saved listings, ended ones dimmed. A removed one stays until the page is left, so that it can be saved again. */
function SavedListings() {
  const [search] = useSearchParams();
  const page = getRequestedPage(search.get('page')) ?? 1;
  const query = useQuery(savedPage(page));
  const [compared, setCompared] = useState<readonly string[]>([]);
  const { start, show } = useListStart();
  if (query.isError && !query.data) return <ErrorDisplay error={query.error} onRetry={() => void query.refetch()} />;
  if (!query.data) return <CardGridSkeleton cards={6} />;
  const { listings, totalListings, totalPages } = query.data;
  if (totalListings === 0) {
    return (
      <>
        <ReloadProblem query={query} />
        <EmptyState title="No saved listings" action={<ButtonLink to={paths.browse}>Browse services</ButtonLink>}>
          Tap the heart on a listing to keep it here.
        </EmptyState>
      </>
    );
  }
  return (
    <ListPage busy={query.isPlaceholderData}>
      <ReloadProblem query={query} />
      <ListCount start={start}>{counted(totalListings, 'listing')}</ListCount>
      {listings.length === 0 && <NoCardsHere />}
      <ul className={`cards ${styles.cards}`}>
        {listings.map((listing) => {
          const card = toCardView(listing);
          return (
            <li key={card.id}>
              <ListingCard card={card} ended={endings[listing.status]} action={<SaveHeart listing={card} />} />
              {listing.status === 'active' && (
                <CompareChoice
                  title={card.title}
                  chosen={compared.includes(card.id)}
                  full={compared.length >= maxCompared}
                  onChange={(chosen) => setCompared((now) => (chosen ? [...now, card.id] : now.filter((id) => id !== card.id)))}
                />
              )}
            </li>
          );
        })}
      </ul>
      <PageLinks current={page} total={totalPages} to={getAddress} onChoose={show} />
      <CompareBar ids={compared} onClear={() => setCompared([])} />
    </ListPage>
  );
}
