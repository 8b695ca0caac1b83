import { paths } from '@handwise/contract/paths';
import { IconCategory, IconChevronDown, IconSearch } from '@tabler/icons-react';
import { type FormEvent, type KeyboardEvent, useRef, useState } from 'react';
import { useLocation, useNavigate, useRouteLoaderData } from 'react-router';
import { useRootData, type RootData } from '../../lib/root-data.ts';
import { Combobox } from './bar/combobox.tsx';
import type { FindData } from './find/find-data.ts';
import {
  findAddress,
  type FindParams,
  getExplicitParams,
  withCategory,
  withText,
  changeParams,
  noPlace,
  readFind,
} from './find/find-params.ts';
import styles from './header-search.module.css';
import { isComposing } from '../../lib/forms/composing.ts';
import { mainNames, mainOrder } from '../../lib/format.ts';
import { CategoryIcon } from '../../ui/pictures/category-icon.tsx';
import type { ComboboxChoice } from './bar/combobox-choices.ts';

const panelId = 'search-categories';

/** Search bar for members in the header. It changes the current search, and starts one on other pages. */
export function HeaderSearch() {
  const { market, categories } = useRootData();
  const { pathname, search } = useLocation();
  const navigate = useNavigate();
  const loaded = useRouteLoaderData<FindData>('pages/search/search');
  const found = pathname === paths.search ? loaded : undefined;
  // A search that was not answered has only its address.
  const params = found?.params ?? (pathname === paths.search ? readFind(new URLSearchParams(search)) : {});
  const explicit = found ? getExplicitParams(params, found.understood, market) : params;

  const go = (next: FindParams) => {
    // The focus moves to the results of a new page, unless the field is focused again before they arrive.
    if (pathname !== paths.search && document.activeElement instanceof HTMLInputElement) document.activeElement.blur();
    void navigate(findAddress(next));
  };
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const fields = new FormData(event.currentTarget);
    const [typed, where] = ['q', 'where'].map((name) => String(fields.get(name) ?? ''));
    go(withText(params, typed ?? '', where));
  };

  return (
    <search className={styles.bar}>
      <button type="button" className={styles.browse} popoverTarget={panelId} aria-label="Browse marketplace">
        <IconCategory size={20} stroke={1.75} aria-hidden="true" />
        <span className={styles.label}>Browse marketplace</span>
        <IconChevronDown size={18} stroke={1.75} aria-hidden="true" />
      </button>
      <CategoryPanel
        id={panelId}
        categories={categories}
        chosen={explicit.category ?? ''}
        onChoose={(slug) => go(withCategory(explicit, slug))}
      />
      <form className={styles.form} action={paths.search} onSubmit={submit}>
        <Combobox
          className={styles.input}
          box="q"
          name="q"
          text={params.q ?? ''}
          recent
          enterKeyHint="search"
          aria-label="Search listings"
          placeholder="Search by listing title or #ID..."
          onChoose={(choice) => {
            const next = withChoice(params, choice);
            go(next);
            return next.q ?? '';
          }}
        />
        <Combobox
          className={styles.where}
          box="where"
          name="where"
          text={params.where ?? ''}
          enterKeyHint="search"
          aria-label="Where?"
          placeholder="Where?"
        />
        <button type="submit" className={styles.submit} aria-label="Search">
          <IconSearch size={20} stroke={2} aria-hidden="true" />
        </button>
      </form>
    </search>
  );
}

type CategoryPanelProps = {
  id: string;
  categories: RootData['categories'];
  chosen: string;
  onChoose: (slug: string) => void;
};

/** The dropdown of the search bar. A native popover: Escape and a press outside close it, and the focus goes back. */
function CategoryPanel({ id, categories, chosen, onChoose }: CategoryPanelProps) {
  const panel = useRef<HTMLDivElement>(null);
  const input = useRef<HTMLInputElement>(null);
  const [filter, setFilter] = useState('');
  const needle = filter.trim().toLowerCase();
  const matching = categories.filter(({ name }) => name.toLowerCase().includes(needle));

  function choose(slug: string) {
    panel.current?.hidePopover();
    onChoose(slug);
  }

  // Arrow keys move from the input through the choices; Enter in the input takes the first match.
  function onKeyDown(event: KeyboardEvent) {
    const first = matching[0];
    if (event.key === 'Enter' && !isComposing(event) && event.target === input.current && first && needle) choose(first.slug);
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (!step) return;
    event.preventDefault();
    const stops = [...(panel.current?.querySelectorAll<HTMLElement>('input, ul button') ?? [])];
    const at = stops.indexOf(document.activeElement as HTMLElement);
    stops[(at + step + stops.length) % stops.length]?.focus();
  }

  return (
    <div
      ref={panel}
      id={id}
      popover="auto"
      role="dialog"
      aria-label="Search Categories"
      className={`floating ${styles.panel}`}
      onToggle={(event) => event.newState === 'closed' && setFilter('')}
    >
      <h2 className={styles.title}>Search Categories</h2>
      <input
        // The popover focuses the input, except on phones, where the keyboard would cover the choices.
        ref={(element) => {
          input.current = element;
          element?.toggleAttribute('autofocus', matchMedia('(hover: hover)').matches);
        }}
        // Not `type="search"`, where the first Escape would only clear the field.
        type="text"
        className={styles.filter}
        placeholder="Filter categories..."
        aria-label="Filter categories"
        autoComplete="off"
        value={filter}
        onChange={(event) => setFilter(event.target.value)}
        onKeyDown={onKeyDown}
      />
      <div className={styles.groups}>
        {mainOrder.map((main) => {
          const ofMain = matching.filter((category) => category.mainCategory === main);
          return ofMain.length === 0 ? null : (
            <section key={main} className={styles.group} aria-labelledby={`${id}-${main}`}>
              <h3 id={`${id}-${main}`} className={styles.main}>
                {mainNames[main]}
              </h3>
              <ul className={styles.list}>
                {ofMain.map(({ name, slug }) => (
                  <li key={slug}>
                    <button
                      type="button"
                      className={styles.choice}
                      aria-pressed={slug === chosen}
                      onClick={() => choose(slug)}
                      onKeyDown={onKeyDown}
                    >
                      <CategoryIcon slug={slug} size={36} />
                      {name}
                    </button>
                  </li>
                ))}
              </ul>
            </section>
          );
        })}
      </div>
      <p className={styles.nothing} role="status">
        {matching.length === 0 && `No categories found matching "${filter.trim()}"`}
      </p>
    </div>
  );
}

/** The search for a choice of the bar: a category or a place narrows the current one, anything else starts one. */
export function withChoice(params: FindParams, { kind, label, query }: ComboboxChoice): FindParams {
  const chosen = readFind(new URLSearchParams(query));
  if (kind === 'recent') return withText(params, label);
  if (kind === 'category' && (chosen.category || chosen.subCategory))
    return changeParams(params, { q: undefined, raw: undefined, category: undefined, subCategory: undefined, ...chosen });
  if (kind === 'place') return changeParams(params, { ...noPlace, q: undefined, raw: undefined, ...chosen });
  return chosen;
}
