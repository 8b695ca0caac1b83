import { lazy, Suspense, useState } from 'react';
import { LoadingView } from '../../lib/loading-view.tsx';
import { Dialog } from '../../ui/feedback/dialog.tsx';
import { Button } from '../../ui/forms/button.tsx';

const AnswerForm = lazy(async () => ({ default: (await import('./answer-form.tsx')).AnswerForm }));

/** For the seller, under a review that has no answer yet. */
export function Answer({ reviewId, name, onPublished }: { reviewId: string; name: string; onPublished: () => void }) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button kind="quiet" size="sm" onClick={() => setOpen(true)}>
        Answer<span className="visually-hidden"> the review by {name}</span>
      </Button>
      <Dialog open={open} onClose={() => setOpen(false)} title={`Answer ${name}`}>
        <Suspense fallback={<LoadingView />}>
          <AnswerForm
            reviewId={reviewId}
            onPublished={() => {
              setOpen(false);
              onPublished();
            }}
          />
        </Suspense>
      </Dialog>
    </>
  );
}
