import { paths } from '@handwise/contract/paths';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { Avatar } from '../../ui/pictures/avatar.tsx';
import { Picture } from '../../ui/pictures/picture.tsx';
import { RatingLine } from '../../ui/pictures/stars.tsx';
import { CardFacts } from '../facts/card-facts.tsx';
import { createCardGrid } from './card-grid.tsx';
import { cardSizes } from './card-sizes.ts';
import type { CardView } from './card-view.ts';
import styles from './listing-card.module.css';
import { PlacementLabel } from './placement-label.tsx';

type ListingCardProps = {
  card: CardView;
  /** The heading level of the card's title. */
  level?: 2 | 3;
  /** For the first card of a page, whose picture must load first. */
  priority?: boolean;
  onOpen?: (() => void) | undefined;
  /** The heart, in the corner opposite the plan's label and above the link. */
  action?: ReactNode;
  /** The list's note, which is above the link that covers the card. */
  note?: ReactNode;
  /** The label of an ended listing, which is shown but not offered. */
  ended?: string | undefined;
  /** Without links, for the preview of a draft. */
  preview?: boolean;
};

// Plain elements, because a page renders twenty cards. The link covers the card, so that all of it can be pressed and assistive technology
// finds one link.
export function ListingCard({ card, level = 2, priority = false, onOpen, action, note, ended, preview = false }: ListingCardProps) {
  const Title = `h${level}` as const;
  return (
    <article className={`card card-lift ${styles.card}`} data-ended={ended !== undefined || undefined}>
      <div className={styles.media}>
        <Picture picture={card.cover} categorySlug={card.categorySlug} sizes={cardSizes} priority={priority} alt="" />
        <div className={styles.corner}>
          {ended === undefined ? <PlacementLabel plan={card.plan} /> : <span className={styles.ended}>{ended}</span>}
        </div>
      </div>
      <div className={styles.body}>
        <Title className={styles.title}>{card.title}</Title>
        <p className={styles.business}>
          <Avatar name={card.business.name} src={card.business.logo} color={card.business.color} size={28} />
          <span>{card.business.name}</span>
        </p>
        <RatingLine average={card.averageRating} reviews={card.reviewCount} />
        <p className={styles.location}>{card.location}</p>
        {card.serviceArea && <p className={styles.location}>{card.serviceArea}</p>}
        <CardFacts facts={card.facts} />
        <p className={styles.description}>{card.description}</p>
        {!preview && (
          <div className={styles.foot}>
            <Link className={styles.link} to={paths.listing(card.id)} onClick={onOpen}>
              Read more<span className="visually-hidden"> about {card.title}</span>
            </Link>
            {note}
          </div>
        )}
      </div>
      {/* Last, so that it is read after its listing. */}
      {action && <div className={styles.action}>{action}</div>}
    </article>
  );
}

export const CardGrid = createCardGrid(ListingCard, 'cards');
