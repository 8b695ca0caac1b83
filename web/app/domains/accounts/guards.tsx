import { paths } from '@handwise/contract/paths';
import { type ReactNode, useEffect } from 'react';
import { Navigate, useLocation } from 'react-router';
import { LoadingView } from '../../lib/loading-view.tsx';
import { getLoginPath } from '../../lib/session/redirect.ts';
import { useSession } from '../../lib/session/session.ts';
import { toast } from '../../ui/feedback/toast.tsx';

/** Shows its children to signed-in users. Others go to the login, and come back from there. */
export function RequireMember({ children }: { children: ReactNode }) {
  const { user, initialized } = useSession();
  const { pathname, search } = useLocation();
  if (!initialized) return <LoadingView />;
  return user ? children : <Navigate to={getLoginPath(pathname + search)} replace />;
}

/** For comfort only: every call of administrators is checked on the server as well. */
export const RequireAdmin = ({ children }: { children: ReactNode }) => (
  <RequireMember>
    <AdminOnly>{children}</AdminOnly>
  </RequireMember>
);

function AdminOnly({ children }: { children: ReactNode }) {
  const isAdmin = useSession().user?.role === 'admin';
  useEffect(() => {
    if (!isAdmin) toast('Unauthorized access', 'error');
  }, [isAdmin]);
  return isAdmin ? children : <Navigate to={paths.landing} replace />;
}
