import { useState } from 'react';
import { Navigate, Outlet, useLocation, useSearchParams } from 'react-router';
import { hasListingDraft } from '../../lib/browser-storage.ts';
import type { PageHandle } from '../../lib/root-data.ts';
import { getSafeRedirect } from '../../lib/session/redirect.ts';
import { useSession } from '../../lib/session/session.ts';
import { leadsToWizard, type Visit } from '../auth/visit-reason.tsx';

export const handle: PageHandle = { reads: ['redirect'] };

/** Signing in and up, for visitors. Members are redirected. */
export default function VisitorsLayout() {
  const { user, initialized } = useSession();
  const [search] = useSearchParams();
  const { state } = useLocation() as { state: { returnTo?: unknown } | null };
  const [instead, leadTo] = useState<string>();
  const target = getSafeRedirect(search.get('redirect') ?? (typeof state?.returnTo === 'string' ? state.returnTo : null));
  if (user) return <Navigate to={instead ?? target} replace />;
  const continuesListing = initialized && leadsToWizard(target) && hasListingDraft();
  return <Outlet context={{ target, continuesListing, leadTo } satisfies Visit} />;
}
