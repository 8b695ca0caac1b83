import { paths } from '@handwise/contract/paths';
import { browseCategories } from '@handwise/contract/categories';
import { maxQuoteReceivers } from '@handwise/contract/message-limits';
import { count, inWords, totalText } from '@handwise/contract/numbers';
import { useEffect, useMemo, useRef } from 'react';
import { useLocation, useNavigate, useSearchParams } from 'react-router';
import { useRootData } from '../../lib/root-data.ts';
import { siteName } from '../../lib/site.ts';
import { Button } from '../../ui/forms/button.tsx';
import { EmptyState } from '../../ui/feedback/empty-state.tsx';
import { ErrorDisplay } from '../../ui/feedback/error-display.tsx';
import { CardGridSkeleton, Skeleton } from '../../ui/feedback/skeleton.tsx';
import styles from './browse.module.css';
import { CardGrid } from '../listings/card-grid.tsx';
import { cardView } from '../listings/card-view.ts';
import { heartOf } from '../saved/save-heart.tsx';
import { alertSearch } from './alerts/alert-search.ts';
import { TellMe } from './alerts/tell-me.tsx';
import { CategoryCarousel } from './category-carousel.tsx';
import { FilterChips } from './filters/filter-chips.tsx';
import { FilterFields } from './filters/filter-fields.tsx';
import { FilterSheet } from './filters/filter-sheet.tsx';
import { headingOf, knownFilters } from './filters/known-filters.ts';
import { ReadingNote } from './filters/reading-note.tsx';
import { QuotesHint } from './quotes/quotes-hint.tsx';
import { useListings } from './search-queries.ts';
import { PageLinks } from '../../ui/page/page-links.tsx';
import { PlacementNote } from '../listings/placement-label.tsx';
import { rememberScroll, takeRememberedScroll } from './scroll-memory.ts';
import type { ChangeFilters, Filters } from './filters/search-params.ts';
import { clearAll, isFiltered, readFilters, toggleCategory, withPage, withReading, writeFilters } from './filters/search-params.ts';

/** The listing search. All of its state stands in the address. Needs `Queries` around it. */
export function Browse() {
  const { market } = useRootData();
  const [params] = useSearchParams();
  const navigate = useNavigate();
  const known = useMemo(() => knownFilters(readFilters(params, market), market), [params, market]);
  const { filters } = known;
  const query = useListings(filters);
  const results = useRef<HTMLHeadingElement>(null);
  const heading = headingOf(known);
  const total = query.isPlaceholderData ? undefined : (query.data?.totalListings ?? undefined);
  const reading = query.isPlaceholderData ? undefined : query.data?.understood;
  const narrowed = isFiltered(filters, market);

  // Where the words themselves find something they are searched as they are; else they are read.
  const raw = filters.title && total && !reading ? '1' : undefined;
  const { title: q, category, subCategory, country, region, district } = filters;
  const tellOf =
    filters.listingNumber || total === undefined ? null : alertSearch({ q, category, subCategory, country, region, district, raw });

  const addressOf = (next: Filters) => paths.browse + writeFilters(next, market);
  const change: ChangeFilters = (next) => {
    const now = knownFilters(readFilters(new URLSearchParams(location.search), market), market);
    void navigate(addressOf(next(now.filters)), { preventScrollReset: true });
  };
  // What was pressed is gone afterwards: the focus goes to what it led to.
  const changeAndFocus: ChangeFilters = (next) => {
    change(next);
    results.current?.focus({ preventScroll: true });
  };
  const showResults = () => {
    results.current?.focus({ preventScroll: true });
    results.current?.scrollIntoView();
  };

  useEffect(() => {
    document.title = `${heading} | ${siteName}`;
  }, [heading]);
  const rememberPlace = useScrollMemory(query.data !== undefined);

  const fields = <FilterFields known={known} market={market} onChange={change} />;
  const active = [filters.category, filters.subCategory, !market && filters.country, filters.region, filters.district].filter(
    Boolean,
  ).length;

  return (
    <div className={styles.page}>
      <CategoryCarousel
        categories={browseCategories}
        chosen={filters.category}
        onToggle={(slug) => change((now) => toggleCategory(now, slug))}
      />
      <search className={styles.filters} aria-label="Filters">
        <div className={styles.row}>{fields}</div>
        <div className={styles.sheet}>
          <FilterSheet active={active} matching={total} onClear={narrowed ? () => change(() => clearAll(market)) : undefined}>
            {fields}
          </FilterSheet>
        </div>
        <FilterChips known={known} market={market} onChange={changeAndFocus} />
        {reading && <ReadingNote reading={reading} onTake={() => changeAndFocus((now) => withReading(now, reading))} />}
      </search>
      <div className={styles.head}>
        <h1 ref={results} className={styles.heading} tabIndex={-1}>
          {heading}
        </h1>
        <p className={styles.count} role="status">
          {query.data ? (
            <>
              <strong>{count(query.data.listings.length)}</strong> of{' '}
              <strong>{totalText(query.data.totalListings ?? query.data.listings.length, query.data.totalIsExact)}</strong> Active Listings
            </>
          ) : (
            query.isPending && <Skeleton width={180} height={20} />
          )}
        </p>
        {tellOf && <TellMe key={tellOf} search={tellOf} />}
      </div>
      <Results
        query={query}
        filters={filters}
        addressOf={addressOf}
        onOpen={rememberPlace}
        onPage={showResults}
        onClear={() => changeAndFocus(() => clearAll(market))}
      />
      <PlacementNote />
    </div>
  );
}

