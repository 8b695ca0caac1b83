import { EmptyState } from '../../ui/feedback/empty-state.tsx';

/** In the place of cards, behind the last page of a list. */
export const NoCardsHere = () => (
  <EmptyState title="This page has no listings any more">The list ends earlier. Choose one of its pages below.</EmptyState>
);
