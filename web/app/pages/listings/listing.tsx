import { paths } from '@handwise/contract/paths';
import { Suspense, useCallback, useEffect, useState } from 'react';
import { data, redirect, useLocation, useNavigate } from 'react-router';
import { useCountedView } from '../../domains/analytics/count-view.ts';
import { getExcerpt } from '../../lib/format.ts';
import { findListing, listRelated } from '../../domains/listings/listing-data.server.ts';
import { ListingDetail, addPlaceToTitle } from '../../domains/listings/listing-detail.tsx';
import { createLocalBusinessData } from '../../domains/listings/listing-structured-data.ts';
import type { ListingView } from '../../domains/listings/listing-view.ts';
import type { CardView } from '../../domains/listings/card-view.ts';
import { findReplyTime } from '../../domains/messages/reply-time-data.server.ts';
import { ReplyTime } from '../../domains/messages/reply-time.tsx';
import { opensMessage, getMessagePath, withoutMessage } from '../../domains/messages/first-message/pending-message.ts';
import type { ReviewsView } from '../../domains/reviews/review-view.ts';
import { SaveHeart } from '../../domains/saved/save-heart.tsx';
import { call } from '../../lib/api.ts';
import { createBreadcrumbList, formatJsonLd, JsonLd } from '../../ui/page/json-ld.tsx';
import { latePart, memberPart } from '../../lib/late-part.tsx';
import { LoadingView } from '../../lib/loading-view.tsx';
import { pageMeta } from '../../lib/page-meta.ts';
import { getLoginPath } from '../../lib/session/redirect.ts';
import { useRootData } from '../../lib/root-data.ts';
import { serverContext } from '../../lib/server-context.ts';
import { useSession } from '../../lib/session/session.ts';
import { Breadcrumbs, Container } from '../../ui/page/page.tsx';
import { Button, ButtonLink } from '../../ui/forms/button.tsx';
import { EmptyState } from '../../ui/feedback/empty-state.tsx';
import type { Route } from './+types/listing';
import styles from './listing.module.css';

const MessageDialog = memberPart(async () => (await import('../../domains/messages/first-message/message-dialog.tsx')).MessageDialog);

const rest = () => import('./listing-rest.tsx');
const ListingFacts = latePart(async () => (await rest()).ListingFacts);
const Share = latePart(async () => (await rest()).Share);
const RelatedListings = latePart(async () => (await rest()).RelatedListings);
const ListingEnd = latePart(async () => (await rest()).ListingEnd);

// Separate, because only the browser of an ended listing's owner needs it.
const makesShown = () => import('./listing-shown.ts');

export async function loader({ context, params }: Route.LoaderArgs) {
  const server = context.get(serverContext);
  // Lower case, so that a listing has one URL.
  const id = params.id.toLowerCase();
  const found = await findListing(server, id);
  if (!found) throw data(null, { status: 404 });
  if (id !== params.id) throw redirect(paths.listing(id), 301);
  if (found === 'gone') return data(null, { status: 410 });
  const [{ getShownListing }, related, replyTime] = await Promise.all([
    makesShown(),
    listRelated(server, found),
    findReplyTime(server, id),
  ]);
  return { ...getShownListing(found), related, replyTime };
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
    title: addPlaceToTitle(listing),
    description: getExcerpt(`${listing.business.name}: ${listing.description.join(' ')}`),
    path,
    image: listing.pictures[0]?.src,
  });
};

export default function ListingPage({ loaderData, params }: Route.ComponentProps) {
  return (
    <Container>
      {/* The key remounts the page for another listing, so that no open dialog is left over. */}
      {loaderData ? <Page key={params.id} {...loaderData} /> : <Ended key={params.id} id={params.id} />}
    </Container>
  );
}

type Shown = { listing: ListingView; reviews: ReviewsView };
type PageProps = Shown & { related: readonly CardView[]; replyTime: { text: string; formula: string } | null };

function Page({ listing, reviews, related, replyTime }: PageProps) {
  const { user } = useSession();
  const { origin } = useRootData();
  const [isOpen, setOpen] = useState(false);
  const path = paths.listing(listing.id);
  useCountedView(listing);
  const isOwn = user?._id === listing.sellerId;
  const { pathname, search } = useLocation();
  const navigate = useNavigate();
  // The reader has signed in to write a message.
  const opensForMessage = user !== null && !isOwn && opensMessage(search);
  const close = useCallback(() => {
    setOpen(false);
    if (opensMessage(search)) void navigate({ pathname, search: withoutMessage(search) }, { replace: true, preventScrollReset: true });
  }, [navigate, pathname, search]);
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
        replyTime={replyTime && <ReplyTime {...replyTime} />}
        save={<SaveHeart listing={listing} kind="button" />}
        share={<Share title={listing.title} url={origin + path} />}
        contact={<Contact isOwn={isOwn} id={listing.id} onOpen={user ? () => setOpen(true) : undefined} />}
        facts={<ListingFacts listing={listing} reviews={reviews} />}
        related={related.length > 0 && <RelatedListings related={related} />}
      />
      <ListingEnd listing={listing} />
      {user && (
        <Suspense fallback={null}>
          <MessageDialog listing={listing} open={isOpen || opensForMessage} onClose={close} />
        </Suspense>
      )}
      {listing.status === 'active' && (
        <JsonLd
          text={import.meta.env.SSR ? formatJsonLd(createLocalBusinessData(listing, origin), createBreadcrumbList(origin, trail)) : ''}
        />
      )}
    </div>
  );
}

/** Visitors get a link, which works before the script loads. */
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
    <ButtonLink to={getLoginPath(getMessagePath(id))} wide>
      Message the seller
    </ButtonLink>
  );
}

/** The page of a listing that is no longer public. Only the browser knows whether it is the reader's own. */
function Ended({ id }: { id: string }) {
  const { user } = useSession();
  const [own, setOwn] = useState<Shown | 'asking' | 'no'>('asking');
  const token = user?.token;
  useEffect(() => {
    if (!token) return;
    const asking = new AbortController();
    Promise.all([call('GET /listing/:id', { params: { id } }, asking.signal), makesShown()]).then(
      ([listing, { getShownListing }]) => setOwn(getShownListing(listing)),
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
