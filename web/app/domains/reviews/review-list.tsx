import { dateText } from '@handwise/contract/dates';
import { counted } from '@handwise/contract/numbers';
import { removalReasons, type ReviewOrder, reviewOrders } from '@handwise/contract/reviews/words';
import type { listReviews } from '@handwise/contract/reviews/calls';
import { type ReactNode, useRef, useState } from 'react';
import { call } from '../../lib/api.ts';
import { Button } from '../../ui/forms/button.tsx';
import { SelectField } from '../../ui/forms/form-field.tsx';
import { ReviewCard } from './review-card.tsx';
import styles from './review-list.module.css';
import { type Chosen, firstShown, hasMore, withPage } from './review-pages.ts';
import type { ReviewsView, ReviewView } from './review-view.ts';

type ReviewListProps = {
  listingId: string;
  business: string;
  reviews: ReviewsView;
  actionOf?: ((review: ReviewView) => ReactNode) | undefined;
};

/** The reviews of a listing: the first few come with the page, other orders, other stars and older ones on demand. */
export function ReviewList({ listingId, business, reviews, actionOf }: ReviewListProps) {
  const [shown, setShown] = useState(() => firstShown(reviews));
  const [state, setState] = useState<'ready' | 'reading' | 'failed'>('ready');
  const asked = useRef(0);
  const { order, stars, list, total } = shown;

  async function read(chosen: Chosen, page: number) {
    asked.current += 1;
    const turn = asked.current;
    setState('reading');
    try {
      const [answer, { reviewView }] = await Promise.all([
        call<typeof listReviews>(
          { method: 'GET', url: '/listing/:id/reviews' },
          {
            params: { id: listingId },
            query: { sort: chosen.order, stars: chosen.stars === null ? undefined : starsParameter(chosen.stars), page },
          },
        ),
        // The first few came as they are shown.
        import('./review-view.ts'),
      ]);
      // Something else was chosen meanwhile.
      if (turn !== asked.current) return;
      const more = answer.reviews.map((review) => reviewView(review, reviews.timeZone, new Date()));
      setShown((now) => withPage(now, chosen, page, { total: answer.totalReviews, list: more, removed: answer.removed }));
      setState('ready');
    } catch {
      if (turn === asked.current) setState('failed');
    }
  }
  const choose = (change: Partial<Chosen>) => void read({ order, stars, ...change }, 1);

  return (
    <div className={styles.frame}>
      {reviews.total > 1 && (
        <div className={styles.choices}>
          <SelectField label="Order" value={order} onChange={(event) => choose({ order: event.target.value as ReviewOrder })}>
            {Object.entries(reviewOrders).map(([value, name]) => (
              <option key={value} value={value}>
                {name}
              </option>
            ))}
          </SelectField>
          <SelectField
            label="Stars"
            value={stars ?? ''}
            onChange={(event) => choose({ stars: event.target.value === '' ? null : Number(event.target.value) })}
          >
            <option value="">All</option>
            {[5, 4, 3, 2, 1].map((value) => (
              <option key={value} value={value}>
                {counted(value, 'star')}
              </option>
            ))}
          </SelectField>
        </div>
      )}
      <p className="visually-hidden" role="status">
        {state === 'reading' ? 'Loading content...' : `${list.length} of ${counted(total, 'review')} shown`}
      </p>
      {state === 'failed' && <p role="alert">The reviews could not be loaded just now. Please try again.</p>}
      {list.length === 0 && state === 'ready' && stars !== null && <p className="muted">No review gave {counted(stars, 'star')}.</p>}
      <ul aria-busy={state === 'reading'} className={styles.list}>
        {list.map((review) => (
          <li key={review.id}>
            <ReviewCard review={review} business={business} action={actionOf?.(review)} />
          </li>
        ))}
      </ul>
      {shown.removed.map((stub) => (
        <p key={stub._id} className={styles.stub}>
          A review was removed on {dateText(stub.removedAt, reviews.timeZone)}. {removalReasons[stub.because]}
        </p>
      ))}
      {hasMore(shown) && (
        <Button kind="secondary" busy={state === 'reading'} onClick={() => void read({ order, stars }, shown.pages + 1)}>
          Show more reviews
        </Button>
      )}
    </div>
  );
}

const starsParameter = (stars: number) => String(stars) as '1' | '2' | '3' | '4' | '5';
