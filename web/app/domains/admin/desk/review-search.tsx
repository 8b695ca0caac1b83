import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useSearchParams } from 'react-router';
import { LoadingView } from '../../../lib/loading-view.tsx';
import { ErrorDisplay } from '../../../ui/feedback/error-display.tsx';
import { askedPage } from '../../../ui/page/pagination.ts';
import styles from './admin.module.css';
import { foundReviews } from './admin-queries.ts';
import { aboutReview, DecideDialog, type DecidedAbout } from './decide-dialog.tsx';
import { FilterLinks } from './filter-links.tsx';
import { Found } from './found.tsx';
import { ReviewTable } from './review-table.tsx';
import { SearchBar } from './search-bar.tsx';

const states = [
  { value: '', name: 'All' },
  { value: 'published', name: 'Published' },
  { value: 'answered', name: 'Answered' },
  { value: 'removed', name: 'Removed' },
  { value: 'withdrawn', name: 'Taken back' },
] as const;
const stars = [
  { value: '', name: 'Any' },
  { value: '1', name: '1 star' },
  { value: '2', name: '2 stars' },
  { value: '3', name: '3 stars' },
  { value: '4', name: '4 stars' },
  { value: '5', name: '5 stars' },
] as const;

/** Reviews whatever became of them, with what can be decided about each. */
export function ReviewSearch() {
  const [search] = useSearchParams();
  const [about, setAbout] = useState<DecidedAbout | null>(null);
  const status = states.find((one) => one.value !== '' && one.value === search.get('status'))?.value ?? '';
  const rating = stars.find((one) => one.value !== '' && one.value === search.get('stars'))?.value ?? '';
  const page = askedPage(search.get('page')) ?? 1;
  const query = useQuery(
    foundReviews({
      q: search.get('q') ?? '',
      status: status === '' ? 'all' : status,
      ...(rating !== '' && { stars: rating }),
      page: String(page),
    }),
  );
  return (
    <div className={styles.stack}>
      <SearchBar label="Find a review" hint="Words of it, id, the author’s @name or email, or the listing’s #number or id" />
      <FilterLinks label="State" name="status" options={states} />
      <FilterLinks label="Stars" name="stars" options={stars} />
      {query.error ? (
        <ErrorDisplay error={query.error} onRetry={() => void query.refetch()} />
      ) : !query.data ? (
        <LoadingView />
      ) : (
        <Found one="review" page={page} totalPages={query.data.totalPages} total={query.data.total}>
          <ReviewTable reviews={query.data.reviews} onDecide={(review) => setAbout(aboutReview(review))} />
        </Found>
      )}
      <DecideDialog about={about} onClose={() => setAbout(null)} />
    </div>
  );
}
