import { IconHeart, IconHeartFilled } from '@tabler/icons-react';
import { useSyncExternalStore } from 'react';
import { Link, useLocation } from 'react-router';
import { getLoginPath } from '../../lib/session/redirect.ts';
import { useSession } from '../../lib/session/session.ts';
import { toast } from '../../ui/feedback/toast.tsx';
import { saveProblem, pendingSave } from './pending-save.ts';
import styles from './save-heart.module.css';
import { isSaved as isSavedNow, onSavedChange, setSaved } from './saved-store.ts';

type SaveHeartProps = { listing: { id: string; title: string }; kind?: 'corner' | 'button' };

/** Saves a listing with one tap. Visitors go to sign in, and find it saved when they are back. */
export function SaveHeart({ listing, kind = 'corner' }: SaveHeartProps) {
  const { user } = useSession();
  const { pathname, search } = useLocation();
  const isSaved = useSyncExternalStore(
    onSavedChange,
    () => isSavedNow(listing.id),
    () => false,
  );
  const className = kind === 'corner' ? styles.corner : styles.button;
  const size = kind === 'corner' ? 22 : 20;
  if (!user) {
    return (
      <Link className={className} to={getLoginPath(pendingSave.addTo(pathname + search, listing.id))}>
        <IconHeart size={size} stroke={1.75} aria-hidden="true" />
        <span className={kind === 'corner' ? 'visually-hidden' : undefined}>
          Save<span className="visually-hidden"> {listing.title}</span>
        </span>
      </Link>
    );
  }
  const press = () => {
    setSaved(listing.id, !isSaved).catch((error: unknown) => toast(saveProblem(error, !isSaved), 'error'));
  };
  const Icon = isSaved ? IconHeartFilled : IconHeart;
  return (
    <button type="button" className={className} aria-pressed={isSaved} onClick={press}>
      <Icon size={size} {...(!isSaved && { stroke: 1.75 })} aria-hidden="true" />
      <span className={kind === 'corner' ? 'visually-hidden' : undefined}>
        {kind === 'button' && isSaved ? 'Saved' : 'Save'}
        <span className="visually-hidden"> {listing.title}</span>
      </span>
    </button>
  );
}

/** The heart of a card. */
export const createHeart = (card: SaveHeartProps['listing']) => <SaveHeart listing={card} />;
