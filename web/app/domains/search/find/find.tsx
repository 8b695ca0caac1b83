import { isTypedInto } from '../bar/combobox.tsx';
import { maxQuoteReceivers } from '@handwise/contract/messages/limits';
import { inWords } from '@handwise/contract/numbers';
import { filterNames } from '@handwise/contract/search/filters';
import { paths } from '@handwise/contract/paths';
import { useEffect, useRef } from 'react';
import { useNavigation } from 'react-router';
import { useRootData } from '../../../lib/root-data.ts';
import { EmptyState } from '../../../ui/feedback/empty-state.tsx';
import { ButtonLink } from '../../../ui/forms/button.tsx';
import { PageLinks } from '../../../ui/page/page-links.tsx';
import { CardGrid } from '../../listings/card-grid.tsx';
import { PlacementNote } from '../../listings/placement-label.tsx';
import { heartOf } from '../../saved/save-heart.tsx';
import { QuotesHint } from '../quotes/quotes-hint.tsx';
import { TellMe } from '../alerts/tell-me.tsx';
import { ListingsMap } from '../map/listings-map.tsx';
import { FindAlternatives } from './find-alternatives.tsx';
import { FindChips } from './find-chips.tsx';
import type { FindData } from './find-data.ts';
import { FindFilters } from './find-filters.tsx';
import { changed, findAddress, isNarrowed, nearby } from './find-params.ts';
import { countSentence, distanceText, findHeading } from './find-words.ts';
import styles from './find.module.css';
import { MapBeside } from './map-beside.tsx';
import { useScrollMemory } from './scroll-memory.ts';
import { WhyHere } from './why-here.tsx';

const few = 3;

/** The search of everybody: what was understood, order and filters, and the listings as a list and a map. All of it stands in the address. */
export function Find({ data }: { data: FindData }) {
  const { params, alert, understood, cards, notice, total, isExact, page, totalPages, alternatives, unknown } = data;
  const { state, location } = useNavigation();
  const { market } = useRootData();
  const isLoading = state === 'loading' && location.pathname === paths.search;
  const heading = useRef<HTMLHeadingElement>(null);
  const address = findAddress(params);
  const shown = useRef(address);
  const rememberPlace = useScrollMemory();
  // The control that was pressed may be gone, so the focus moves to the results.
  useEffect(() => {
    if (shown.current !== address && !isTypedInto(document.activeElement)) heading.current?.focus({ preventScroll: true });
    shown.current = address;
  }, [address]);
  const others = alternatives.filter(({ isNamesake }) => !isNamesake);
  const byId = new Map(cards.map((card) => [card.id, card]));
  // Of nothing there is no order, and nothing to filter, unless it is the filters that leave nothing.
  const isFiltered = total !== 0 || filterNames.some((name) => params[name]);
  const label = findHeading(understood);

  return (
    <div className={styles.page}>
      <FindChips data={data} />
      <div className={styles.head}>
        <h1 ref={heading} className={styles.heading} tabIndex={-1}>
          {label}
        </h1>
        <p className={notice ? styles.notice : styles.count} role="status">
          {notice ?? countSentence(cards.length, total ?? cards.length, isExact)}
        </p>
      </div>
      <MapBeside
        filters={isFiltered && <FindFilters key={address} data={data} />}
        map={
          cards.length > 0 && (
            <ListingsMap
              search={unknown ? changed(params, { where: undefined, near: undefined, km: undefined, sort: undefined }) : params}
              label={label}
              areaAddress={({ near, km }) => findAddress({ ...nearby(params, understood, near, market), km })}
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
              {others.length > 0 ? 'These come close:' : 'Nothing matches all of this. Try other words, or a place nearby.'}
            </EmptyState>
          ) : (
            <CardGrid
              cards={cards.map(({ distanceKm, ...card }) => ({
                ...card,
                location: distanceKm === undefined ? card.location : `${distanceText(distanceKm)} · ${card.location}`,
              }))}
              onOpen={rememberPlace}
              actionOf={heartOf}
              noteOf={({ id }) => {
                const card = byId.get(id);
                return card?.why && <WhyHere why={card.why} sort={params.sort} paidPlacement={card.paidPlacement === true} />;
              }}
            />
          )}
          {cards.length < few && <FindAlternatives alternatives={others} />}
          <PageLinks current={page} total={totalPages} to={(number) => findAddress(changed(params, { page: String(number) }))} />
          {cards.length >= few && <FindAlternatives alternatives={others} />}
          {alert && <TellMe key={alert} search={alert} />}
          {cards.length > 1 && understood.category && (
            <QuotesHint category={understood.category} subCategory={understood.subCategory} place={understood.place}>
              Describe the job once, and up to {inWords(maxQuoteReceivers)} of them answer you.
            </QuotesHint>
          )}
        </div>
      </MapBeside>
      <PlacementNote />
    </div>
  );
}