type ResultsProps = {
  query: ReturnType<typeof useListings>;
  filters: Filters;
  addressOf: (filters: Filters) => string;
  onOpen: () => void;
  onPage: () => void;
  onClear: () => void;
};

function Results({ query, filters, addressOf, onOpen, onPage, onClear }: ResultsProps) {
  const cards = useMemo(() => query.data?.listings.map(cardView) ?? [], [query.data]);
  if (query.isError) return <ErrorDisplay error={query.error} onRetry={() => void query.refetch()} />;
  if (!query.data) return <CardGridSkeleton />;
  const { totalPages } = query.data;
  const isBehindTheEnd = cards.length === 0 && totalPages > 0;
  if (cards.length === 0 && !isBehindTheEnd) {
    return (
      <EmptyState title="No listings found" drawing="search" action={<Button onClick={onClear}>Clear all filters</Button>}>
        Nothing matches all of these filters at once. Try fewer of them, or a wider area.
      </EmptyState>
    );
  }
  return (
    <div className={styles.results} aria-busy={query.isPlaceholderData}>
      {isBehindTheEnd ? (
        <EmptyState title="There are no listings on this page any more" drawing="search">
          The list is shorter now. Choose a page below.
        </EmptyState>
      ) : (
        <CardGrid cards={cards} onOpen={onOpen} actionOf={heartOf} />
      )}
      <PageLinks current={filters.page} total={totalPages} to={(page) => addressOf(withPage(filters, page))} onChoose={onPage} />
      <QuotesHint category={filters.category} subCategory={filters.subCategory}>
        Describe a job once, and up to {inWords(maxQuoteReceivers)} businesses answer you.
      </QuotesHint>
    </div>
  );
}

/** Brings a list back to where it was left for a listing, whichever way one returns to it. Gives what to call on leaving. */
function useScrollMemory(isThere: boolean) {
  const { search } = useLocation();
  const address = useRef(search);
  useEffect(() => {
    address.current = search;
  }, [search]);
  useEffect(() => {
    if (!isThere) return;
    const y = takeRememberedScroll(address.current);
    if (y !== null) scrollTo({ top: y, behavior: 'instant' });
  }, [isThere]);
  return () => rememberScroll(search);
}
