import { paths } from '@handwise/contract/paths';
import { data, Link } from 'react-router';
import { getDirectoryListData, type DirectoryListData } from '../../domains/search/directory/directory-data.server.ts';
import { describeDirectoryList, getDirectoryTitle, listAddress, getPageName } from '../../domains/search/directory/directory-words.ts';
import { getCategoryCostLinks } from '../../domains/costs/costs-data.server.ts';
import { createBreadcrumbList, formatJsonLd, JsonLd } from '../../ui/page/json-ld.tsx';
import { type PageHandle, useRootData } from '../../lib/root-data.ts';
import { pageMeta } from '../../lib/page-meta.ts';
import { serverContext } from '../../lib/server-context.ts';
import { Breadcrumbs, Container } from '../../ui/page/page.tsx';
import type { Route } from './+types/services-category';
import styles from './services.module.css';
import { maxQuoteRequestReceivers } from '@handwise/contract/messages/limits';
import { inWords } from '@handwise/contract/numbers';
import { useEffect, useRef } from 'react';
import { ButtonLink } from '../../ui/forms/button.tsx';
import { CategoryIcon } from '../../ui/pictures/category-icon.tsx';
import { EmptyState } from '../../ui/feedback/empty-state.tsx';
import { CardGrid } from '../../domains/listings/listing-card.tsx';
import { createHeart } from '../../domains/saved/save-heart.tsx';
import { isUnanswered, UnansweredSearch } from '../../domains/search/find/unanswered-search.tsx';
import { ErrorPage } from '../site/error-page.tsx';
import { LinkList } from '../../domains/search/directory/directory.tsx';
import { AlertOffer } from '../../domains/search/alerts/alert-offer.tsx';
import { findAddress } from '../../domains/search/find/find-params.ts';
import { ListingsMap } from '../../domains/search/map/listings-map.tsx';
import { QuoteRequestHint } from '../../domains/search/quote-requests/quote-request-hint.tsx';
import directoryStyles from '../../domains/search/directory/directory.module.css';
import { PageLinks } from '../../ui/page/page-links.tsx';
import { PlacementNote } from '../../domains/listings/placement-label.tsx';

export const handle: PageHandle = { reads: ['page', 'sort'] };

export async function loader({ context, params, request }: Route.LoaderArgs) {
  const searchParams = new URL(request.url).searchParams;
  const found = await getDirectoryListData(context.get(serverContext), {
    category: params.category,
    region: params.region,
    town: params.town,
    page: searchParams.get('page'),
    sort: searchParams.get('sort'),
  });
  if (!found) throw data(null, { status: 404 });
  return { ...found, costs: await getCategoryCostLinks(context.get(serverContext), params.category, params.region) };
}
type CategoryData = DirectoryListData & Pick<Route.ComponentProps['loaderData'], 'costs'>;

const getPath = ({ category, region, town }: DirectoryListData) => paths.servicesIn(category.slug, region?.slug, town?.slug);
const getAddress = (list: DirectoryListData, page = list.page) => listAddress(getPath(list), { page, isBest: list.isBest });

export const meta: Route.MetaFunction = ({ matches, loaderData }) => {
  if (!loaderData) return [];
  return [
    ...pageMeta(matches, {
      title: [getDirectoryTitle(loaderData), getPageName(loaderData)].filter(Boolean).join(', '),
      description: `${describeDirectoryList(loaderData)} Compare photos and reviews, and message them for free.`,
      // Each page of a list has its own listings, so none is canonical for another.
      path: getAddress(loaderData),
      // The same listings in another order are indexed under the default one, and a district's under its own page.
      noIndex: loaderData.totalListings === 0 || loaderData.isBest,
    }),
    ...(loaderData.page > 1 ? [{ tagName: 'link', rel: 'prev', href: getAddress(loaderData, loaderData.page - 1) } as const] : []),
    ...(loaderData.totalPages !== null && loaderData.page < loaderData.totalPages
      ? [{ tagName: 'link', rel: 'next', href: getAddress(loaderData, loaderData.page + 1) } as const]
      : []),
  ];
};

/** The page's list, for search engines. */
const listData = (list: DirectoryListData, origin: string) => ({
  '@type': 'ItemList',
  name: getDirectoryTitle(list),
  numberOfItems: list.cards.length,
  itemListElement: list.cards.map((card, index) => ({
    '@type': 'ListItem',
    position: index + 1,
    url: origin + paths.listing(card.id),
    name: card.title,
  })),
});

/** The trail and, if it has listings, the list. */
const formatStructuredData = (list: DirectoryListData, origin: string, trail: Parameters<typeof createBreadcrumbList>[1]) =>
  formatJsonLd(createBreadcrumbList(origin, trail), ...(list.cards.length > 0 ? [listData(list, origin)] : []));

export default function ServicesCategoryPage({ loaderData }: Route.ComponentProps) {
  const { origin } = useRootData();
  const { category, region, town } = loaderData;
  const path = getPath(loaderData);
  const trail = [
    { name: 'Home', path: paths.landing },
    { name: 'Services', path: paths.services },
    { name: category.name, path: paths.servicesIn(category.slug) },
    ...(region ? [{ name: region.name, path: paths.servicesIn(category.slug, region.slug) }] : []),
    ...(region && town && town.district.slug !== town.slug && town.district.slug !== region.slug
      ? [{ name: town.district.name, path: paths.servicesIn(category.slug, region.slug, town.district.slug) }]
      : []),
    ...(town ? [{ name: town.name, path }] : []),
  ];
  return (
    <Container>
      <div className={styles.page}>
        <Breadcrumbs trail={trail} />
        <DirectoryList key={path} data={loaderData} path={path} />
        <JsonLd key={`data of ${path}`} text={import.meta.env.SSR ? formatStructuredData(loaderData, origin, trail) : ''} />
      </div>
    </Container>
  );
}

