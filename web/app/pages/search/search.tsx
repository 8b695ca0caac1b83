import { paths } from '@handwise/contract/paths';
import { lazy, Suspense } from 'react';
import { isRouteErrorResponse, redirect, useLocation } from 'react-router';
import { Find } from '../../domains/search/find/find.tsx';
import { createUnansweredData } from '../../domains/search/find/unanswered-data.ts';
import { findData } from '../../domains/search/find/find-data.server.ts';
import { FindFilters } from '../../domains/search/find/find-filters.tsx';
import { findAddress, findNames, isNoSearch, readFind } from '../../domains/search/find/find-params.ts';
import { findHeading, findIntro } from '../../domains/search/find/find-words.ts';
import { isUnanswered, UnansweredSearch } from '../../domains/search/find/unanswered-search.tsx';
import type { PageHandle } from '../../lib/root-data.ts';
import { pageMeta } from '../../lib/page-meta.ts';
import { serverContext } from '../../lib/server-context.ts';
import { memberPart } from '../../lib/late-part.tsx';
import { useSession } from '../../lib/session/session.ts';
import { Container } from '../../ui/page/page.tsx';
import { ErrorPage } from '../site/error-page.tsx';
import type { Route } from './+types/search';

const SearchCarousel = memberPart(async () => (await import('../../domains/search/category-carousel.tsx')).SearchCarousel);

const NoSuchSearch = lazy(async () => ({ default: (await import('../../domains/search/find/no-such-search.tsx')).NoSuchSearch }));

export const handle: PageHandle = { reads: [...findNames, 'town', 'serves'], endless: ['q', 'where', 'near', 'km', 'maxPrice'] };

export async function loader({ context, request }: Route.LoaderArgs) {
  const server = context.get(serverContext);
  const searchParams = new URL(request.url).searchParams;
  // `near` has replaced these parameters.
  if (searchParams.has('town') || searchParams.has('serves')) throw redirect(findAddress(readFind(searchParams)), 301);
  return findData(server, searchParams);
}

export const meta: Route.MetaFunction = ({ matches, loaderData }) => {
  if (!loaderData) return [];
  const { params, understood, total, isExact, page } = loaderData;
  return pageMeta(matches, {
    title: [findHeading(understood), page > 1 && `page ${page}`].filter(Boolean).join(', '),
    description: findIntro(understood, total, isExact),
    path: paths.search,
    // Searches are not indexed, because there are infinitely many; their results are, through the directory and the listings.
    noIndex: Object.keys(params).length > 0,
  });
};

export default function SearchPage({ loaderData }: Route.ComponentProps) {
  const { user } = useSession();
  return (
    <Container>
      {user && (
        <Suspense fallback={null}>
          <SearchCarousel data={loaderData} />
        </Suspense>
      )}
      <Find data={loaderData} />
    </Container>
  );
}

export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  const params = readFind(new URLSearchParams(useLocation().search));
  if (isRouteErrorResponse(error) && isNoSearch(error.data))
    return (
      <Suspense fallback={null}>
        <NoSuchSearch search={error.data} />
      </Suspense>
    );
  if (!isUnanswered(error)) return <ErrorPage error={error} />;
  const filters = <FindFilters data={createUnansweredData(params)} />;
  return <UnansweredSearch error={error} what={params.q} where={params.where} filters={filters} />;
}
