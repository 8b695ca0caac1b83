import { paths } from '@handwise/contract/paths';
import type { getListing } from '@handwise/contract/listings';
import { useCallback, useEffect, useState } from 'react';
import { data, Link, redirect, useLocation, useNavigate, useRevalidator } from 'react-router';
import { useCountedView } from '../../domains/figures/count-view.ts';
import { ReportButton } from '../../domains/admin/report-button.tsx';
import { excerpt } from '../../lib/excerpt.ts';
import { findListing, listRelated } from '../../domains/listings/listing-data.server.ts';
import { ListingDetail } from '../../domains/listings/listing-detail.tsx';
import { localBusiness } from '../../domains/listings/listing-structured-data.ts';
import { titleInPlace } from '../../domains/listings/listing-title.ts';
import type { ListingView } from '../../domains/listings/listing-view.ts';
import { MessageDialog } from '../../domains/messages/first-message/message-dialog.tsx';
import { findReplyTime } from '../../domains/messages/reply-time-data.server.ts';
import { ReplyTime } from '../../domains/messages/reply-time.tsx';
import { asksForMessage, messagePath, withoutMessage } from '../../domains/messages/first-message/message-path.ts';
import { Answer } from '../../domains/reviews/answer.tsx';
import { ReviewDialog } from '../../domains/reviews/review-dialog.tsx';
import { ReviewList } from '../../domains/reviews/review-list.tsx';
import type { ReviewsView } from '../../domains/reviews/review-view.ts';
import { Reviews } from '../../domains/reviews/reviews.tsx';
import { heartOf, SaveHeart } from '../../domains/saved/save-heart.tsx';
import { QuotesHint } from '../../domains/search/quotes/quotes-hint.tsx';
import { call } from '../../lib/api.ts';
import { breadcrumbList } from '../../lib/document/json-ld.ts';
import { LoadingView } from '../../lib/loading-view.tsx';
import { pageMeta } from '../../lib/page-meta.ts';
import { loginPath } from '../../lib/session/redirect.ts';
import { useRootData } from '../../lib/root-data.ts';
import { serverContext } from '../../lib/server-context.ts';
import { useSession } from '../../lib/session/session.ts';
import { Breadcrumbs } from '../../ui/page/breadcrumbs.tsx';
import { Button, ButtonLink } from '../../ui/forms/button.tsx';
import { EmptyState } from '../../ui/feedback/empty-state.tsx';
import { JsonLd } from '../../ui/page/json-ld.tsx';
import { Container } from '../../ui/page/page.tsx';
import type { Route } from './+types/listing';
import styles from './listing.module.css';

// By itself: of all browsers only that of an ended listing's owner makes what is shown.
const makesShown = () => import('./listing-shown.ts');

export async function loader({ context, params }: Route.LoaderArgs) {
  const server = context.get(serverContext);
  // An id has one spelling, and a listing one address.
  const id = params.id.toLowerCase();
  if (id !== params.id) throw redirect(paths.listing(id), 301);
  const found = await findListing(server, id);
  if (!found) throw data(null, { status: 404 });
  if (found === 'gone') return data(null, { status: 410 });
  const [{ shownOf }, related, replyTime] = await Promise.all([makesShown(), listRelated(server, found), findReplyTime(server, id)]);
  return { ...shownOf(found), related, replyTime };
}

export const meta: Route.MetaFunction = ({ matches, loaderData, params }) => {
  const path = paths.listing(params.id);
  if (!loaderData) {
    return pageMeta(matches, {
      title: 'This listing is no longer available',
      description: 'The business does not offer it here at the moment.',
      path,
      noIndex: true,
    });
  }
  const { listing } = loaderData;
  return pageMeta(matches, {
    title: titleInPlace(listing),
    description: excerpt(`${listing.business.name}: ${listing.description.join(' ')}`),
    path,
    image: listing.pictures[0]?.src,
  });
};

export default function ListingPage({ loaderData, params }: Route.ComponentProps) {
  return (
    <Container>
      {/* Another listing is another page: nothing of the one before stays open. */}
      {loaderData ? <Page key={params.id} {...loaderData} /> : <Ended key={params.id} id={params.id} />}
    </Container>
  );
}

type Shown = { listing: ListingView; reviews: ReviewsView };
type PageProps = Shown & Pick<Parameters<typeof ListingDetail>[0], 'related'> & { replyTime: string | null };

