import { EmptyState } from '../../ui/feedback/empty-state.tsx';

/** Replaces the cards beyond the last page of a list. */
export const NoCardsHere = () => (
  <EmptyState title="There are no listings on this page any more">The list is shorter now. Choose a page below.</EmptyState>
);
