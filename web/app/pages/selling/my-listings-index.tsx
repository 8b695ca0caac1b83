import { redirect } from 'react-router';

export const loader = () => redirect('/mylistings/mylistings');

export default function MyListingsIndexPage() {
  // Never reached: the loader leads on.
  return null;
}