function Page({ listing, reviews, related, replyTime }: PageProps) {
  const { user } = useSession();
  const { origin } = useRootData();
  const [open, setOpen] = useState<'message' | 'review' | null>(null);
  const { revalidate } = useRevalidator();
  const path = paths.listing(listing.id);
  useCountedView(listing);
  const isOwn = user?._id === listing.sellerId;
  const { pathname, search } = useLocation();
  const navigate = useNavigate();
  // Back from signing in, which was asked for on the way to a message.
  const comesToMessage = user !== null && !isOwn && asksForMessage(search);
  const close = useCallback(() => {
    setOpen(null);
    if (asksForMessage(search)) void navigate({ pathname, search: withoutMessage(search) }, { replace: true, preventScrollReset: true });
  }, [navigate, pathname, search]);
  const readAnew = useCallback(() => void revalidate(), [revalidate]);
  const trail = [
    { name: 'Services', path: paths.services },
    { name: listing.category.name, path: paths.servicesIn(listing.category.slug) },
    { name: listing.region.name, path: paths.servicesIn(listing.category.slug, listing.region.slug) },
    { name: listing.title, path },
  ];
  return (
    <div className={styles.page}>
      <Breadcrumbs trail={trail} />
      <ListingDetail
        listing={listing}
        related={related}
        replyTime={replyTime && <ReplyTime text={replyTime} />}
        actionOf={heartOf}
        save={<SaveHeart listing={listing} kind="button" />}
        contact={<Contact isOwn={isOwn} id={listing.id} onOpen={user ? () => setOpen('message') : undefined} />}
        reviews={
          <Reviews
            reviews={reviews}
            action={
              user
                ? !isOwn && (
                    <Button kind="secondary" onClick={() => setOpen('review')}>
                      Write a review
                    </Button>
                  )
                : reviews.total > 0 && (
                    <ButtonLink to={loginPath(path)} kind="secondary">
                      Sign in to write a review
                    </ButtonLink>
                  )
            }
            list={
              <ReviewList
                // Read anew after one was published: the list begins with what came then.
                key={`${reviews.total} ${reviews.newest.map((one) => `${one.id}${one.edited}${one.answer !== null}`).join(' ')}`}
                listingId={listing.id}
                business={listing.business.name}
                reviews={reviews}
                actionOf={
                  user
                    ? (review) => (
                        <>
                          {isOwn && !review.answer && <Answer reviewId={review.id} name={review.name} onPublished={readAnew} />}
                          <ReportButton kind="review" id={review.id} about={`of ${review.name}`} />
                        </>
                      )
                    : undefined
                }
              />
            }
            empty={
              user ? (
                'There are no reviews of this business yet.'
              ) : (
                <Link to={loginPath(path)}>Sign in to be the first to review this business.</Link>
              )
            }
          />
        }
      />
      {!isOwn && listing.status === 'active' && (
        <QuotesHint listing={listing.id}>Not decided yet? Describe the job once, for this business and two others.</QuotesHint>
      )}
      {!isOwn && (
        <p className={styles.report}>
          <ReportButton kind="listing" id={listing.id} />
        </p>
      )}
      <ReviewDialog listingId={listing.id} open={open === 'review'} onClose={close} onPublished={readAnew} />
      <MessageDialog listing={listing} open={open === 'message' || comesToMessage} onClose={close} />
      {listing.status === 'active' && (
        <>
          <JsonLd data={localBusiness(listing, origin)} />
          <JsonLd data={breadcrumbList(origin, trail)} />
        </>
      )}
    </div>
  );
}

/** Visitors get a link, which also works before any script does. */
function Contact({ isOwn, id, onOpen }: { isOwn: boolean; id: string; onOpen: (() => void) | undefined }) {
  if (isOwn) {
    return (
      <ButtonLink to={paths.editListing(id)} wide>
        Edit your listing
      </ButtonLink>
    );
  }
  return onOpen ? (
    <Button wide onClick={onOpen}>
      Message the seller
    </Button>
  ) : (
    <ButtonLink to={loginPath(messagePath(id))} wide>
      Message the seller
    </ButtonLink>
  );
}

/** The page of a listing that the public cannot see any more. Only the browser knows whether it is the reader's own. */
function Ended({ id }: { id: string }) {
  const { user } = useSession();
  const [own, setOwn] = useState<Shown | 'asking' | 'no'>('asking');
  const token = user?.token;
  useEffect(() => {
    if (!token) return;
    const asking = new AbortController();
    Promise.all([call<typeof getListing>({ method: 'GET', url: '/listing/:id' }, { params: { id } }, asking.signal), makesShown()]).then(
      ([listing, { shownOf }]) => setOwn(shownOf(listing)),
      () => {
        if (!asking.signal.aborted) setOwn('no');
      },
    );
    return () => asking.abort();
  }, [id, token]);

  if (token && typeof own === 'object') return <Page {...own} related={[]} replyTime={null} />;
  const ended = (
    <EmptyState
      title="This listing is no longer available"
      drawing="signpost"
      level={1}
      action={<ButtonLink to={user ? paths.browse : paths.services}>See similar listings</ButtonLink>}
    >
      The business does not offer it here at the moment. Others near you may do the same work.
    </EmptyState>
  );
  if (token) return own === 'asking' ? <LoadingView /> : ended;
  return (
    <>
      <div className="visitor-only">{ended}</div>
      <div className="member-only" aria-hidden="true">
        <LoadingView />
      </div>
    </>
  );
}
