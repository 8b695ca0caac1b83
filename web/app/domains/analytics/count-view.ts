import { useEffect } from 'react';
import { call } from '../../lib/api.ts';
import { useSession } from '../../lib/session/session.ts';

/** Counts one view of a listing, because its page is cached and the server does not see visits. Background tabs count once they become visible. */
export function useCountedView({ id, sellerId, status }: { id: string; sellerId: string; status: string }) {
  const { user, initialized } = useSession();
  const counts = initialized && status === 'active' && user?._id !== sellerId;
  useEffect(() => {
    if (!counts) return;
    const report = () => {
      if (document.hidden) return;
      removeEventListener('visibilitychange', report, true);
      // A lost count harms no reader.
      call('POST /listing/:id/view', { params: { id } }).catch(() => undefined);
    };
    addEventListener('visibilitychange', report, true);
    report();
    return () => removeEventListener('visibilitychange', report, true);
  }, [id, counts]);
}
