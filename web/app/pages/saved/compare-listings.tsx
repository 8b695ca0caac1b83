import { isId } from '@handwise/contract/ids';
import type { getListing } from '@handwise/contract/listings/calls';
import { paths } from '@handwise/contract/paths';
import { replyTimeFormula } from '@handwise/contract/messages/reply-time';
import { useQueries, useQuery } from '@tanstack/react-query';
import { useSearchParams } from 'react-router';
import { MessageSeveral } from '../../domains/messages/first-message/message-several.tsx';
import { replyTimesOf } from '../../domains/messages/reply-time-queries.ts';
import { maxCompared } from '../../domains/saved/compare-choice.tsx';
import { Comparison } from '../../domains/saved/comparison.tsx';
import { call } from '../../lib/api.ts';
import { LoadingView } from '../../lib/loading-view.tsx';
import { pageMeta } from '../../lib/page-meta.ts';
import { useSession } from '../../lib/session/session.ts';
import { EmptyState } from '../../ui/feedback/empty-state.tsx';
import { Notice } from '../../ui/feedback/notice.tsx';
import { ButtonLink } from '../../ui/forms/button.tsx';
import type { Route } from './+types/compare-listings';
import styles from './compare-listings.module.css';

export const meta: Route.MetaFunction = ({ matches }) =>
  pageMeta(matches, {
    title: 'Compare listings',
    description: 'Saved listings side by side.',
    path: paths.compareListings,
    noIndex: true,
  });

export default function CompareListingsPage() {
  const { user } = useSession();
  const [search, setSearch] = useSearchParams();
  const ids = [...new Set((search.get('listings') ?? '').split(',').filter(isId))].slice(0, maxCompared);
  const queries = useQueries({
    queries: ids.map((id) => ({
      queryKey: ['listing', id],
      queryFn: ({ signal }: { signal: AbortSignal }) =>
        call<typeof getListing>({ method: 'GET', url: '/listing/:id' }, { params: { id } }, signal),
    })),
  });
  const replyTimes = useQuery(replyTimesOf(ids));
  const listings = queries.flatMap(({ data }) => data ?? []);
  const gone = queries.filter(({ isError }) => isError).length;
  const receivers = listings
    .filter(({ status, sellerId }) => status === 'active' && sellerId !== user?._id)
    .map(({ _id, sellerId, businessTitle }) => ({ listingId: _id, sellerId, name: businessTitle }));
  return (
    <div className={styles.page}>
      <h1 className={styles.heading}>Compare listings</h1>
      {queries.some(({ isPending }) => isPending) ? (
        <LoadingView />
      ) : (
        <>
          {gone > 0 && <Notice>{gone === 1 ? 'One of them is' : 'Some of them are'} no longer available.</Notice>}
          {listings.length === 0 ? (
            <EmptyState title="Nothing to compare" action={<ButtonLink to={paths.savedListings}>Saved Listings</ButtonLink>}>
              Choose up to {maxCompared} of your saved listings.
            </EmptyState>
          ) : (
            <Comparison
              listings={listings}
              replyTimeOf={(id) => replyTimes.data?.get(id) ?? 'Too few answers to say'}
              onRemove={(id) =>
                setSearch({ listings: ids.filter((one) => one !== id).join() }, { replace: true, preventScrollReset: true })
              }
            />
          )}
          {listings.length > 0 && <p className={styles.note}>Reply time: {replyTimeFormula}</p>}
          {receivers.length > 0 && (
            <section className={styles.message} aria-labelledby="message-heading">
              <h2 id="message-heading" className={styles.title}>
                {receivers.length === 1 ? 'Message the seller' : 'Message them all'}
              </h2>
              <MessageSeveral key={receivers.map((one) => one.listingId).join()} receivers={receivers} />
            </section>
          )}
        </>
      )}
    </div>
  );
}
