import type { ReactNode } from 'react';
import type { CardView } from './card-view.ts';
import { ListingCard } from './listing-card.tsx';

type CardGridProps = {
  cards: readonly CardView[];
  level?: 2 | 3;
  /** Whether the grid is what one sees first. */
  priority?: boolean;
  onOpen?: (id: string) => void;
  /** What stands in each card's corner. */
  actionOf?: ((card: CardView) => ReactNode) | undefined;
  /** What stands below each card. */
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
