import { paths } from '@handwise/contract/paths';
import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useEffect } from 'react';
import { Navigate, useLocation } from 'react-router';
import { ApiError } from '../../lib/api-error.ts';
import { LoadingView } from '../../lib/loading-view.tsx';
import { getLoginPath } from '../../lib/session/redirect.ts';
import { useSession } from '../../lib/session/session.ts';
import { readUser, updateUser } from '../../lib/session/stored-user.ts';
import { toast } from '../../ui/feedback/toast.tsx';

/** Shows its children to signed-in users. Others go to the login, and come back from there. */
export function RequireMember({ children }: { children: ReactNode }) {
  const { user, initialized } = useSession();
  const { pathname, search } = useLocation();
  if (!initialized) return <LoadingView />;
  if (user) return children;
  return (
    <>
      <Navigate to={getLoginPath(pathname + search)} replace />
      {/* Until the page of the sign-in has loaded. */}
      <LoadingView />
    </>
  );
}

/** For comfort only: every call of administrators is checked on the server as well. */
export const RequireAdmin = ({ children }: { children: ReactNode }) => (
  <RequireMember>
    <AdminOnly>{children}</AdminOnly>
  </RequireMember>
);

function AdminOnly({ children }: { children: ReactNode }) {
  const isAdmin = useSession().user?.role === 'admin';
  useDemotion();
  useEffect(() => {
    if (!isAdmin) toast('Unauthorized access', 'error');
  }, [isAdmin]);
  return isAdmin ? children : <Navigate to={paths.landing} replace />;
}

/** Corrects the stored role once the server has refused a call for administrators: the role was taken away elsewhere. */
function useDemotion() {
  const queries = useQueryClient();
  useEffect(() => {
    const correctRole = (error: unknown) => {
      const user = readUser();
      if (user?.role === 'admin' && error instanceof ApiError && error.code === 'forbidden') updateUser({ ...user, role: 'user' });
    };
    const stops = [
      queries.getQueryCache().subscribe(({ query }) => correctRole(query.state.error)),
      queries.getMutationCache().subscribe(({ mutation }) => correctRole(mutation?.state.error)),
    ];
    return () => {
      for (const stop of stops) stop();
    };
  }, [queries]);
}
