import { paths } from '@handwise/contract/paths';
import { Link } from 'react-router';
import { Picture } from '../../../ui/pictures/picture.tsx';
import { RatingLine } from '../../../ui/pictures/stars.tsx';
import { type CardGridProps, createCardGrid, type GridCardProps } from '../../listings/card-grid.tsx';
import type { CardView } from '../../listings/card-view.ts';
import { PlacementLabel } from '../../listings/placement-label.tsx';
import { formatDistance } from './distance-words.ts';
import styles from './result-card.module.css';

/** A listing among the results of a search. */
export type ResultView = CardView & { distanceKm?: number | undefined; travels?: boolean | undefined };

export type ResultGridProps = CardGridProps<ResultView>;

const sizes = '(min-width: 600px) 180px, 144px';
// More would take a second line.
const mostFacts = 3;

/** Name, rating, distance and price in strong lines, then what speaks for the business in one. The link covers the card. */
function ResultCard({ card, level, priority, onOpen, action, note }: GridCardProps<ResultView>) {
  const { facts, distanceKm } = card;
  const Name = level === 2 ? 'h2' : 'h3';
  const shown = [facts.verified, facts.licence, facts.availability, ...facts.others].filter(Boolean).slice(0, mostFacts);
  return (
    <article className={`card card-lift ${styles.card}`}>
      <div className={styles.media}>
        <Picture picture={card.cover} categorySlug={card.categorySlug} sizes={sizes} priority={priority} alt="" />
        <div className={styles.corner}>
          <PlacementLabel plan={card.plan} />
        </div>
      </div>
      <div className={styles.body}>
        <Name className={styles.name}>
          <Link className={styles.link} to={paths.listing(card.id)} onClick={onOpen}>
            {card.business.name}
          </Link>
        </Name>
        <p className={styles.title}>{card.title}</p>
        <p className={styles.strong}>
          <RatingLine average={card.averageRating} reviews={card.reviewCount} />
          <span className={styles.place}>
            {distanceKm === undefined ? (
              card.place
            ) : (
              <>
                <strong>{formatDistance(distanceKm)}</strong>
                {card.travels && ', travels to you'} · {card.place}
              </>
            )}
          </span>
        </p>
        {facts.price !== null && (
          <p className={styles.price}>
            <strong>{facts.price}</strong>
            {facts.fees && <span>, {facts.fees}</span>}
          </p>
        )}
        <div className={styles.foot}>
          {shown.length > 0 && <p className={styles.facts}>{shown.join('\u00a0· ')}</p>}
          {note}
        </div>
      </div>
      {/* Last, so that it is read after its listing. */}
      {action && <div className={styles.action}>{action}</div>}
    </article>
  );
}

export const ResultGrid = createCardGrid(ResultCard, styles.grid);
