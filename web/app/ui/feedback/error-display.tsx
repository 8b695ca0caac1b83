import type { ReactNode } from 'react';
import { useLocation } from 'react-router';
import { connectionProblem } from '../../lib/api-error.ts';
import { getLoginPath } from '../../lib/session/redirect.ts';
import { Button, ButtonLink } from '../forms/button.tsx';
import { EmptyState } from './empty-state.tsx';

type Problem = { status?: unknown; message?: unknown };

type ErrorDisplayProps = {
  /** An `ApiError` or another thrown value; undefined if a load succeeded but found nothing. */
  error: unknown;
  /** A link beside "Try Again". */
  elsewhere?: ReactNode;
  /** Shows "Try Again". */
  onRetry?: (() => void) | undefined;
  level?: 1 | 2;
};

/** Shows a failed load; the only component for that. */
export function ErrorDisplay({ error, onRetry, elsewhere, level = 2 }: ErrorDisplayProps) {
  const { pathname, search } = useLocation();
  const { status, message } = (typeof error === 'object' && error !== null ? error : { message: error }) as Problem;
  const text = typeof message === 'string' ? message : '';
  const retry = (onRetry || elsewhere) && (
    <>
      {onRetry && <Button onClick={onRetry}>Try Again</Button>}
      {elsewhere}
    </>
  );

  if (error === null || error === undefined) {
    return (
      <EmptyState title="No data found" level={level}>
        There is no data to display at this time.
      </EmptyState>
    );
  }
  if (status === 404 && text.includes('No listings')) {
    return (
      <EmptyState title="No Listings Found" drawing="search" action={retry} level={level}>
        There are no listings matching your search criteria.
      </EmptyState>
    );
  }
  if (status === 0 || text === 'Network Error') {
    return (
      <EmptyState title="Connection Problem" drawing="plug" action={retry} level={level}>
        {connectionProblem}
      </EmptyState>
    );
  }
  if (status === 401 || status === 403) {
    return (
      <EmptyState
        title="Authentication Required"
        drawing="lock"
        action={<ButtonLink to={getLoginPath(pathname + search)}>Sign in</ButtonLink>}
        level={level}
      >
        You need to be logged in to access this content.
      </EmptyState>
    );
  }
  return (
    <EmptyState title="Something went wrong" drawing="plug" action={retry} level={level}>
      {text || 'An unexpected error occurred'}
    </EmptyState>
  );
}
