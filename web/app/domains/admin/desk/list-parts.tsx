import { useSearchParams } from 'react-router';
import { Button } from '../../../ui/forms/button.tsx';
import { TextField } from '../../../ui/forms/form-field.tsx';
import styles from './admin.module.css';
import { FilterLinks, PageLinks } from '../../../ui/page/page-links.tsx';
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { ErrorDisplay } from '../../../ui/feedback/error-display.tsx';
import { maxCounted } from '@handwise/contract/admin/limits';
import type { FoundUser } from '@handwise/contract/admin/search';
import { counted } from '@handwise/contract/numbers';
import { EmptyState } from '../../../ui/feedback/empty-state.tsx';
import { ListSkeleton } from '../../../ui/feedback/skeleton.tsx';
import { formatMoment, ownTimeZone } from '@handwise/contract/dates';

/** A search whose query is in the URL. */
export function SearchBar({ label, hint }: { label: string; hint: string }) {
  const [search, setSearch] = useSearchParams();
  const query = search.get('q') ?? '';
  return (
    <form
      role="search"
      className={styles.search}
      onSubmit={(event) => {
        event.preventDefault();
        const q = new FormData(event.currentTarget).get('q');
        const next = new URLSearchParams(search);
        next.delete('page');
        if (typeof q === 'string' && q.trim() !== '') next.set('q', q.trim());
        else next.delete('q');
        setSearch(next);
      }}
    >
      <TextField key={query} label={label} hint={hint} name="q" type="search" defaultValue={query} maxLength={200} />
      <Button type="submit">Search</Button>
    </form>
  );
}

type Options<Value extends string = string> = readonly { value: Value; name: string }[];

/** The selected option; undefined for the first, which means all. */
export const findChosenOption = <Value extends string>(options: Options<Value>, selected: string | null) =>
  options.find((one): one is { value: Exclude<Value, ''>; name: string } => one.value !== '' && one.value === selected)?.value;

/** A filter as links. Choosing one resets the page and the open case. */
export function QueryFilterLinks({ label, name, options }: { label: string; name: string; options: Options }) {
  const [search] = useSearchParams();
  const chosen = search.get(name) ?? '';
  const addressOf = (value: string) => {
    const next = new URLSearchParams(search);
    next.delete('page');
    next.delete('case');
    if (value === '') next.delete(name);
    else next.set(name, value);
    return `?${next}`;
  };
  return (
    <FilterLinks
      label={label}
      links={options.map((one) => ({ to: addressOf(one.value), name: one.name, isCurrent: one.value === chosen }))}
    />
  );
}

type LoadedProps<Data> = { query: UseQueryResult<Data>; children: (data: Data) => ReactNode };

/** Loaded data, or its error. Data stays below the error of a later load, so that nothing typed is lost. */
export const Loaded = <Data,>({ query: { data, error, refetch }, children }: LoadedProps<Data>) => (
  <>
    {error && <ErrorDisplay error={error} onRetry={() => void refetch()} />}
    {data === undefined ? !error && <ListSkeleton /> : children(data)}
  </>
);

type ResultListProps = {
  one: string;
  many?: string;
  page: number;
  totalPages: number;
  total: number;
  empty?: { title: string; text: string };
  children: ReactNode;
};

const nothingFound = { title: 'Nothing found', text: 'Try fewer letters, or another filter.' };

/** Search results: count, table and page links. `empty` is shown if there is nothing to search. */
export function ResultList({ one, many, page, totalPages, total, empty = nothingFound, children }: ResultListProps) {
  const [search] = useSearchParams();
  return (
    <>
      <p role="status" className="muted">
        {total >= maxCounted ? `${counted(maxCounted, one, many)} or more` : counted(total, one, many)}
      </p>
      {total === 0 ? (
        <EmptyState title={empty.title} drawing="search">
          {empty.text}
        </EmptyState>
      ) : (
        <Scroll label={`What was found: ${many ?? `${one}s`}`}>{children}</Scroll>
      )}
      <PageLinks
        current={page}
        total={totalPages}
        to={(to) => {
          const next = new URLSearchParams(search);
          next.set('page', String(to));
          return `?${next}`;
        }}
      />
    </>
  );
}

/** `number`: right-aligned. `hidden`: for screen readers only. */
type Column = string | { number: string } | { hidden: string };

export const TableHead = ({ columns }: { columns: readonly Column[] }) => (
  <thead>
    <tr>
      {columns.map((column) =>
        typeof column === 'string' ? (
          <th key={column} scope="col">
            {column}
          </th>
        ) : 'number' in column ? (
          <th key={column.number} scope="col" data-number>
            {column.number}
          </th>
        ) : (
          <th key={column.hidden} scope="col">
            <span className="visually-hidden">{column.hidden}</span>
          </th>
        ),
      )}
    </tr>
  </thead>
);

/** Content wider than a phone scrolls in its own box. */
export const Scroll = ({ label, children }: { label: string; children: ReactNode }) => (
  // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- needed to scroll by keyboard
  <section className={styles.scroll} tabIndex={0} aria-label={label}>
    {children}
  </section>
);

/** An account's state, in a word or two. */
export function StateLabel({ user }: { user: FoundUser }) {
  const [name, bad] = user.deletedAt
    ? ['Deleted', true]
    : user.suspendedAt
      ? ['Suspended', true]
      : user.role === 'admin'
        ? ['Administrator', false]
        : user.emailConfirmed
          ? ['Confirmed', false]
          : ['Not confirmed', false];
  return (
    <span className={styles.state} data-bad={bad || undefined}>
      {name}
    </span>
  );
}

/** A moment in the administrator's time zone: "Nov 22, 2026, 3:06 pm". */
export const formatTime = (time: string) => formatMoment(time, ownTimeZone());
