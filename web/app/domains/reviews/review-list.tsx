import { formatDate } from '@handwise/contract/dates';
import { counted } from '@handwise/contract/numbers';
import { removalReasons, type ReviewOrder, reviewOrders, reviewPageSize } from '@handwise/contract/reviews/words';
import { type ReactNode, useRef, useState } from 'react';
import { call } from '../../lib/api.ts';
import { Button } from '../../ui/forms/button.tsx';
import { SelectField } from '../../ui/forms/form-field.tsx';
import styles from './review-list.module.css';
import type { ReviewsView, ReviewView } from './review-view.ts';
import { IconMessageCheck, IconMessageOff } from '@tabler/icons-react';
import { Avatar } from '../../ui/pictures/avatar.tsx';
import { PictureLinks } from '../../ui/pictures/picture-links.tsx';
import { Stars } from '../../ui/pictures/stars.tsx';
import type { ReviewStub } from '@handwise/contract/reviews/shown';

type ReviewListProps = {
  listingId: string;
  business: string;
  reviews: ReviewsView;
  actionOf?: ((review: ReviewView) => ReactNode) | undefined;
};

/** The reviews of a listing: the first few come with the page, other orders, other stars and older ones on demand. */
export function ReviewList({ listingId, business, reviews, actionOf }: ReviewListProps) {
  const [shown, setShown] = useState(() => createFirstShown(reviews));
  const [state, setState] = useState<'ready' | 'reading' | 'failed'>('ready');
  const requests = useRef(0);
  const { order, stars, list, total } = shown;

  async function read(chosen: Chosen, page: number) {
    requests.current += 1;
    const request = requests.current;
    setState('reading');
    try {
      const [answer, { toReviewView }] = await Promise.all([
        call('GET /listing/:id/reviews', {
          params: { id: listingId },
          query: { sort: chosen.order, stars: chosen.stars === null ? undefined : starsParameter(chosen.stars), page },
        }),
        // Loaded only now, because the first reviews come as views.
        import('./review-view.ts'),
      ]);
      // The choice has changed since.
      if (request !== requests.current) return;
      const more = answer.reviews.map((review) => toReviewView(review, reviews.timeZone, new Date()));
      setShown((now) => withPage(now, chosen, page, { total: answer.totalReviews, list: more, removed: answer.removed }));
      setState('ready');
    } catch {
      if (request === requests.current) setState('failed');
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
          A review was removed on {formatDate(stub.removedAt, reviews.timeZone)}. {removalReasons[stub.because]}
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

const icon = { size: 16, stroke: 1.75, 'aria-hidden': true } as const;

/** One review with the seller's answer. `action` is what this reader can do with it. */
const ReviewCard = ({ review, business, action }: { review: ReviewView; business: string; action?: ReactNode }) => (
  <article className={styles.review}>
    <Avatar name={review.name} src={review.avatar} color="#0F5F55" size={44} />
    <div className={styles.text}>
      <h3 className={styles.name}>{review.name}</h3>
      <p className={styles.when}>
        <Stars value={review.rating} size={16} />
        <span className="muted">
          {review.age} · <time dateTime={review.createdAt}>{review.date}</time>
          {review.edited && ' · edited'}
        </span>
      </p>
      <p className={`${styles.evidence} ${review.hasContact ? styles.contact : ''}`}>
        {review.hasContact ? <IconMessageCheck {...icon} /> : <IconMessageOff {...icon} />}
        {review.evidence}
      </p>
      <p className={styles.comment}>{review.comment}</p>
      <PictureLinks pictures={review.pictures} />
      {review.answer && (
        <div className={styles.answer}>
          <p>
            <strong>Answer from {business}</strong> <span className="muted">{review.answer.date}</span>
          </p>
          <p className={styles.comment}>{review.answer.comment}</p>
        </div>
      )}
      {action}
    </div>
  </article>
);

/** The chosen order and number of stars. */
type Chosen = { order: ReviewOrder; stars: number | null };

/** The loaded pages of the chosen reviews, in order. */
type Shown = Chosen & { total: number; pages: number; list: readonly ReviewView[]; removed: readonly ReviewStub[] };

/** The reviews that come with the page. */
export const createFirstShown = ({ total, newest, removed }: ReviewsView): Shown => ({
  order: 'newest',
  stars: null,
  total,
  pages: 1,
  list: newest,
  removed,
});

export const hasMore = ({ total, pages }: Pick<Shown, 'total' | 'pages'>) => pages * reviewPageSize < total;

/** Appends the next page, or starts with the first page of another choice. */
export function withPage(
  now: Shown,
  chosen: Chosen,
  page: number,
  read: { total: number; list: readonly ReviewView[]; removed: readonly ReviewStub[] },
): Shown {
  if (page === 1) return { ...chosen, ...read, pages: 1 };
  // After a new review the last ones of the previous page appear on this one again.
  const shownIds = new Set(now.list.map(({ id }) => id));
  return { ...now, total: read.total, pages: page, list: [...now.list, ...read.list.filter(({ id }) => !shownIds.has(id))] };
}
