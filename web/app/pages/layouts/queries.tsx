import { Outlet } from 'react-router';
import { Queries } from '../../lib/queries.tsx';

/** Pages that read in the browser, and keep what they have read from one to the next. */
export default function QueriesLayout() {
  return (
    <Queries>
      <Outlet />
    </Queries>
  );
}
