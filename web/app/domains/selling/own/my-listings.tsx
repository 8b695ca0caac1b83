import { counted } from '@handwise/contract/numbers';
import { paths } from '@handwise/contract/paths';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, Suspense, lazy, useState } from 'react';
import { useSearchParams, Link } from 'react-router';
import { Button, ButtonLink } from '../../../ui/forms/button.tsx';
import { Dialog } from '../../../ui/feedback/dialog.tsx';
import { EmptyState } from '../../../ui/feedback/empty-state.tsx';
import { ErrorDisplay } from '../../../ui/feedback/error-display.tsx';
import { ReloadProblem } from '../../../ui/feedback/reload-problem.tsx';
import { CardGridSkeleton } from '../../../ui/feedback/skeleton.tsx';
import { AvailabilityFields } from './availability.tsx';
import { myListingsQuery, type StatusFilter, useDeactivation } from './my-listings-queries.ts';
import styles from './my-listings.module.css';
import { FilterLinks, PageLinks, getRequestedPage, ListCount, ListPage, useListStart } from '../../../ui/page/page-links.tsx';
import { NoCardsHere } from '../../listings/no-cards-here.tsx';
import { Picture } from '../../../ui/pictures/picture.tsx';
import { formatDate, daysBetween } from '@handwise/contract/dates';
import type { ListingCard, ListingStatus } from '@handwise/contract/listings/calls';
import type { PlanType } from '@handwise/contract/plans/calls';
import { type CardView, toCardView } from '../../listings/card-view.ts';

const PushOfferToBusiness = lazy(async () => ({ default: (await import('../../push/push-offer.tsx')).PushOfferToBusiness }));
const AvailabilityOffer = lazy(async () => ({ default: (await import('./availability-offer.tsx')).AvailabilityOffer }));

const filters: readonly { status: StatusFilter; name: string; empty: string }[] = [
  { status: 'all', name: 'All', empty: 'You have not published anything yet. Your first listing is a few minutes away.' },
  { status: 'active', name: 'Active', empty: 'None of your listings is active: nobody can find you in the search right now.' },
  { status: 'inactive', name: 'Inactive', empty: 'None of your listings is switched off.' },
  { status: 'expired', name: 'Expired', empty: 'None of your listings has expired.' },
];

const getAddress = (status: StatusFilter, page = 1) => {
  const search = new URLSearchParams({ ...(status !== 'all' && { status }), ...(page > 1 && { page: String(page) }) }).toString();
  return paths.ownListings + (search && `?${search}`);
};

/** The member's listings with their actions. Filter and page are in the address. Needs `Queries` around it. */
export function MyListings({ analyticsOf }: { analyticsOf?: (card: OwnCardView) => ReactNode }) {
  const [search] = useSearchParams();
  const filter = filters.find((one) => one.status === search.get('status')) ?? filters[0];
  const status = filter?.status ?? 'all';
  const page = getRequestedPage(search.get('page')) ?? 1;
  const query = useQuery(myListingsQuery(status, page));
  const [now] = useState(() => new Date());
  const [pending, setPending] = useState<OwnCardView | null>(null);
  const { start, focus, show } = useListStart();

  return (
    <div className={styles.page}>
      {search.has('listing') && (
        <Suspense fallback={null}>
          <AvailabilityOffer />
        </Suspense>
      )}
      <FilterLinks
        label="Status"
        links={filters.map((one) => ({ to: getAddress(one.status), name: one.name, isCurrent: one.status === status }))}
      />
      <ListCount start={start}>
        {query.data && !query.isPlaceholderData && query.data.totalListings > 0 && counted(query.data.totalListings, 'listing')}
      </ListCount>
      {query.data && <ReloadProblem query={query} />}
      {query.isError && !query.data ? (
        <ErrorDisplay error={query.error} onRetry={() => void query.refetch()} />
      ) : !query.data ? (
        <CardGridSkeleton cards={6} />
      ) : query.data.totalListings === 0 ? (
        <EmptyState title="No listings found" action={<ButtonLink to={paths.addListing}>Add a new listing</ButtonLink>}>
          {filter?.empty}
        </EmptyState>
      ) : (
        <ListPage busy={query.isPlaceholderData}>
          {query.data.listings.length === 0 && <NoCardsHere />}
          <ul className="cards" data-wide>
            {query.data.listings.map((listing) => {
              const card = toOwnCardView(listing, now);
              return (
                <li key={card.id}>
                  <OwnListingCard card={card} analytics={analyticsOf?.(card)} onDeactivate={setPending} />
                </li>
              );
            })}
          </ul>
          <PageLinks current={page} total={query.data.totalPages} to={(next) => getAddress(status, next)} onChoose={show} />
        </ListPage>
      )}
      {/* Below the cards, which its late arrival would move. */}
      {query.data?.listings.some((one) => one.status === 'active') && (
        <Suspense fallback={null}>
          <PushOfferToBusiness />
        </Suspense>
      )}
      <DeactivateDialog listing={pending} onClose={() => setPending(null)} onDone={focus} />
    </div>
  );
}