/** The listings of a group, or of a group in a region, with links to related lists. */
function DirectoryList({ data, path }: { data: CategoryData; path: string }) {
  const { category, region, town, cards, page, totalPages, totalListings, notice, isBest, map } = data;
  // A search that ran out of time has found at least one.
  const hasSeveral = totalListings === null || totalListings > 1;
  const heading = useRef<HTMLHeadingElement>(null);
  const shown = useRef(page);
  // Moves the focus to the heading after another page was chosen.
  useEffect(() => {
    if (shown.current !== page) heading.current?.focus({ preventScroll: true });
    shown.current = page;
  }, [page]);

  return (
    <>
      <header className={directoryStyles.head}>
        <CategoryIcon slug={category.slug} size={56} />
        <h1 ref={heading} tabIndex={-1}>
          {getDirectoryTitle(data)}
        </h1>
        <p className={directoryStyles.intro}>{describeDirectoryList(data)}</p>
        {data.alert && <AlertOffer search={data.alert} />}
        {page > 1 && (
          <p className="muted" role="status">
            {getPageName(data).replace('page', 'Page')}
          </p>
        )}
        {notice && (
          <p className="muted" role="status">
            {notice}
          </p>
        )}
      </header>
      <div className={directoryStyles.list}>
        {totalListings === 0 ? (
          <EmptyState
            title="No listings found"
            drawing="search"
            action={
              town && region ? (
                <ButtonLink to={paths.servicesIn(category.slug, region.slug)}>
                  See {category.name} in {region.name}
                </ButtonLink>
              ) : region ? (
                <ButtonLink to={paths.servicesIn(category.slug)}>See {category.name} everywhere</ButtonLink>
              ) : (
                <ButtonLink to={paths.services}>See all services</ButtonLink>
              )
            }
          >
            No business offers this here yet. {data.regions.length > 0 && 'These regions have some.'}
          </EmptyState>
        ) : (
          <>
            {hasSeveral && data.isOrdered && <ListOrder path={path} isBest={isBest} />}
            <CardGrid cards={cards} actionOf={createHeart} />
            {totalPages !== null && (
              <PageLinks current={page} total={totalPages} to={(number) => listAddress(path, { page: number, isBest })} />
            )}
            {hasSeveral && (
              <QuoteRequestHint category={category.slug} place={[...new Set([town?.name, region?.name])].filter(Boolean).join(', ')}>
                Describe the job once, and up to {inWords(maxQuoteRequestReceivers)} of them answer you.
              </QuoteRequestHint>
            )}
            <p className={directoryStyles.more}>
              {isBest ? (
                <>
                  Best reviewed first, whatever their plan. <Link to={`${paths.reviewsPolicy}#best`}>How this is worked out</Link>
                </>
              ) : (
                'Featured and Highlighted listings are paid placements and come first; within each kind, the newest come first.'
              )}
            </p>
          </>
        )}
      </div>
      {hasSeveral && (
        <section className={directoryStyles.section} aria-labelledby="map">
          <h2 id="map" className={directoryStyles.linksTitle}>
            Where they are
          </h2>
          <ListingsMap
            search={map}
            label={getDirectoryTitle(data)}
            areaAddress={(area) => findAddress({ category: category.slug, ...area })}
          />
        </section>
      )}
      <LinkList id="costs" title="What it costs" links={data.costs} to={(path) => path} />
      <LinkList
        id="towns"
        title={region ? `${category.name} by town and district of ${region.name}` : ''}
        links={data.towns}
        to={(path) => path}
      />
      <LinkList
        id="nearby"
        title={`${category.name} elsewhere, nearest to ${town?.name} first`}
        links={data.nearby.map(({ path: slug, ...one }) => ({ ...one, slug }))}
        to={(path) => path}
      />
      <LinkList
        id="regions"
        title={region ? `${category.name} in other regions` : `${category.name} by region`}
        links={data.regions}
        to={(slug) => paths.servicesIn(category.slug, slug)}
      />
      <LinkList
        id="categories"
        title={`Other services in ${region?.name ?? data.place}`}
        links={data.categories}
        to={(slug) => paths.servicesIn(slug, region?.slug)}
      />
      <PlacementNote />
    </>
  );
}

/** The orders of the list as links, which work before the script loads. */
const ListOrder = ({ path, isBest }: { path: string; isBest: boolean }) => (
  <nav className={directoryStyles.order} aria-label="Order">
    {[
      { name: 'Featured first', best: false },
      { name: 'Best', best: true },
    ].map(({ name, best }) => (
      <Link
        key={name}
        to={listAddress(path, { page: 1, isBest: best })}
        aria-current={best === isBest ? 'true' : undefined}
        preventScrollReset
      >
        {name}
      </Link>
    ))}
  </nav>
);

/** "Bay of Plenty" of its slug, without the table of all regions. */
const toPlaceName = (slug: string) => slug.replaceAll('-', ' ').replace(/\b(?!(?:of|and)\b)\w/g, (letter) => letter.toUpperCase());

export function ErrorBoundary({ error, params }: Route.ErrorBoundaryProps) {
  const { categories } = useRootData();
  if (!isUnanswered(error)) return <ErrorPage error={error} />;
  const category = categories.find(({ slug }) => slug === params.category);
  return (
    <UnansweredSearch
      error={error}
      what={category?.name}
      where={[params.town, params.region].flatMap((slug) => (slug ? toPlaceName(slug) : [])).join(', ')}
    />
  );
}
