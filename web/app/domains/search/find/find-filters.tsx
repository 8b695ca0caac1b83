import type { CallInput } from '@handwise/contract/call';
import type { FindPage, findListings } from '@handwise/contract/search/calls';
import { type ChangeEvent, type FormEvent, lazy, Suspense, useRef, useState } from 'react';
import { useNavigate } from 'react-router';
import { totalOfListings } from '@handwise/contract/numbers';
import { filterNames } from '@handwise/contract/search/filters';
import { call } from '../../../lib/api.ts';
import { useRootData } from '../../../lib/root-data.ts';
import { FilterOpener } from './filter-opener.tsx';
import type { FindData } from './find-data.ts';
import { FindFilterFields } from './find-filter-fields.tsx';
import styles from './find-filters.module.css';
import { changed, findAddress, findNames, type FindParams, noPlace, readFind, spelledOut } from './find-params.ts';
import type { ChosenPlace } from './place-fields.tsx';

// The names of all regions come when they are asked for.
const PlaceFields = lazy(async () => ({ default: (await import('./place-fields.tsx')).PlaceFields }));

const panelId = 'find-filters';
/** What the form chooses itself; everything else of the search goes along with it. */
const chosenHere = new Set<string>([...filterNames, 'sort', 'km', 'page']);

type FindInput = CallInput<typeof findListings>;
type Counted = Pick<FindData, 'total' | 'isExact' | 'facets'>;

const countedIn = (found: FindPage): Counted => ({
  total: found.totalListings,
  isExact: found.totalIsExact,
  facets: found.facets,
});

/**
 * Order, place and filters as one form of the browser. Where there is room it is a row, and each choice is followed at once; else a sheet,
 * whose button says how many listings it shows, and which is one step of the history however much was chosen. Its key is the search.
 */
export function FindFilters({ data }: { data: FindData }) {
  const { params, understood, total, isExact, facets } = data;
  const { market } = useRootData();
  const navigate = useNavigate();
  const panel = useRef<HTMLDivElement>(null);
  const form = useRef<HTMLFormElement>(null);
  const asking = useRef<AbortController>(null);
  const [live, setLive] = useState<Counted>({ total, isExact, facets });
  // Null while the place is the one that was understood.
  const [place, setPlace] = useState<ChosenPlace | null>(null);
  const [isOpened, setOpened] = useState(false);
  const { area } = understood;
  const understoodPlace = { country: area?.country ?? '', region: area?.region ?? '', district: area?.district ?? '' };
  const active = [...filterNames, 'region' as const, 'country' as const].filter((name) => params[name]).length;

  // Another place takes the place of the one in the words, so these are spelled out.
  const searchOf = (chosenPlace: ChosenPlace | null): FindParams => {
    const given = [...new FormData(form.current ?? undefined)].map(([name, value]) => [name, String(value)]);
    const chosen = readFind(new URLSearchParams(given));
    return chosenPlace ? changed(spelledOut(chosen, understood, market), { ...noPlace, ...chosenPlace }) : chosen;
  };
  const isSheet = () => panel.current?.matches(':popover-open') === true;
  const follow = (chosenPlace: ChosenPlace | null) => {
    asking.current?.abort();
    if (isSheet()) panel.current?.hidePopover();
    void navigate(findAddress(searchOf(chosenPlace)), { preventScrollReset: true });
  };
  const choose = (chosenPlace: ChosenPlace | null) => {
    if (!isSheet()) return follow(chosenPlace);
    asking.current?.abort();
    const { signal } = (asking.current = new AbortController());
    const query = { ...searchOf(chosenPlace), limit: '1' } as FindInput['query'];
    call<typeof findListings>({ method: 'GET', url: '/search' }, { query }, signal)
      .then((found) => setLive(countedIn(found)))
      // The button then says what it did before: it leads to what was chosen all the same.
      .catch(() => undefined);
  };
  const choosePlace = (next: ChosenPlace) => {
    setPlace(next);
    choose(next);
  };
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    follow(place);
  };

  return (
    <section className={styles.filters} aria-label="Order and filters">
      <div className={styles.opener}>
        <FilterOpener name="Filters" active={active} popoverTarget={panelId} />
      </div>
      <div ref={panel} id={panelId} popover="auto" className={styles.panel}>
        <form
          ref={form}
          method="get"
          className={styles.form}
          onSubmit={submit}
          onChange={(event: ChangeEvent<HTMLFormElement>) => {
            const field: unknown = event.target;
            // The fields of the place have no names: they are followed by themselves.
            if ((field instanceof HTMLSelectElement || field instanceof HTMLInputElement) && field.name) choose(place);
          }}
        >
          {findNames.map((name) =>
            params[name] && !chosenHere.has(name) ? <input key={name} type="hidden" name={name} value={params[name]} /> : null,
          )}
          <FindFilterFields params={params} facets={live.facets} near={understood.near} />
          <details className={styles.place} onToggle={() => setOpened(true)}>
            <summary>Location</summary>
            <div className={styles.placePanel}>
              {isOpened && (
                <Suspense fallback={null}>
                  <PlaceFields place={place ?? understoodPlace} onChange={choosePlace} />
                </Suspense>
              )}
            </div>
          </details>
          <button type="submit" className={styles.show}>
            Show {totalOfListings(live.total, live.isExact)}
          </button>
          <noscript>
            <button type="submit">Show listings</button>
          </noscript>
        </form>
      </div>
    </section>
  );
}
