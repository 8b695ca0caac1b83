import { lazy, Suspense, useCallback, useEffect, useState } from 'react';
import { call } from '../../lib/api.ts';
import { LoadingView } from '../../lib/loading-view.tsx';
import { Dialog } from '../../ui/feedback/dialog.tsx';
import type { OwnReview } from './review-form.tsx';

const ReviewForm = lazy(async () => ({ default: (await import('./review-form.tsx')).ReviewForm }));

/** The reader's own review: undefined for a visitor and while it loads, null without one or if it could not be loaded. `reload` after changing it. */
export function useOwnReview(listingId: string, reader: string | undefined): { own: OwnReview | null | undefined; reload: () => void } {
  // By reader, because another tab may sign another person in.
  const [known, setKnown] = useState<Readonly<Record<string, OwnReview | null>>>({});
  const load = useCallback(
    (signal?: AbortSignal) => {
      if (!reader) return;
      const set = (own: OwnReview | null) => setKnown((before) => ({ ...before, [reader]: own }));
      void call('GET /listing/:id/reviews/mine', { params: { id: listingId } }, signal).then(
        ({ review }) => set(review && { ...review, id: review._id }),
        // The server reports the error again on submit.
        () => !signal?.aborted && set(null),
      );
    },
    [listingId, reader],
  );
  useEffect(() => {
    const asking = new AbortController();
    load(asking.signal);
    return () => asking.abort();
  }, [load]);
  return { own: reader ? known[reader] : undefined, reload: load };
}

type ReviewDialogProps = {
  listingId: string;
  own: OwnReview | null | undefined;
  open: boolean;
  onClose: () => void;
  /** Called after publishing, changing or withdrawing. */
  onChanged: () => void;
};

/** "Write a review", or change or withdraw an existing one. Its form loads when it is opened. */
export function ReviewDialog({ listingId, own: current, open, onClose, onChanged }: ReviewDialogProps) {
  // The form says that it is done before the dialog closes, so it keeps the review that it was opened with.
  const [opened, setOpened] = useState<OwnReview | null>();
  if (!open && opened !== undefined) setOpened(undefined);
  if (open && opened === undefined && current !== undefined) setOpened(current);
  return (
    <Dialog open={open} onClose={onClose} title={opened ? 'Change your review' : 'Write a review'}>
      {opened === undefined ? (
        <LoadingView />
      ) : (
        <Suspense fallback={<LoadingView />}>
          <ReviewForm listingId={listingId} own={opened} onChanged={onChanged} onClose={onClose} />
        </Suspense>
      )}
    </Dialog>
  );
}
