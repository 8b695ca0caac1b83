import type { ComponentType, ReactNode } from 'react';
import type { CardView } from './card-view.ts';

export type CardGridProps<View extends CardView = CardView> = {
  cards: readonly View[];
  level?: 2 | 3;
  /** Whether the grid is in the first view. */
  priority?: boolean;
  onOpen?: (id: string) => void;
  /** The content of each card's corner. */
  actionOf?: ((card: CardView) => ReactNode) | undefined;
  /** The content below each card. */
  noteOf?: ((card: CardView) => ReactNode) | undefined;
};

/** What a grid passes to its cards. */
export type GridCardProps<View extends CardView> = {
  card: View;
  level: 2 | 3;
  priority: boolean;
  onOpen: (() => void) | undefined;
  action: ReactNode;
  note: ReactNode;
};

/** A list of such cards, in this class's columns. */
export const createCardGrid = <View extends CardView>(Card: ComponentType<GridCardProps<View>>, className: string | undefined) =>
  function Grid({ cards, level = 2, priority = true, onOpen, actionOf, noteOf }: CardGridProps<View>) {
    return (
      <ul className={className}>
        {cards.map((card, index) => (
          <li key={card.id}>
            <Card
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
  };
