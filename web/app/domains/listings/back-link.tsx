import { paths } from '@handwise/contract/paths';
import { useQuery } from '@tanstack/react-query';
import { call } from '../../lib/api.ts';
import { ButtonLink } from '../../ui/forms/button.tsx';

const listingOf = (path: string) => new RegExp(`^${paths.listing('([\\da-f-]{36})')}(?=[?#]|$)`, 'i').exec(path)?.[1];

/** Links back to the previous page; to a listing by its title. */
export function BackLink({ to }: { to: string }) {
  const id = listingOf(to);
  const listing = useQuery({
    queryKey: ['listing', id],
    queryFn: ({ signal }) => call('GET /listing/:id', { params: { id: id ?? '' } }, signal),
    enabled: id !== undefined,
  });
  return (
    <ButtonLink to={to} wide>
      {id === undefined ? 'Continue where you left off' : `Back to ${listing.data?.serviceTitle ?? 'the listing'}`}
    </ButtonLink>
  );
}
