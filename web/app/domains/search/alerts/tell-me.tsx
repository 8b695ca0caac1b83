import { paths } from '@handwise/contract/paths';
import type { Alert } from '@handwise/contract/search-alerts';
import { IconBell } from '@tabler/icons-react';
import { useState } from 'react';
import { Link, useLocation } from 'react-router';
import { loginPath } from '../../../lib/session/redirect.ts';
import { useSession } from '../../../lib/session/session.ts';
import { toast } from '../../../ui/feedback/toast.tsx';
import { keepSearch } from './alert-search.ts';
import { alertWish } from './alert-wish.ts';
import { FrequencySelect } from './frequency-select.tsx';
import styles from './tell-me.module.css';

/** Keeps a search, so that new listings that match come by mail. Visitors sign in first, and find it kept when they are back. */
export function TellMe({ search }: { search: string }) {
  const { user } = useSession();
  const { pathname, search: address } = useLocation();
  const [kept, setKept] = useState<Alert | null>(null);
  const [busy, setBusy] = useState(false);
  if (!user) {
    return (
      <Link className={styles.tell} to={loginPath(alertWish.withWish(pathname + address, search))} rel="nofollow">
        <IconBell size={20} stroke={1.75} aria-hidden="true" />
        Tell me about new ones
      </Link>
    );
  }
  const keep = async (frequency: Alert['frequency']) => {
    setBusy(true);
    try {
      setKept(await keepSearch(search, frequency));
    } catch (error) {
      toast(error instanceof Error ? error.message : 'Your alert could not be kept. Please try again.', 'error');
    }
    setBusy(false);
  };
  return (
    <div className={styles.place} role="status">
      {kept ? (
        <p className={styles.kept}>
          <span>{!user.emailConfirmed ? 'Once your address is confirmed, new ones come by mail' : 'New ones come by mail'}</span>
          <FrequencySelect value={kept.frequency} label="How often new ones come by mail" onChange={(frequency) => void keep(frequency)} />
          <Link to={paths.alerts}>Your alerts</Link>
        </p>
      ) : (
        <button
          type="button"
          className={styles.tell}
          aria-disabled={busy || undefined}
          onClick={busy ? undefined : () => void keep('daily')}
        >
          <IconBell size={20} stroke={1.75} aria-hidden="true" />
          Tell me about new ones
        </button>
      )}
    </div>
  );
}
