import type { ReactNode } from 'react';
import { Navigate, useLocation } from 'react-router';
import { LoadingView } from './loading-view.tsx';
import { loginPath } from './redirect.ts';
import { useSession } from './session.ts';

/** Shows its children to signed-in users. Others go to the login, and come back from there. */
export function RequireMember({ children }: { children: ReactNode }) {
  const { user, initialized } = useSession();
  const { pathname, search } = useLocation();
  if (!initialized) return <LoadingView />;
  return user ? children : <Navigate to={loginPath(pathname + search)} replace />;
}

/** For comfort only: every admin call is checked on the server as well. */
export function RequireAdmin({ children }: { children: ReactNode }) {
  const { user, initialized } = useSession();
  if (!initialized) return <LoadingView />;
  return user?.role === 'admin' ? children : <Navigate to="/" replace />;
}
