import { Button } from '../forms/button.tsx';
import { Notice } from './notice.tsx';

type LoadProblemProps = {
  /** What is missing, as a sentence: "Your plans could not be loaded." */
  text: string;
  onRetry: () => void;
};

/** A part of a page that could not be loaded. What is unknown is never left out silently. */
export const LoadProblem = ({ text, onRetry }: LoadProblemProps) => (
  <Notice>
    <p role="alert">
      {text}{' '}
      <Button kind="quiet" size="sm" onClick={onRetry}>
        Try Again
      </Button>
    </p>
  </Notice>
);
