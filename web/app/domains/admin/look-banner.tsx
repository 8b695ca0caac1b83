import { adminPaths } from '@handwise/contract/admin/paths';
import { useEffect } from 'react';
import { call } from '../../lib/api.ts';
import { endLook, type StoredUser } from '../../lib/session/stored-user.ts';
import { Button } from '../../ui/forms/button.tsx';
import styles from './look-banner.module.css';

async function end(userId: string) {
  endLook();
  // In the administrator's own session; the view expires by itself if this request is lost.
  await call('DELETE /admin/looks', {}).catch(() => undefined);
  location.assign(adminPaths.user(userId));
}

/** Shown on every page while an administrator views the site as another user. */
export function LookBanner({ user, endsAt }: { user: StoredUser; endsAt: string }) {
  useEffect(() => {
    const timer = setTimeout(() => void end(user._id), Math.max(0, Date.parse(endsAt) - Date.now()));
    return () => clearTimeout(timer);
  }, [user._id, endsAt]);
  return (
    <section className={styles.banner} aria-label="Viewing as somebody else">
      <p>
        You are viewing the site as <strong>{user.fullName}</strong>. Nothing can be changed.
      </p>
      <Button kind="on-band" size="sm" onClick={() => void end(user._id)}>
        Stop viewing
      </Button>
    </section>
  );
}
