import { maxQuoteReceivers } from '@handwise/contract/messages/limits';
import { count, inWords } from '@handwise/contract/numbers';
import { paths } from '@handwise/contract/paths';
import { useEffect, useRef } from 'react';
import { ButtonLink } from '../../../ui/forms/button.tsx';
import { CategoryIcon } from '../../../ui/pictures/category-icon.tsx';
import { EmptyState } from '../../../ui/feedback/empty-state.tsx';
import { CardGrid } from '../../listings/card-grid.tsx';
import { heartOf } from '../../saved/save-heart.tsx';
import type { DirectoryListData } from './directory-data.server.ts';
import { LinkList } from './directory.tsx';
import { TellMe } from '../alerts/tell-me.tsx';
import { findAddress } from '../find/find-params.ts';
import { ListingsMap } from '../map/listings-map.tsx';
import { QuotesHint } from '../quotes/quotes-hint.tsx';
import { Link } from 'react-router';
import { directoryListIntro, directoryTitle, listAddress } from './directory-words.ts';
import directoryStyles from './directory.module.css';
import { PageLinks } from '../../../ui/page/page-links.tsx';
import { PlacementNote } from '../../listings/placement-label.tsx';

/** The listings of a group, or of a group in a region, and the ways on from there. */
export function DirectoryList({ data, path }: { data: DirectoryListData; path: string }) {
  const { category, region, town, cards, page, totalPages, totalListings, isBest, map } = data;
  const heading = useRef<HTMLHeadingElement>(null);
  const shown = useRef(page);
  // After another page was chosen, reading goes on at its top.
  useEffect(() => {
    if (shown.current !== page) heading.current?.focus({ preventScroll: true });
    shown.current = page;
  }, [page]);

  return (
    <>
      <header className={directoryStyles.head}>
        <CategoryIcon slug={category.slug} size={56} />
        <h1 ref={heading} tabIndex={-1}>
          {directoryTitle(data)}
        </h1>
        <p className={directoryStyles.intro}>{directoryListIntro(data)}</p>
        {data.alert && <TellMe search={data.alert} />}
        {page > 1 && (
          <p className="muted" role="status">
            Page {count(page)} of {count(totalPages)}
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
            {totalListings > 1 && data.isOrdered && <ListOrder path={path} isBest={isBest} />}
            <CardGrid cards={cards} actionOf={heartOf} />
            <PageLinks current={page} total={totalPages} to={(number) => listAddress(path, { page: number, isBest })} />
            {totalListings > 1 && (
              <QuotesHint category={category.slug} place={[...new Set([town?.name, region?.name])].filter(Boolean).join(', ')}>
                Describe the job once, and up to {inWords(maxQuoteReceivers)} of them answer you.
              </QuotesHint>
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
      {totalListings > 1 && (
        <section className={directoryStyles.section} aria-labelledby="map">
          <h2 id="map" className={directoryStyles.linksTitle}>
            Where they are
          </h2>
          <ListingsMap
            search={map}
            label={directoryTitle(data)}
            areaAddress={(area) => findAddress({ category: category.slug, ...area })}
          />
        </section>
      )}
      <LinkList
        id="towns"
        title={region ? `${category.name} by town and district of ${region.name}` : ''}
        links={data.towns}
        to={(path) => path}
      />
      <LinkList
        id="nearby"
        title={`${category.name} near ${town?.name}`}
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

/** In which order a list is read, as links: they work before any script does. */
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
