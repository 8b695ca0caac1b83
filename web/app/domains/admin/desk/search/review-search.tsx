import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useSearchParams } from 'react-router';
import { askedPage } from '../../../../ui/page/page-links.tsx';
import styles from '../admin.module.css';
import { foundReviews } from '../admin-queries.ts';
import { aboutReview, DecideDialog, type DecidedAbout } from '../decide-dialog.tsx';
import { chosenOf, FilterLinks } from '../filter-links.tsx';
import { Found } from './found.tsx';
import { Loaded } from '../loaded.tsx';
import { ReviewTable } from './review-table.tsx';
import { SearchBar } from './search-bar.tsx';

const states = [
  { value: '', name: 'All' },
  { value: 'published', name: 'Published' },
  { value: 'answered', name: 'Answered' },
  { value: 'removed', name: 'Removed' },
  { value: 'withdrawn', name: 'Withdrawn by its author' },
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
  const status = chosenOf(states, search.get('status'));
  const rating = chosenOf(stars, search.get('stars'));
  const page = askedPage(search.get('page')) ?? 1;
  const query = useQuery(
    foundReviews({
      q: search.get('q') ?? '',
      status: status ?? 'all',
      ...(rating && { stars: rating }),
      page: String(page),
    }),
  );
  return (
    <div className={styles.stack}>
      <SearchBar label="Find a review" hint="Words from it, its id, the author’s @name or email, or the listing’s #number or id" />
      <FilterLinks label="State" name="status" options={states} />
      <FilterLinks label="Stars" name="stars" options={stars} />
      <Loaded query={query}>
        {(data) => (
          <Found one="review" page={page} totalPages={data.totalPages} total={data.total}>
            <ReviewTable reviews={data.reviews} onDecide={(review) => setAbout(aboutReview(review))} />
          </Found>
        )}
      </Loaded>
      <DecideDialog about={about} onClose={() => setAbout(null)} />
    </div>
  );
}
