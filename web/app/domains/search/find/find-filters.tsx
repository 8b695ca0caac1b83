import type { InputOf } from '@handwise/contract/calls';
import type { FindPage } from '@handwise/contract/search/calls';
import { type ChangeEvent, type FormEvent, lazy, Suspense, useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react';
import { useNavigate } from 'react-router';
import { totalOfListings, count } from '@handwise/contract/numbers';
import { filterNames, searchFilters } from '@handwise/contract/search/filters';
import { call } from '../../../lib/api.ts';
import { useRootData } from '../../../lib/root-data.ts';
import type { FindData } from './find-data.ts';
import styles from './find-filters.module.css';
import {
  changeParams,
  findAddress,
  findNames,
  type FindParams,
  noPlace,
  isPlaceless,
  readFind,
  getExplicitParams,
  settleWishes,
  type FindName,
} from './find-params.ts';
import type { ChosenPlace } from './place-fields.tsx';
import { distancesKm } from '../map/map-area.ts';
import { IconAdjustmentsHorizontal, IconChevronDown, IconX } from '@tabler/icons-react';

// The names of all regions load on demand.
const PlaceFields = lazy(async () => ({ default: (await import('./place-fields.tsx')).PlaceFields }));

const panelId = 'find-filters';
/** The parameters that the form sets; the rest of the search is preserved. */
const chosenHere = new Set<string>([...filterNames, 'sort', 'km', 'page']);

type FindInput = InputOf<'GET /search'>;
type Counted = Pick<FindData, 'total' | 'isExact' | 'facets'>;

const uncounted: Counted = { total: null, isExact: false, facets: null };
const countedIn = (found: FindPage): Counted => ({
  total: found.totalListings,
  isExact: found.totalIsExact,
  facets: found.facets,
});

// Whether the location is open while a choice leads from one page to another, such as from the members' home to the search.
let isChoosingPlace = false;

// Where the row of pills is scrolled to: each choice renders it anew, and so does coming back from a listing.
let pillsLeft = 0;

/** What is chosen in the sheet before it is followed. */
type Draft = { search: string; live?: Counted; place?: ChosenPlace | null };

/**
 * Order, place and filters as one form: on wide screens a row of pills whose choices apply at once, else a sheet whose button shows the number
 * of listings and which adds one history entry.
 */
export function FindFilters({ data }: { data: Pick<FindData, 'params' | 'understood'> & Counted }) {
  const { understood, total, isExact, facets } = data;
  const params = settleWishes(data.params, understood.wishes);
  const { market } = useRootData();
  const navigate = useNavigate();
  const panel = useRef<HTMLDivElement>(null);
  const form = useRef<HTMLFormElement>(null);
  const asking = useRef<AbortController>(null);
  // The page adds the country by itself, and what was ticked meanwhile stays.
  const search = findAddress(changeParams(params, { country: undefined }));
  const [draft, setDraft] = useState<Draft>({ search });
  // Another search has nothing chosen yet, nor has this one after going back to it.
  if (draft.search !== search) setDraft({ search });
  const { live = { total, isExact, facets }, place = null } = draft;
  const [isOpened, setOpened] = useState(() => isChoosingPlace);
  const [wasOpened] = useState(isOpened);
  useEffect(() => {
    isChoosingPlace = false;
  }, []);
  const pills = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    // Zero would undo what was scrolled before the script loaded.
    if (pillsLeft) pills.current?.scrollTo(pillsLeft, 0);
  });
  const { area } = understood;
  const understoodPlace = { country: area?.country ?? '', region: area?.region ?? '', district: area?.district ?? '' };
  // Beside a smaller place the country only says which one of its name is meant.
  const active = [...filterNames, 'region' as const, ...(isPlaceless(understood) ? ['country' as const] : [])].filter(
    (name) => params[name],
  ).length;

  // A chosen place replaces the one in the words, so the understood parts become explicit parameters.
  const searchOf = (chosenPlace: ChosenPlace | null): FindParams => {
    const entries = [...new FormData(form.current ?? undefined)].map(([name, value]) => [name, String(value)]);
    const chosen = readFind(new URLSearchParams(entries));
    return chosenPlace ? changeParams(getExplicitParams(chosen, understood, market), { ...noPlace, ...chosenPlace }) : chosen;
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
    call('GET /search', { query }, signal)
      .then((found) => setDraft({ search, live: countedIn(found), place: chosenPlace }))
      // The button then has no count; its link still works.
      .catch(() => signal.aborted || setDraft({ search, live: uncounted, place: chosenPlace }));
  };
  const countAgain = useEffectEvent((_country: string | undefined) => {
    if (isSheet()) choose(place);
  });
  useEffect(() => countAgain(params.country), [params.country]);
  const choosePlace = (next: ChosenPlace) => {
    setDraft({ search, live, place: next });
    isChoosingPlace = true;
    choose(next);
  };
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    follow(place);
  };

  return (
    <section className={styles.filters} aria-label="Order and filters">
      <div className={styles.opener}>
        <button type="button" className={styles.open} popoverTarget={panelId}>
          <IconAdjustmentsHorizontal size={20} stroke={1.75} aria-hidden="true" />
          Filters
          {active > 0 && (
            <span className={styles.active}>
              {count(active)}
              <span className="visually-hidden"> active</span>
            </span>
          )}
        </button>
      </div>
      <div ref={panel} id={panelId} popover="auto" className={styles.panel}>
        <div className={styles.title}>
          <h2>Filters</h2>
          <button type="button" className={styles.close} popoverTarget={panelId} popoverTargetAction="hide">
            <IconX size={22} stroke={1.75} aria-hidden="true" />
            <span className="visually-hidden">Close the filters</span>
          </button>
        </div>
        <form
          ref={form}
          method="get"
          className={styles.form}
          onSubmit={submit}
          onChange={(event: ChangeEvent<HTMLFormElement>) => {
            const field: unknown = event.target;
            // The place fields have no names and are handled separately.
            if ((field instanceof HTMLSelectElement || field instanceof HTMLInputElement) && field.name) choose(place);
          }}
        >
          {findNames.map((name) =>
            params[name] && (!chosenHere.has(name) || (name === 'km' && !understood.near)) ? (
              <input key={name} type="hidden" name={name} value={params[name]} />
            ) : null,
          )}
          <FindOrder key={`order ${search}`} params={params} near={understood.near} />
          <details className={styles.place} open={wasOpened} data-keeps-focus onToggle={() => setOpened(true)}>
            <summary>
              Location
              <IconChevronDown size={16} stroke={1.75} aria-hidden="true" />
            </summary>
            <div className={styles.placePanel}>
              {isOpened && (
                <Suspense fallback={null}>
                  <PlaceFields place={place ?? understoodPlace} onChange={choosePlace} />
                </Suspense>
              )}
            </div>
          </details>
          <div ref={pills} className={styles.pills} onScroll={({ currentTarget }) => (pillsLeft = currentTarget.scrollLeft)}>
            <FindFilterFields key={search} params={params} facets={live.facets} />
          </div>
          <button type="submit" className={styles.show}>
            Show {live.total === null ? 'listings' : totalOfListings(live.total, live.isExact)}
          </button>
          <noscript>
            <button type="submit">Show listings</button>
          </noscript>
        </form>
      </div>
    </section>
  );
}

