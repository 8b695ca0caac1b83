import type { getOwnReview } from '@handwise/contract/reviews/calls';
import { lazy, Suspense, useEffect, useState } from 'react';
import { call } from '../../lib/api.ts';
import { LoadingView } from '../../lib/loading-view.tsx';
import { Dialog } from '../../ui/feedback/dialog.tsx';

const ReviewForm = lazy(async () => ({ default: (await import('./review-form.tsx')).ReviewForm }));

type ReviewDialogProps = { listingId: string; open: boolean; onClose: () => void; onPublished: () => void };
type Own = { id: string; rating: number; comment: string };

/** "Write a review", or change an existing one. Its form loads when it is opened. */
export function ReviewDialog({ listingId, open, onClose, onPublished }: ReviewDialogProps) {
  const [own, setOwn] = useState<Own | null | undefined>();
  useEffect(() => {
    if (!open) return;
    const asking = new AbortController();
    call<typeof getOwnReview>({ method: 'GET', url: '/listing/:id/reviews/mine' }, { params: { id: listingId } }, asking.signal).then(
      ({ review }) => setOwn(review && { id: review._id, rating: review.rating, comment: review.comment }),
      // The server reports the error again on submit.
      () => !asking.signal.aborted && setOwn(null),
    );
    return () => {
      asking.abort();
      setOwn(undefined);
    };
  }, [open, listingId]);
  return (
    <Dialog open={open} onClose={onClose} title={own ? 'Change your review' : 'Write a review'}>
      {own === undefined ? (
        <LoadingView />
      ) : (
        <Suspense fallback={<LoadingView />}>
          <ReviewForm listingId={listingId} own={own} onPublished={onPublished} onClose={onClose} />
        </Suspense>
      )}
    </Dialog>
  );
}
