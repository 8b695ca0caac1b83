import { LoadingWords } from '../../../lib/loading-view.tsx';
import { Notice } from '../../../ui/feedback/notice.tsx';
import { Skeleton } from '../../../ui/feedback/skeleton.tsx';
import { Button } from '../../../ui/forms/button.tsx';
import { cardTexts } from './card-outcome-view.ts';

export const CardFieldSkeleton = () => (
  <div role="status">
    <LoadingWords />
    <Skeleton width="100%" height={48} radius="var(--radius-sm)" />
  </div>
);

/** Replaces a form that fails to load. */
export const CardFieldProblem = ({ onRetry }: { onRetry: () => void }) => (
  <div role="alert">
    <Notice>
      <p>{cardTexts.notLoaded}</p>
      <Button kind="secondary" size="sm" onClick={onRetry}>
        Try Again
      </Button>
    </Notice>
  </div>
);
