import { Outlet } from 'react-router';
import { Queries } from '../../lib/queries.tsx';

/** Pages that load data in the browser, and share its cache. */
export default function QueriesLayout() {
  return (
    <Queries>
      <Outlet />
    </Queries>
  );
}
