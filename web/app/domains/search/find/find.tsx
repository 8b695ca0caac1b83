import { isTypedInto } from '../bar/combobox.tsx';
import { likelyCountry } from '../bar/likely-country.ts';
import { maxQuoteRequestReceivers } from '@handwise/contract/messages/limits';
import { inWords } from '@handwise/contract/numbers';
import { paths } from '@handwise/contract/paths';
import { type ComponentType, useEffect, useRef, type ReactNode } from 'react';
import { useNavigate, useNavigation, Link, useLocation } from 'react-router';
import { useRootData } from '../../../lib/root-data.ts';
import { EmptyState } from '../../../ui/feedback/empty-state.tsx';
import { ButtonLink } from '../../../ui/forms/button.tsx';
import { PageLinks } from '../../../ui/page/page-links.tsx';
import { PlacementNote } from '../../listings/placement-label.tsx';
import { createHeart } from '../../saved/save-heart.tsx';
import { QuoteRequestHint } from '../quote-requests/quote-request-hint.tsx';
import { AlertOffer } from '../alerts/alert-offer.tsx';
import { ListingsMap } from '../map/listings-map.tsx';
import { FindChips } from './find-chips.tsx';
import type { FindData } from './find-data.ts';
import { FindFilters } from './find-filters.tsx';
import { changeParams, findAddress, isNarrowed, isPlaceless, missingCountry, searchNearby } from './find-params.ts';
import { countSentence, findHeading, type Why, listReasons, totalOfAlternative } from './find-words.ts';
import { ResultGrid, type ResultGridProps } from './result-card.tsx';
import { WhereQuestion } from './where-question.tsx';
import styles from './find.module.css';
import { readStored, resultsViewKey, writeStored } from '../../../lib/browser-storage.ts';

const few = 3;

/** The public search: how it was understood, order and filters, and the listings as a list and a map. Its whole state is in the address. */
export function Find({ data, Cards = ResultGrid }: { data: FindData; Cards?: ComponentType<ResultGridProps> }) {
  const { params, alert, understood, cards, sections, notice, total, isExact, page, totalPages, alternatives, unknown } = data;
  const { state, location } = useNavigation();
  const { market } = useRootData();
  const isLoading = state === 'loading' && location.pathname === paths.search;
  const heading = useRef<HTMLHeadingElement>(null);
  const address = findAddress(params);
  const shown = useRef(address);
  const saveListPosition = useScrollMemory();
  const navigate = useNavigate();
  useEffect(() => {
    const country = market ? null : missingCountry(params, understood, likelyCountry());
    if (country && !understood.words.startsWith('#'))
      void navigate(findAddress({ ...params, country }), { replace: true, preventScrollReset: true });
  }, [navigate, market, params, understood]);
  // The pressed control may be gone, so the focus moves to the results.
  useEffect(() => {
    const active = document.activeElement;
    if (shown.current !== address && !isTypedInto(active) && !active?.closest('[data-keeps-focus]'))
      heading.current?.focus({ preventScroll: true });
    shown.current = address;
  }, [address]);
  const others = alternatives?.filter(({ isNamesake }) => !isNamesake) ?? [];
  const byId = new Map(cards.map((card) => [card.id, card]));
  const label = findHeading(understood);

  return (
    <div className={styles.page}>
      <FindChips data={data} />
      {(params.q || params.category) && isPlaceless(understood) && !understood.words.startsWith('#') && <WhereQuestion data={data} />}
      <div className={styles.head}>
        <h1 ref={heading} className={styles.heading} tabIndex={-1}>
          {label}
        </h1>
        {total !== null && (
          <p className={styles.count} role="status">
            {total === 0 && cards.length > 0
              ? 'None here yet'
              : countSentence(cards.filter(({ section }) => section === 'match').length, total, isExact)}
          </p>
        )}
        {notice && (
          <p className={styles.notice} role="status">
            {notice}
          </p>
        )}
      </div>
      <MapBeside
        filters={<FindFilters data={data} />}
        map={
          cards.length > 0 && (
            <ListingsMap
              search={unknown ? changeParams(params, { where: undefined, near: undefined, km: undefined, sort: undefined }) : params}
              label={label}
              areaAddress={({ near, km }) => findAddress({ ...searchNearby(params, understood, near, market), km })}
            />
          )
        }
      >
        <div className={styles.results} aria-busy={isLoading}>
          {cards.length === 0 ? (
            <EmptyState
              title="No listings found"
              drawing="search"
              action={
                <ButtonLink to={isNarrowed(params) ? paths.search : paths.services}>
                  {isNarrowed(params) ? 'Clear all filters' : 'See all services'}
                </ButtonLink>
              }
            >
              {others.length > 0
                ? 'No one here matches all of that, but the searches below find something.'
                : 'No one here matches all of that. Try fewer words or a bigger area.'}
            </EmptyState>
          ) : (
            sections.map(({ key, heading: title }) => {
              const own = cards.filter(({ section }) => section === key);
              return own.length === 0 ? null : (
                <section key={key} className={styles.section} aria-label={title ?? label}>
                  {title && <h2>{title}</h2>}
                  <Cards
                    cards={own}
                    level={title ? 3 : 2}
                    priority={own[0] === cards[0]}
                    onOpen={saveListPosition}
                    actionOf={createHeart}
                    noteOf={({ id }) => {
                      const card = byId.get(id);
                      return (
                        card?.why && (
                          <WhyHere why={card.why} sort={params.sort} paidPlacement={card.paidPlacement === true} section={card.section} />
                        )
                      );
                    }}
                  />
                </section>
              );
            })
          )}
          {cards.length < few && <FindAlternatives alternatives={others} />}
          {totalPages !== null && (
            <PageLinks current={page} total={totalPages} to={(number) => findAddress(changeParams(params, { page: String(number) }))} />
          )}
          {cards.length >= few && <FindAlternatives alternatives={others} />}
          {alert && <AlertOffer key={alert} search={alert} />}
          {cards.length > 1 && understood.category && (
            <QuoteRequestHint category={understood.category} subCategory={understood.subCategory} place={understood.place}>
              Describe the job once, and up to {inWords(maxQuoteRequestReceivers)} of them answer you.
            </QuoteRequestHint>
          )}
        </div>
      </MapBeside>
      <PlacementNote />
    </div>
  );
}

