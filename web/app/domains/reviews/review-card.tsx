import { IconMessageCheck, IconMessageOff } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { Avatar } from '../../ui/pictures/avatar.tsx';
import { Stars } from '../../ui/pictures/stars.tsx';
import type { ReviewView } from './review-view.ts';
import styles from './review-card.module.css';

const icon = { size: 16, stroke: 1.75, 'aria-hidden': true } as const;

/** One review with the seller's answer. `action` is what can be done with it, for whoever reads the page. */
export const ReviewCard = ({ review, business, action }: { review: ReviewView; business: string; action?: ReactNode }) => (
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
