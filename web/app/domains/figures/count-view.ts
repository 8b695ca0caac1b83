import type { recordView } from '@handwise/contract/figures/calls';
import { useEffect } from 'react';
import { call } from '../../lib/api.ts';
import { useSession } from '../../lib/session/session.ts';

/**
 * Says once that a listing's page is being looked at: the page itself is kept and the same for all, so that the server does not see it.
 * A page that was opened behind another one counts when it comes to the front.
 */
export function useCountedView({ id, sellerId, status }: { id: string; sellerId: string; status: string }) {
  const { user, initialized } = useSession();
  const counts = initialized && status === 'active' && user?._id !== sellerId;
  useEffect(() => {
    if (!counts) return;
    const tell = () => {
      if (document.hidden) return;
      removeEventListener('visibilitychange', tell, true);
      // Nobody reads less for want of it.
      call<typeof recordView>({ method: 'POST', url: '/listing/:id/view' }, { params: { id } }).catch(() => undefined);
    };
    addEventListener('visibilitychange', tell, true);
    tell();
    return () => removeEventListener('visibilitychange', tell, true);
  }, [id, counts]);
}
