import { site } from '@handwise/contract/site/site';
import type { ErrorBody } from '@handwise/contract/errors';
import { type ReactNode, useCallback, useEffect, useState } from 'react';
import { type ErrorResponse, isRouteErrorResponse, useLocation, useNavigate, useNavigation } from 'react-router';
import { EmptyState } from '../../../ui/feedback/empty-state.tsx';
import { Button } from '../../../ui/forms/button.tsx';
import { Container } from '../../../ui/page/page.tsx';
import { SearchForm } from '../bar/search-form.tsx';
import styles from './find.module.css';

/** Whether a page's search was not answered, so that nothing is known about its results. */
export const isUnanswered = (error: unknown): error is ErrorResponse => isRouteErrorResponse(error) && error.status === 503;

const retryMs = 2_000;

type UnansweredSearchProps = {
  error: ErrorResponse;
  what: string | undefined;
  where: string | undefined;
  /** The filters of the search. */
  filters?: ReactNode;
};

/** The page of a search without an answer. It keeps the search, tries again once by itself, and then offers a button. */
export function UnansweredSearch({ error, what, where, filters }: UnansweredSearchProps) {
  const { pathname, search } = useLocation();
  return (
    <Container>
      <title>{`Search | ${site.name}`}</title>
      <div className={styles.page}>
        <SearchForm what={what ?? ''} where={where ?? ''} />
        {filters}
        <Retry key={pathname + search} address={pathname + search} hasTimedOut={hasTimedOut(error)} />
      </div>
    </Container>
  );
}

const hasTimedOut = ({ data }: ErrorResponse) => (data as Partial<ErrorBody> | null)?.code === 'search_timed_out';

function Retry({ address, hasTimedOut }: { address: string; hasTimedOut: boolean }) {
  const navigate = useNavigate();
  const { state } = useNavigation();
  const [hasRetried, setRetried] = useState(false);
  // Not the router's revalidation, which may leave the error in place.
  const retry = useCallback(() => void navigate(address, { replace: true, preventScrollReset: true }), [navigate, address]);
  useEffect(() => {
    if (hasRetried) return undefined;
    const timer = setTimeout(() => {
      setRetried(true);
      retry();
    }, retryMs);
    return () => clearTimeout(timer);
  }, [hasRetried, retry]);
  const isRetrying = !hasRetried || state === 'loading';
  const problem = hasTimedOut ? 'That search took too long.' : 'Our servers are very busy at the moment.';
  return (
    <div role="status">
      <EmptyState
        title={isRetrying ? `${problem} Trying again…` : problem}
        drawing="plug"
        level={1}
        action={
          isRetrying ? (
            <noscript>
              <a href={address}>Search again</a>
            </noscript>
          ) : (
            <Button onClick={retry}>Search again</Button>
          )
        }
      >
        {isRetrying
          ? 'Your search is kept.'
          : 'Your search is kept. Please try again in a few seconds, or search for something else above.'}
      </EmptyState>
    </div>
  );
}
