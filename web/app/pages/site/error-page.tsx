import { site } from '@handwise/contract/site/site';
import { paths } from '@handwise/contract/paths';
import { rightBack } from '@handwise/contract/site/right-back';
import { isRouteErrorResponse } from 'react-router';
import { ApiError } from '../../lib/api-error.ts';
import { EmptyState } from '../../ui/feedback/empty-state.tsx';
import { ErrorDisplay } from '../../ui/feedback/error-display.tsx';
import { Button, ButtonLink } from '../../ui/forms/button.tsx';
import { Container } from '../../ui/page/page.tsx';
import { NotFound } from './not-found.tsx';

const loadAgain = () => location.reload();

/** Replaces a page that could not be shown. */
export function ErrorPage({ error }: { error: unknown }) {
  const status = isRouteErrorResponse(error) ? error.status : undefined;
  if (status === 404) return <NotFound />;
  return (
    <Container>
      <title>{status === 503 ? `${rightBack.title} | ${site.name}` : `Something went wrong | ${site.name}`}</title>
      <meta name="robots" content="noindex" />
      {status === 503 ? <Busy /> : <ErrorDisplay error={getShown(error)} onRetry={loadAgain} elsewhere={elsewhere} level={1} />}
    </Container>
  );
}

const elsewhere = (
  <>
    <ButtonLink to={paths.landing} kind="secondary">
      Go to the front page
    </ButtonLink>
    <ButtonLink to={paths.contact} kind="secondary">
      Tell us about it
    </ButtonLink>
  </>
);

const Busy = () => (
  <EmptyState title={rightBack.title} drawing="plug" level={1} action={<Button onClick={loadAgain}>{rightBack.action}</Button>}>
    {rightBack.text}
  </EmptyState>
);

/** The server's messages are written for people; a browser's script errors are not. */
function getShown(error: unknown) {
  if (error instanceof ApiError) return error;
  if (isRouteErrorResponse(error)) return { status: error.status, message: (error.data as { message?: string } | null)?.message };
  return isOffline(error) ? { status: 0 } : { status: 500 };
}

// Browsers report a lost connection as a TypeError with various messages.
const isOffline = (error: unknown) =>
  (error instanceof TypeError && /fetch|network|load failed/i.test(error.message)) ||
  (typeof document !== 'undefined' && !navigator.onLine);
