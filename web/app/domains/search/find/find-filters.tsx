import type { CallInput } from '@handwise/contract/call';
import { totalOfListings } from '@handwise/contract/numbers';
import { filterNames } from '@handwise/contract/search-filters';
import type { FindPage, findListings } from '@handwise/contract/search';
import { type ChangeEvent, type FormEvent, useRef, useState } from 'react';
import { Link, useNavigate } from 'react-router';
import { call } from '../../../lib/api.ts';
import { FilterOpener } from '../filters/filter-opener.tsx';
import { searchAddress } from '../bar/search-address.ts';
import type { FindData } from './find-data.server.ts';
import { FindFilterFields } from './find-filter-fields.tsx';
import styles from './find-filters.module.css';
import { changed, findAddress, findNames, readFind } from './find-params.ts';

const panelId = 'find-filters';
/** What the form chooses itself; everything else of the search goes along with it. */
const chosenHere = new Set<string>([...filterNames, 'sort', 'km', 'page']);

type FindInput = CallInput<typeof findListings>;
type Counted = Pick<FindPage, 'facets'> & { total: number | null; isExact: boolean };

/**
 * Order and filters as one form of the browser. Where there is room it is a row, and each choice is followed at once; else a sheet, whose
 * button says how many listings it shows, and which is one step of the history however much was chosen. Its key is the search.
 */
export function FindFilters({ data }: { data: FindData }) {
  const { params, total, isExact, facets } = data;
  const navigate = useNavigate();
  const panel = useRef<HTMLDivElement>(null);
  const asking = useRef<AbortController>(null);
  const [live, setLive] = useState<Counted>({ total, isExact, facets });
  const active = filterNames.filter((name) => params[name]).length;

  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    asking.current?.abort();
    if (panel.current?.matches(':popover-open')) panel.current.hidePopover();
    void navigate(searchAddress(new FormData(event.currentTarget)), { preventScrollReset: true });
  };
  const choose = (event: ChangeEvent<HTMLFormElement>) => {
    const form = event.currentTarget;
    if (!panel.current?.matches(':popover-open')) return form.requestSubmit();
    asking.current?.abort();
    const { signal } = (asking.current = new AbortController());
    const query = readFind(new URLSearchParams([...new FormData(form)].map(([name, value]) => [name, String(value)])));
    call<typeof findListings>({ method: 'GET', url: '/search' }, { query: { ...query, limit: '1' } as FindInput['query'] }, signal)
      .then((found) => setLive({ total: found.totalListings, isExact: found.totalIsExact, facets: found.facets }))
      // The button then says what it did before: it leads to what was chosen all the same.
      .catch(() => undefined);
  };

  return (
    <section className={styles.filters} aria-label="Order and filters">
      <div className={styles.opener}>
        <FilterOpener name="Order and filters" active={active} popoverTarget={panelId} />
      </div>
      <div ref={panel} id={panelId} popover="auto" className={styles.panel}>
        <form method="get" className={styles.form} onSubmit={submit} onChange={choose}>
          {findNames.map((name) =>
            params[name] && !chosenHere.has(name) ? <input key={name} type="hidden" name={name} value={params[name]} /> : null,
          )}
          <FindFilterFields params={params} facets={live.facets} near={data.understood.near} />
          {active > 0 && (
            <Link
              className={styles.clear}
              to={findAddress(changed(params, Object.fromEntries(filterNames.map((name) => [name, undefined]))))}
              preventScrollReset
            >
              Clear filters
            </Link>
          )}
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
