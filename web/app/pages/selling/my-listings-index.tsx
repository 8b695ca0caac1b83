import { paths } from '@handwise/contract/paths';
import { redirect } from 'react-router';

export const loader = () => redirect(paths.ownListings);

export default function MyListingsIndexPage() {
  // Never reached, because the loader redirects.
  return null;
}
