import { paths } from '@handwise/contract/paths';
import { ButtonLink } from '../../../ui/forms/button.tsx';
import { EmptyState } from '../../../ui/feedback/empty-state.tsx';

/** Instead of a page about a listing that is missing or somebody else's: which of the two is not told. */
export const NotYours = () => (
  <EmptyState
    title="This listing isn't here"
    drawing="signpost"
    level={1}
    action={<ButtonLink to={paths.ownListings}>My Listings</ButtonLink>}
  >
    It may have been removed, or belong to another account.
  </EmptyState>
);
