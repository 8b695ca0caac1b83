import { paths } from '@handwise/contract/paths';
import { IconMapPin, IconSearch } from '@tabler/icons-react';
import { type FormEvent, useEffect, useId, useRef } from 'react';
import { Form, NavigationType, useNavigate, useNavigationType, useLocation } from 'react-router';
import type { ComboboxChoice } from './combobox-choices.ts';
import { Combobox } from './combobox.tsx';
import styles from './search-form.module.css';

type SearchFormProps = {
  /** The current search, to be edited. */
  what?: string;
  where?: string;
  /** A block of a page, or one row of the header. */
  look?: 'page' | 'header';
};

const typedKey = 'typed-search';

// Stored per tab, like the history that leads back to the form.
function readTyped(): { q?: string; where?: string } {
  try {
    const { q, where } = JSON.parse(sessionStorage.getItem(typedKey) ?? '{}') as Record<string, unknown>;
    return { ...(typeof q === 'string' && { q }), ...(typeof where === 'string' && { where }) };
  } catch {
    return {};
  }
}

function writeTyped(fields: FormData) {
  try {
    sessionStorage.setItem(typedKey, JSON.stringify({ q: fields.get('q') ?? '', where: fields.get('where') ?? '' }));
  } catch {}
}

/** The form "What do you need? · Where?", which works without script. */
export function SearchForm({ what = '', where = '', look = 'page' }: SearchFormProps) {
  const id = useId();
  const form = useRef<HTMLFormElement>(null);
  const navigate = useNavigate();
  const isBack = useNavigationType() === NavigationType.Pop;
  // Going back restores the typed text.
  useEffect(() => {
    if (look !== 'page' || !isBack) return;
    for (const [name, text] of Object.entries(readTyped())) {
      const field = form.current?.elements.namedItem(name);
      if (field instanceof HTMLInputElement && !field.value) field.value = text;
    }
  }, [look, isBack]);
  // Empty fields are left out of the URL.
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const fields = new FormData(event.currentTarget);
    if (look === 'page') writeTyped(fields);
    void navigate(getSearchAddress(fields));
  };
  // A chosen category still needs a place; any other choice is a complete search.
  const choose = ({ kind, query }: ComboboxChoice) => {
    if (kind !== 'category') return void navigate(`${paths.search}?${query}`);
    const place = form.current?.elements.namedItem('where');
    if (place instanceof HTMLInputElement && !place.value) return place.focus();
    form.current?.requestSubmit();
  };
  return (
    <search className={styles.search} data-look={look} aria-label={look === 'header' ? 'Find a pro from any page' : 'Find a pro'}>
      <Form ref={form} method="get" action={paths.search} className={styles.form} onSubmit={submit}>
        <div className={styles.field}>
          <label htmlFor={`${id}-q`} className={styles.label}>
            What do you need?
          </label>
          <IconSearch className={styles.icon} size={20} stroke={1.75} aria-hidden="true" />
          <Combobox
            id={`${id}-q`}
            className={styles.input}
            name="q"
            box="q"
            text={what}
            recent
            enterKeyHint="search"
            placeholder={look === 'page' ? 'Plumber, leaking tap' : 'What do you need?'}
            onChoose={choose}
          />
        </div>
        <div className={styles.field}>
          <label htmlFor={`${id}-where`} className={styles.label}>
            Where?
          </label>
          <IconMapPin className={styles.icon} size={20} stroke={1.75} aria-hidden="true" />
          <Combobox
            id={`${id}-where`}
            className={styles.input}
            name="where"
            box="where"
            text={where}
            enterKeyHint="search"
            placeholder={look === 'page' ? 'Suburb or town' : 'Where?'}
          />
        </div>
        <button type="submit" className={styles.submit}>
          <IconSearch size={20} stroke={2} aria-hidden="true" />
          <span>Search</span>
        </button>
      </Form>
    </search>
  );
}

const panelId = 'visitor-search';

/**
 * The visitors' search in the header: two fields on wide screens, else a button that opens them. A native popover, so that it opens without
 * script; its key remounts it closed on every page.
 */
export function VisitorSearch() {
  const { key, pathname, search } = useLocation();
  // Other pages use these parameters for other purposes.
  const params = new URLSearchParams(pathname === paths.search ? search : '');
  const typed = [params.get('q'), params.get('where')].filter(Boolean).join(' · ');
  return (
    <>
      <button type="button" className={styles.open} popoverTarget={panelId}>
        <IconSearch size={20} stroke={1.75} aria-hidden="true" />
        <span className={typed ? styles.typed : undefined}>{typed || 'What do you need? Where?'}</span>
      </button>
      <div
        key={key}
        id={panelId}
        popover="auto"
        className={styles.panel}
        onToggle={({ newState, currentTarget }) => newState === 'open' && currentTarget.querySelector('input')?.focus()}
      >
        <SearchForm look="header" what={params.get('q') ?? ''} where={params.get('where') ?? ''} />
      </div>
    </>
  );
}

/** The URL of a filled form, without empty fields. */
export function getSearchAddress(fields: Iterable<[string, FormDataEntryValue]>): string {
  const filled = [...fields].flatMap(([name, value]) => (typeof value === 'string' && value.trim() ? [[name, value.trim()]] : []));
  const text = new URLSearchParams(filled).toString();
  return text ? `${paths.search}?${text}` : paths.search;
}
