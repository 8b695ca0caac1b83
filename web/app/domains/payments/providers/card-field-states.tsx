import { LoadingWords } from '../../../lib/loading-view.tsx';
import { Notice } from '../../../ui/feedback/notice.tsx';
import { Skeleton } from '../../../ui/feedback/skeleton.tsx';
import { cardTexts } from './card-outcome-view.ts';

export const CardFieldSkeleton = () => (
  <div role="status">
    <LoadingWords />
    <Skeleton width="100%" height={48} radius="var(--radius-sm)" />
  </div>
);

export const CardFieldProblem = () => (
  <div role="alert">
    <Notice>{cardTexts.notInitialized}</Notice>
  </div>
);
