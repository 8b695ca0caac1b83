import { paths } from '@handwise/contract/paths';
import type { FindPage } from '@handwise/contract/search/calls';
import { Suspense } from 'react';
import { Navigate, useLocation } from 'react-router';
import { BrowseSkeleton } from '../../domains/search/browse-skeleton.tsx';
import { getLandingCosts } from '../../domains/costs/costs-data.server.ts';
import { findNewAddress } from '../../domains/search/old-addresses.ts';
import { Landing } from '../../domains/site/landing.tsx';
import { getLandingData } from '../../domains/site/landing-data.server.ts';
import { cardSizes } from '../../domains/listings/card-sizes.ts';
import { copyEarlyResponse } from '../../lib/document/early-calls.ts';
import { pageMeta } from '../../lib/page-meta.ts';
import { serverContext } from '../../lib/server-context.ts';
import { memberPart } from '../../lib/late-part.tsx';
import { useSession } from '../../lib/session/session.ts';
import { readUser } from '../../lib/session/stored-user.ts';
import { Container } from '../../ui/page/page.tsx';
import type { Route } from './+types/home';

const BrowsePage = memberPart(async () => (await import('./browse.tsx')).BrowsePage);

/** Loads the picture of the first card beside the scripts of the members' page, because it is the largest that they see. */
async function preloadFirstPicture() {
  const found = await copyEarlyResponse('/search');
  const { cover } = (found?.ok ? ((await found.json()) as FindPage).listings[0] : undefined) ?? {};
  if (!cover) return;
  const { src, srcSet, avifSrcSet } = cover;
  // React's own `preload` does nothing before React has started.
  const link = document.createElement('link');
  Object.assign(link, {
    rel: 'preload',
    as: 'image',
    fetchPriority: 'high',
    imageSizes: cardSizes,
    imageSrcset: avifSrcSet || srcSet,
    href: src,
  });
  if (avifSrcSet) link.type = 'image/avif';
  document.head.append(link);
}
// It is loaded later then.
if (!import.meta.env.SSR && readUser()) preloadFirstPicture().catch(() => {});

export function loader({ context }: Route.LoaderArgs) {
  const server = context.get(serverContext);
  return getLandingData(server, getLandingCosts(server));
}

// Members do not see the front page, so their return to the search needs no request.
export const clientLoader = ({ serverLoader }: Route.ClientLoaderArgs) => (readUser() ? null : serverLoader());

// The front page does not depend on the members' search, which often changes the address.
export const shouldRevalidate = () => false;

export const meta: Route.MetaFunction = ({ matches }) =>
  pageMeta(matches, {
    title: 'Browse pros near you',
    description: 'Search home and trade services in New Zealand and Australia by category and area, and message pros for free.',
    // Search engines see the front page here, so it is the canonical one.
    path: paths.landing,
  });

const Waiting = () => (
  <Container>
    <BrowseSkeleton />
  </Container>
);

/** Members browse here; visitors see the front page. */
export default function HomePage({ loaderData }: Route.ComponentProps) {
  const { user } = useSession();
  const { search } = useLocation();
  if (user) {
    // Old URLs of the members' search.
    const moved = findNewAddress(new URLSearchParams(search));
    if (moved) return <Navigate to={moved} replace />;
    return (
      <Suspense fallback={<Waiting />}>
        <BrowsePage />
      </Suspense>
    );
  }
  // The session ended on this page.
  if (!loaderData) return <Navigate to={paths.landing} replace />;
  return (
    <>
      <div className="visitor-only">
        <Landing {...loaderData} />
      </div>
      <div className="member-only" aria-hidden="true">
        <Waiting />
      </div>
    </>
  );
}