type DeactivateDialogProps = { listing: OwnCardView | null; onClose: () => void; onDone: () => void };

function DeactivateDialog({ listing, onClose, onDone }: DeactivateDialogProps) {
  const deactivation = useDeactivation();
  return (
    <Dialog
      open={listing !== null}
      onClose={onClose}
      title="Deactivate listing"
      actions={
        <>
          <Button kind="secondary" onClick={onClose}>
            Keep it active
          </Button>
          <Button
            kind="danger"
            busy={deactivation.isPending}
            onClick={() =>
              listing &&
              deactivation.mutate(listing.id, {
                onSettled: () => {
                  onClose();
                  onDone();
                },
              })
            }
          >
            Deactivate
          </Button>
        </>
      }
    >
      <p>Are you sure you want to deactivate this listing?</p>
      <p className={styles.consequence}>
        <strong>{listing?.title}</strong> leaves the search straight away and keeps its place in your plan: until the plan ends, you can
        bring it back at no cost.
      </p>
    </Dialog>
  );
}

type OwnListingCardProps = {
  card: OwnCardView;
  /** The listing's analytics in one line. */
  analytics?: ReactNode;
  onDeactivate: (card: OwnCardView) => void;
};

// One or two columns below the desk breakpoint.
const sizes = '(min-width: 1264px) 380px, (min-width: 900px) 46vw, calc(100vw - 32px)';

/** A listing in its owner's list: its state and its actions. */
function OwnListingCard({ card, analytics, onDeactivate }: OwnListingCardProps) {
  const isActive = card.status === 'active';
  const about = <span className="visually-hidden">: {card.title}</span>;
  return (
    <article className={`card ${styles.card}`} data-status={card.status}>
      <div className={styles.media}>
        <Picture picture={card.cover} categorySlug={card.categorySlug} sizes={sizes} alt="" />
        <span className={styles.status} data-status={card.status}>
          {card.statusName}
        </span>
      </div>
      <div className={styles.body}>
        <h2 className={styles.title}>
          <Link to={paths.listing(card.id)}>{card.title}</Link>
        </h2>
        <p className={styles.detail}>
          Listing #{card.number} · {card.location}
        </p>
        <p className={styles.plan}>
          <strong>{card.planName} plan</strong>
          <span>{card.ends}</span>
        </p>
        {analytics}
        {isActive && <AvailabilityFields card={card} />}
        <div className={styles.actions}>
          <ButtonLink to={paths.editListing(card.id)} kind="secondary" size="sm">
            Edit{about}
          </ButtonLink>
          {isActive ? (
            <>
              <ButtonLink to={paths.updatePlan(card.id)} kind="secondary" size="sm">
                Manage plan{about}
              </ButtonLink>
              <Button kind="quiet" size="sm" onClick={() => onDeactivate(card)}>
                Deactivate{about}
              </Button>
            </>
          ) : (
            <ButtonLink to={card.status === 'hidden' ? paths.decisions : paths.reactivateListing(card.id)} size="sm">
              {card.status === 'hidden' ? 'See why' : 'Reactivate'}
              {about}
            </ButtonLink>
          )}
        </div>
      </div>
    </article>
  );
}

type OwnCardView = CardView & {
  number: number;
  status: ListingStatus;
  statusName: string;
  planName: string;
  availability: ListingCard['availability'];
  timeZone: string;
  /** "Ends in 12 days, on Dec 3, 2026" */
  ends: string;
};

const statusNames: Record<ListingStatus, string> = { active: 'Active', inactive: 'Inactive', expired: 'Expired', hidden: 'Hidden' };
const planNames: Record<PlanType, string> = { basic: 'Basic', premium: 'Premium', featured: 'Featured' };

/** The calendar days until the end in the listing’s time zone, or the day on which it ended. */
export function describeListingEnd(endsAt: string, now: Date, timeZone: string): string {
  const day = formatDate(endsAt, timeZone);
  if (Date.parse(endsAt) <= now.getTime()) return `Ended on ${day}`;
  const left = daysBetween(now, new Date(endsAt), timeZone);
  if (left < 2) return `Ends ${left === 1 ? 'tomorrow' : 'today'}, on ${day}`;
  return `Ends in ${counted(left, 'day')}, on ${day}`;
}

export const toOwnCardView = (listing: ListingCard, now: Date): OwnCardView => ({
  ...toCardView(listing),
  number: listing.listingNumber,
  status: listing.status,
  statusName: statusNames[listing.status],
  planName: planNames[listing.plan.planType],
  availability: listing.availability,
  timeZone: listing.timeZone,
  ends: describeListingEnd(listing.subscriptionEndDate, now, listing.timeZone),
});
