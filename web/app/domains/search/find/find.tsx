import { filterNames } from '@handwise/contract/search-filters';
import { maxQuoteReceivers } from '@handwise/contract/message-limits';
import { inWords, totalOfListings } from '@handwise/contract/numbers';
import { paths } from '@handwise/contract/paths';
import { useEffect, useRef } from 'react';
import { useNavigate, useNavigation } from 'react-router';
import { useRootData } from '../../../lib/root-data.ts';
import { EmptyState } from '../../../ui/feedback/empty-state.tsx';
import { ButtonLink } from '../../../ui/forms/button.tsx';
import { PageLinks } from '../../../ui/page/page-links.tsx';
import { CardGrid } from '../../listings/card-grid.tsx';
import { PlacementNote } from '../../listings/placement-label.tsx';
import { heartOf } from '../../saved/save-heart.tsx';
import { SearchForm } from '../bar/search-form.tsx';
import { NearMe } from '../bar/near-me.tsx';
import { QuotesHint } from '../quotes/quotes-hint.tsx';
import { TellMe } from '../alerts/tell-me.tsx';
import { FindAlternatives } from './find-alternatives.tsx';
import { FindChips } from './find-chips.tsx';
import type { FindData } from './find-data.server.ts';
import { FindFilters } from './find-filters.tsx';
import { changed, findAddress, nearby } from './find-params.ts';
import { distanceText, findHeading } from './find-words.ts';
import styles from './find.module.css';
import { MapBeside } from './map-beside.tsx';
import { WhyHere } from './why-here.tsx';

const few = 3;

/** The search of everybody: what was understood, order and filters, and the listings. All of it stands in the address. */
export function Find({ data }: { data: FindData }) {
  const { params, alert, understood, cards, isExact, notice, page, totalPages, alternatives, map } = data;
  // Where it is not known, there is more than is shown.
  const total = data.total ?? Math.max(few, cards.length);
  const { state, location } = useNavigation();
  const navigate = useNavigate();
  const { market } = useRootData();
  const isLoading = state === 'loading' && location.pathname === paths.search;
  const heading = useRef<HTMLHeadingElement>(null);
  const address = findAddress(params);
  const shown = useRef(address);
  // What was pressed is gone afterwards: reading goes on at what it led to.
  useEffect(() => {
    if (shown.current !== address) heading.current?.focus({ preventScroll: true });
    shown.current = address;
  }, [address]);
  const byId = new Map(cards.map((card) => [card.id, card]));

  return (
    <div className={styles.page}>
      <SearchForm look="found" what={params.q ?? ''} where={params.where ?? ''} />
      {!params.near && <NearMe onPosition={(near) => void navigate(findAddress(nearby(params, understood, near, market)))} />}
      <FindChips data={data} />
      <div className={styles.head}>
        <h1 ref={heading} className={styles.heading} tabIndex={-1}>
          {findHeading(understood)}
        </h1>
        <p className={styles.count} role="status">
          {notice ?? totalOfListings(total, isExact)}
        </p>
        {alert && <TellMe key={alert} search={alert} />}
      </div>
      {/* Of nothing there is no order, and nothing to filter, unless it is the filters that leave nothing. */}
      {(total > 0 || filterNames.some((name) => params[name])) && <FindFilters key={address} data={data} />}
      <div className={styles.results} aria-busy={isLoading}>
        {total === 0 ? (
          <EmptyState
            title="No listing matches this search"
            drawing="search"
            action={alternatives.length === 0 && <ButtonLink to={paths.services}>See all services</ButtonLink>}
          >
            {alternatives.length > 0 ? 'These come close:' : 'Try other words, or a place nearby.'}
          </EmptyState>
        ) : (
          <MapBeside map={map} label={findHeading(understood)}>
            <CardGrid
              cards={cards.map(({ distanceKm, ...card }) => ({
                ...card,
                location: distanceKm === undefined ? card.location : `${distanceText(distanceKm)} · ${card.location}`,
              }))}
              actionOf={heartOf}
              noteOf={({ id }) => {
                const card = byId.get(id);
                return card?.why && <WhyHere why={card.why} sort={params.sort} paidPlacement={card.paidPlacement === true} />;
              }}
            />
          </MapBeside>
        )}
        {total < few && <FindAlternatives alternatives={alternatives} />}
        <PageLinks current={page} total={totalPages} to={(number) => findAddress(changed(params, { page: String(number) }))} />
        {total >= few && <FindAlternatives alternatives={alternatives} />}
        {total > 1 && understood.category && (
          <QuotesHint category={understood.category} subCategory={understood.subCategory} place={understood.place}>
            Describe the job once, and up to {inWords(maxQuoteReceivers)} of them answer you.
          </QuotesHint>
        )}
      </div>
      <PlacementNote />
    </div>
  );
}