/** Links to similar searches that have results, with their counts. */
const FindAlternatives = ({ alternatives }: { alternatives: NonNullable<FindData['alternatives']> }) =>
  alternatives.length === 0 ? null : (
    <nav aria-labelledby="alternatives" className={styles.alternatives}>
      <h2 id="alternatives">Searches close to this one</h2>
      <ul className={styles.list}>
        {alternatives.map(({ label, total, query }) => (
          <li key={query}>
            <Link to={`${paths.search}?${query}`}>
              <span>{label}</span>
              <span className={styles.total}>{totalOfAlternative(total)}</span>
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );

type WhyHereProps = { why: Why; sort: string | undefined; paidPlacement: boolean; section: FindData['cards'][number]['section'] };

/** Explains a card's position: section, level, rank, words, distance. Opens without script. */
const WhyHere = ({ why, ...position }: WhyHereProps) => (
  <details className={styles.why}>
    <summary>Why is this here?</summary>
    <ul className={styles.reasons}>
      {listReasons(why, position).map((sentence) => (
        <li key={sentence}>{sentence}</li>
      ))}
    </ul>
  </details>
);

type MapBesideProps = { filters: ReactNode; map: ReactNode; children: ReactNode };

/**
 * The filters above the list and the map; narrow windows show one of the two, by a switch that works without script and that the browser
 * restores.
 */
function MapBeside({ filters, map, children }: MapBesideProps) {
  const asMap = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (asMap.current && readStored(resultsViewKey) === 'map') asMap.current.checked = true;
  }, []);
  return (
    <>
      <div className={styles.bar}>
        {filters}
        <fieldset className={styles.switch} onChange={() => writeStored(resultsViewKey, asMap.current?.checked ? 'map' : 'list')}>
          <legend className="visually-hidden">Show as</legend>
          <label>
            <input type="radio" name="view" value="list" defaultChecked />
            <span>List</span>
          </label>
          <label>
            <input ref={asMap} type="radio" name="view" value="map" />
            <span>Map</span>
          </label>
        </fieldset>
      </div>
      <div className={styles.split}>
        <div className={styles.mapBesideList}>{children}</div>
        <div className={styles.map}>{map}</div>
      </div>
    </>
  );
}

const key = 'browse-scroll';

// Stored per tab, because two tabs browse two lists.
function saveScroll(search: string) {
  try {
    sessionStorage.setItem(key, JSON.stringify({ search, y: Math.round(scrollY) }));
  } catch {}
}

/** Takes the scroll position at which the list of this URL was left for a listing; null without one. */
function takeSavedScroll(search: string): number | null {
  try {
    const left = JSON.parse(sessionStorage.getItem(key) ?? 'null') as { search: string; y: number } | null;
    sessionStorage.removeItem(key);
    return left?.search === search ? left.y : null;
  } catch {
    return null;
  }
}

/** Restores the scroll position of a list however the reader returns. Returns the function to call on leaving. */
function useScrollMemory() {
  const { pathname, search } = useLocation();
  const address = useRef(pathname + search);
  useEffect(() => {
    const y = takeSavedScroll(address.current);
    if (y !== null) scrollTo({ top: y, behavior: 'instant' });
  }, []);
  return () => saveScroll(pathname + search);
}
