import { maxCounted } from '@handwise/contract/admin/search';
import { counted } from '@handwise/contract/numbers';
import type { ReactNode } from 'react';
import { useSearchParams } from 'react-router';
import { EmptyState } from '../../../../ui/feedback/empty-state.tsx';
import { PageLinks } from '../../../../ui/page/page-links.tsx';
import { Scroll } from '../scroll.tsx';

type FoundProps = {
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
export function Found({ one, many, page, totalPages, total, empty = nothingFound, children }: FoundProps) {
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
