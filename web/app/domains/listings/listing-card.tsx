import { paths } from '@handwise/contract/paths';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { Avatar } from '../../ui/pictures/avatar.tsx';
import { Picture } from '../../ui/pictures/picture.tsx';
import { RatingLine } from '../../ui/pictures/stars.tsx';
import { CardFacts } from '../evidence/card-facts.tsx';
import type { CardView } from './card-view.ts';
import styles from './listing-card.module.css';
import { PlacementLabel } from './placement-label.tsx';

type ListingCardProps = {
  card: CardView;
  /** Of the card's title, so that headings of a page follow each other. */
  level?: 2 | 3;
  /** For the first card of a page: its picture decides how fast the page feels. */
  priority?: boolean;
  onOpen?: (() => void) | undefined;
  /** In the corner opposite the plan's label, above the link: the heart. */
  action?: ReactNode;
  /** Of this list: beside the link, above what it covers. */
  note?: ReactNode;
  /** It has ended: still shown, but not offered. The label says so. */
  ended?: string | undefined;
  /** Without links: the preview of a listing that is being written. */
  preview?: boolean;
};

const sizes = '(min-width: 1264px) 282px, (min-width: 900px) 31vw, (min-width: 600px) 46vw, 320px';

// Plain elements on purpose: a page renders twenty of these. The link covers the card, so all of it can be pressed, and
// assistive technology meets one link.
export function ListingCard({ card, level = 2, priority = false, onOpen, action, note, ended, preview = false }: ListingCardProps) {
  const Title = `h${level}` as const;
  return (
    <article className={`card card-lift ${styles.card}`} data-ended={ended !== undefined || undefined}>
      <div className={styles.media}>
        <Picture picture={card.cover} categorySlug={card.categorySlug} sizes={sizes} priority={priority} alt="" />
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
      {/* Read after the listing that it is about. */}
      {action && <div className={styles.action}>{action}</div>}
    </article>
  );
}

type CardGridProps = {
  cards: readonly CardView[];
  level?: 2 | 3;
  /** Whether the grid is in the first view. */
  priority?: boolean;
  onOpen?: (id: string) => void;
  /** The content of each card's corner. */
  actionOf?: ((card: CardView) => ReactNode) | undefined;
  /** The content below each card. */
  noteOf?: ((card: CardView) => ReactNode) | undefined;
};

export const CardGrid = ({ cards, level = 2, priority = true, onOpen, actionOf, noteOf }: CardGridProps) => (
  <ul className="cards">
    {cards.map((card, index) => (
      <li key={card.id}>
        <ListingCard
          card={card}
          level={level}
          priority={priority && index === 0}
          onOpen={onOpen && (() => onOpen(card.id))}
          action={actionOf?.(card)}
          note={noteOf?.(card)}
        />
      </li>
    ))}
  </ul>
);
