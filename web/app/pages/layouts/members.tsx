import { Outlet } from 'react-router';
import { RequireMember } from '../../domains/accounts/guards.tsx';
import { ConfirmIdentity } from '../../domains/sign-in/confirm-identity.tsx';

/** Pages for signed-in users. */
export default function MembersLayout() {
  return (
    <RequireMember>
      <Outlet />
      <ConfirmIdentity />
    </RequireMember>
  );
}
