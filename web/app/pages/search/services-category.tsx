import { paths } from '@handwise/contract/paths';
import { data } from 'react-router';
import { directoryListData, type DirectoryListData } from '../../domains/search/directory/directory-data.server.ts';
import { DirectoryList } from '../../domains/search/directory/directory-list.tsx';
import { directoryListIntro, directoryTitle, listAddress, pageName } from '../../domains/search/directory/directory-words.ts';
import { breadcrumbList, jsonLdText, JsonLd } from '../../ui/page/json-ld.tsx';
import { type PageHandle, useRootData } from '../../lib/root-data.ts';
import { pageMeta } from '../../lib/page-meta.ts';
import { serverContext } from '../../lib/server-context.ts';
import { Breadcrumbs, Container } from '../../ui/page/page.tsx';
import type { Route } from './+types/services-category';
import styles from './services.module.css';

export const handle: PageHandle = { reads: ['page', 'sort'] };

export async function loader({ context, params, request }: Route.LoaderArgs) {
  const asked = new URL(request.url).searchParams;
  const found = await directoryListData(context.get(serverContext), {
    category: params.category,
    region: params.region,
    town: params.town,
    page: asked.get('page'),
    sort: asked.get('sort'),
  });
  if (!found) throw data(null, { status: 404 });
  return found;
}

const pathOf = ({ category, region, town }: DirectoryListData) => paths.servicesIn(category.slug, region?.slug, town?.slug);
const addressOf = (list: DirectoryListData, page = list.page) => listAddress(pathOf(list), { page, isBest: list.isBest });

export const meta: Route.MetaFunction = ({ matches, loaderData }) => {
  if (!loaderData) return [];
  return [
    ...pageMeta(matches, {
      title: [directoryTitle(loaderData), pageName(loaderData)].filter(Boolean).join(', '),
      description: `${directoryListIntro(loaderData)} Compare photos and reviews, and message them for free.`,
      // Each page of a list has listings that no other has: none stands for another.
      path: addressOf(loaderData),
      // The same listings in another order are found under the usual one, and a district's under its own page.
      noIndex: loaderData.totalListings === 0 || loaderData.isBest,
    }),
    ...(loaderData.page > 1 ? [{ tagName: 'link', rel: 'prev', href: addressOf(loaderData, loaderData.page - 1) } as const] : []),
    ...(loaderData.page < loaderData.totalPages
      ? [{ tagName: 'link', rel: 'next', href: addressOf(loaderData, loaderData.page + 1) } as const]
      : []),
  ];
};

/** What the page lists, for search engines. */
const itemList = (list: DirectoryListData, origin: string) => ({
  '@type': 'ItemList',
  name: directoryTitle(list),
  numberOfItems: list.cards.length,
  itemListElement: list.cards.map((card, index) => ({
    '@type': 'ListItem',
    position: index + 1,
    url: origin + paths.listing(card.id),
    name: card.title,
  })),
});

export default function ServicesCategoryPage({ loaderData }: Route.ComponentProps) {
  const { origin } = useRootData();
  const { category, region, town, cards } = loaderData;
  const path = pathOf(loaderData);
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
        <JsonLd key={`${path} trail`} text={import.meta.env.SSR ? jsonLdText(breadcrumbList(origin, trail)) : ''} />
        {cards.length > 0 && <JsonLd key={`${path} list`} text={import.meta.env.SSR ? jsonLdText(itemList(loaderData, origin)) : ''} />}
      </div>
    </Container>
  );
}