type Choice = { value: string; name: string; total?: number };

/** The offered distances, and the current one if it is not among them. */
const distancesWith = (km: number): Choice[] =>
  [...new Set([...distancesKm, km])].toSorted((a, b) => a - b).map((one) => ({ value: String(one), name: `${one} km` }));

type SelectProps = { name: FindName; label: string; any?: string; choices: readonly Choice[]; chosen: string | undefined };

function Select({ name, label, any, choices, chosen }: SelectProps) {
  return (
    <label className={styles.select} data-chosen={chosen !== undefined || undefined}>
      <span>{label}</span>
      <select name={name} defaultValue={chosen ?? ''}>
        {any !== undefined && <option value="">{any}</option>}
        {choices.map(({ value, name: text, total }) => (
          <option key={value} value={value} disabled={total === 0 && value !== chosen}>
            {text}
            {total === undefined ? '' : ` (${count(total)})`}
          </option>
        ))}
      </select>
    </label>
  );
}

const Check = ({ name, label, total, chosen }: { name: FindName; label: string; total: number | undefined; chosen: boolean }) => (
  <label className={styles.check}>
    <input type="checkbox" name={name} value="1" defaultChecked={chosen} disabled={total === 0 && !chosen} />
    <span>
      {label} {total !== undefined && <span className={styles.total}>({count(total)})</span>}
    </span>
  </label>
);

// Menus before switches, so that the row of pills reads in groups.
const namesInOrder = filterNames.toSorted((a, b) => Number(searchFilters[a].type === 'flag') - Number(searchFilters[b].type === 'flag'));

type FieldsProps = { params: FindParams } & Pick<FindData, 'facets'>;

/** The order, and the distance around a place. */
const FindOrder = ({ params, near }: Pick<FieldsProps, 'params'> & Pick<FindData['understood'], 'near'>) => (
  <>
    <Select
      name="sort"
      label="Order"
      any="Recommended"
      chosen={params.sort}
      choices={[
        { value: 'rating', name: 'Best rated' },
        { value: 'newest', name: 'Newest' },
        { value: 'price', name: 'Lowest price' },
        ...(near ? [{ value: 'nearest', name: 'Nearest' }] : []),
      ]}
    />
    {near && <Select name="km" label="Within" choices={distancesWith(near.km)} chosen={String(near.km)} />}
  </>
);

/** The fields of the form, from the table of filters, each with what it would find; choices without matches cannot be chosen. */
const FindFilterFields = ({ params, facets }: FieldsProps) => (
  <>
    {namesInOrder.map((name) => {
      const filter = searchFilters[name];
      const counts = facets?.[name];
      if (filter.type === 'flag') {
        const total = typeof counts === 'number' ? counts : undefined;
        return <Check key={name} name={name} label={filter.label} total={total} chosen={params[name] === '1'} />;
      }
      const totals = Array.isArray(counts) ? new Map(counts.map(({ value, total }) => [String(value), total])) : undefined;
      const choices = filter.choices.map(String).map((value): Choice => {
        const total = totals?.get(value);
        return { value, name: filter.choiceLabel(value), ...(total !== undefined && { total }) };
      });
      return (
        <Select
          key={name}
          name={name}
          label={filter.label}
          any={`Any ${filter.label === 'Price from' ? 'price' : filter.label.toLowerCase()}`}
          chosen={params[name]}
          choices={choices}
        />
      );
    })}
  </>
);
