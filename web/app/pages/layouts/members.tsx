import { Outlet } from 'react-router';
import { RequireMember } from '../../domains/accounts/guards.tsx';

/** Pages for those who are signed in. */
export default function MembersLayout() {
  return (
    <RequireMember>
      <Outlet />
    </RequireMember>
  );
}
