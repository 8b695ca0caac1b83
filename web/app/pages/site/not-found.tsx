import { site } from '@handwise/contract/site/site';
import { paths } from '@handwise/contract/paths';
import { data } from 'react-router';
import { ButtonLink } from '../../ui/forms/button.tsx';
import { EmptyState } from '../../ui/feedback/empty-state.tsx';
import { Container } from '../../ui/page/page.tsx';

export const loader = () => {
  throw data(null, { status: 404 });
};

/** Shown by the root's error boundary for every 404. */
export const NotFound = () => (
  <Container>
    <title>{`Page not found | ${site.name}`}</title>
    <meta name="robots" content="noindex" />
    <EmptyState
      title="This page isn't here"
      drawing="signpost"
      level={1}
      action={
        <>
          <ButtonLink to={paths.services}>Browse services</ButtonLink>
          <ButtonLink to={paths.landing} kind="secondary">
            Go to the front page
          </ButtonLink>
        </>
      }
    >
      The address may be mistyped, or the listing behind it may have ended.
    </EmptyState>
  </Container>
);

export default function NotFoundPage() {
  // Never reached, because the loader throws.
  return null;
}
