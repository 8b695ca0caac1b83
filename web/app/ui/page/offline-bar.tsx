import { useEffect, useSyncExternalStore } from 'react';
import { toast } from '../feedback/toast.tsx';
import styles from './offline-bar.module.css';

function subscribe(listener: () => void) {
  addEventListener('online', listener);
  addEventListener('offline', listener);
  return () => {
    removeEventListener('online', listener);
    removeEventListener('offline', listener);
  };
}

const useOffline = () =>
  useSyncExternalStore(
    subscribe,
    () => !navigator.onLine,
    () => false,
  );

// Without a connection the browser would replace the page, and what was typed into it, with its own error.
function stayOnPage(event: MouseEvent) {
  const link = event.target instanceof Element ? event.target.closest('a[href]') : null;
  if (!(link instanceof HTMLAnchorElement) || !link.protocol.startsWith('http') || link.hash) return;
  event.preventDefault();
  event.stopPropagation();
  toast('You are offline. This page stays as it is until you are back.', 'info');
}

/** Shows that there is no connection, and disables links while there is none. */
export function OfflineBar() {
  const isOffline = useOffline();
  useEffect(() => {
    if (!isOffline) return undefined;
    addEventListener('click', stayOnPage, true);
    return () => removeEventListener('click', stayOnPage, true);
  }, [isOffline]);
  return (
    <div role="status" className={isOffline ? styles.bar : undefined}>
      {isOffline && 'You are offline. What you have typed stays here; send it when you are back.'}
    </div>
  );
}
