import { describeFacts } from '@handwise/contract/facts/facts';
import { isId } from '@handwise/contract/ids';
import { formatAvailability } from '@handwise/contract/listings/availability';
import type { Listing } from '@handwise/contract/listings/calls';
import { paths } from '@handwise/contract/paths';
import { replyTimeFormula } from '@handwise/contract/messages/reply-time';
import { useQueries, useQuery } from '@tanstack/react-query';
import { useSearchParams, Link } from 'react-router';
import { MessageSeveral } from '../../domains/messages/first-message/message-several.tsx';
import { replyTimesQuery } from '../../domains/messages/reply-time-queries.ts';
import { maxCompared } from '../../domains/saved/compare-choice.tsx';
import { call } from '../../lib/api.ts';
import { LoadingView } from '../../lib/loading-view.tsx';
import { ApiError } from '../../lib/api-error.ts';
import { pageMeta } from '../../lib/page-meta.ts';
import { useSession } from '../../lib/session/session.ts';
import { EmptyState } from '../../ui/feedback/empty-state.tsx';
import { LoadProblem } from '../../ui/feedback/load-problem.tsx';
import { Notice } from '../../ui/feedback/notice.tsx';
import { ButtonLink } from '../../ui/forms/button.tsx';
import type { Route } from './+types/compare-listings';
import styles from './compare-listings.module.css';
import { locationLine, slug } from '@handwise/contract/text';
import { IconX } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { Lines } from '../../domains/facts/facts-section.tsx';
import { toFactsView } from '../../domains/facts/facts-view.ts';
import { Picture } from '../../ui/pictures/picture.tsx';
import { RatingLine } from '../../ui/pictures/stars.tsx';

export const meta: Route.MetaFunction = ({ matches }) =>
  pageMeta(matches, {
    title: 'Compare listings',
    description: 'Saved listings side by side.',
    path: paths.compareListings,
    noIndex: true,
  });

/** Whether the listing has ended or never existed, rather than the call having failed. */
const isMissing = (error: unknown) => error instanceof ApiError && [404, 410].includes(error.status);

export default function CompareListingsPage() {
  const { user } = useSession();
  const [search, setSearch] = useSearchParams();
  const ids = [...new Set((search.get('listings') ?? '').split(',').filter(isId))].slice(0, maxCompared);
  const queries = useQueries({
    queries: ids.map((id) => ({
      queryKey: ['listing', id],
      queryFn: ({ signal }: { signal: AbortSignal }) => call('GET /listing/:id', { params: { id } }, signal),
    })),
  });
  const replyTimes = useQuery(replyTimesQuery(ids));
  const listings = queries.flatMap(({ data }) => data ?? []);
  // Those that are loaded again stay away until they are here; a message that is being sent stays.
  const isLoading = queries.some(({ isPending, errorUpdateCount }) => isPending && (errorUpdateCount === 0 || listings.length === 0));
  const missingCount = queries.filter(({ error }) => isMissing(error)).length;
  const failed = queries.filter(({ error }) => error !== null && !isMissing(error));
  const receivers = listings
    .filter(({ status, sellerId }) => status === 'active' && sellerId !== user?._id)
    .map(({ _id, sellerId, businessTitle }) => ({ listingId: _id, sellerId, name: businessTitle }));
  return (
    <div className={styles.page}>
      <h1 className={styles.heading}>Compare listings</h1>
      {isLoading ? (
        <LoadingView />
      ) : (
        <>
          {missingCount > 0 && <Notice>{missingCount === 1 ? 'One of them is' : 'Some of them are'} no longer available.</Notice>}
          {failed.length > 0 && (
            <LoadProblem
              text={`${failed.length === 1 ? 'One listing' : `${failed.length} listings`} could not be loaded.`}
              onRetry={() => failed.forEach(({ refetch }) => void refetch())}
            />
          )}
          {listings.length === 0 ? (
            failed.length === 0 && (
              <EmptyState title="Nothing to compare" action={<ButtonLink to={paths.savedListings}>Saved Listings</ButtonLink>}>
                Choose up to {maxCompared} of your saved listings.
              </EmptyState>
            )
          ) : (
            <Comparison
              listings={listings}
              replyTimeOf={(id) =>
                replyTimes.data
                  ? (replyTimes.data.get(id) ?? 'Too few answers to say')
                  : replyTimes.isError
                    ? 'Could not be loaded'
                    : 'Loading...'
              }
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

type ComparisonProps = {
  listings: readonly Listing[];
  /** How fast a listing's seller answers, in words. */
  replyTimeOf: (listingId: string) => ReactNode;
  onRemove: (listingId: string) => void;
};

const formatVerified = (listing: Listing) =>
  toFactsView(listing)
    .verified.map(({ date, register, name }) => `${date}: “${name}” in the ${register}`)
    .join(', ') || 'Not verified';

/** Saved listings side by side. On a phone the columns scroll, and the row labels stay visible. */
function Comparison({ listings, replyTimeOf, onRemove }: ComparisonProps) {
  const rows: { name: string; of: (listing: Listing) => ReactNode }[] = [
    { name: 'Rating', of: (one) => <RatingLine average={one.averageRating} reviews={one.reviewCount} /> },
    { name: 'Reply time', of: (one) => replyTimeOf(one._id) },
    { name: 'Availability', of: (one) => (one.availability ? formatAvailability(one.availability) : 'No dates listed') },
    { name: 'Verified', of: (one) => formatVerified(one) },
    ...describeFacts({}).map(({ name, none }, row) => ({
      name,
      of: (one: Listing) => {
        const text = describeFacts(one)[row]?.text ?? none;
        return typeof text === 'string' ? text : <Lines lines={text} />;
      },
    })),
    { name: 'Licence', of: (one) => (one.licence ? `${one.licence.number}, ${one.licence.registerName}` : 'No licence listed') },
    { name: 'Place', of: (one) => locationLine(one.location) },
    { name: 'Trade', of: (one) => one.serviceSubCategory ?? one.serviceCategory },
    {
      name: 'Services',
      of: (one) => (one.services.length > 0 ? <Lines lines={one.services} /> : 'No services listed'),
    },
  ];
  return (
    <section className={styles.scroll} aria-label="Comparison">
      <table className={styles.table}>
        <thead>
          <tr>
            <td>
              <span className="visually-hidden">What is compared</span>
            </td>
            {listings.map((one) => (
              <th key={one._id} scope="col">
                <Picture picture={one.pictures[0]} categorySlug={slug(one.serviceCategory)} sizes="280px" alt="" />
                <Link to={paths.listing(one._id)} className={styles.comparisonTitle}>
                  {one.serviceTitle}
                </Link>
                <span className={styles.business}>{one.businessTitle}</span>
                <button type="button" className={styles.remove} onClick={() => onRemove(one._id)}>
                  <IconX size={18} stroke={1.75} aria-hidden="true" />
                  <span className="visually-hidden">Take {one.serviceTitle} out of the comparison</span>
                </button>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ name, of }) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              {listings.map((one) => (
                <td key={one._id}>{of(one)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
