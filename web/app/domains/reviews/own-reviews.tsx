import { paths } from '@handwise/contract/paths';
import { useRootData } from '../../lib/root-data.ts';

/** The seller's rating for their own site, and all their reviews as a signed file. */
export function OwnReviews({ listingId }: { listingId: string }) {
  const { origin } = useRootData();
  const address = `${origin}${paths.badge(listingId)}`;
  return (
    <section aria-labelledby="own-reviews-heading">
      <h2 id="own-reviews-heading">Your reviews are yours</h2>
      <p>Show your rating on your own site with this line. It has no script and sets no cookie.</p>
      <p>
        <img src={paths.badge(listingId)} alt="Your rating as others see it" width={220} height={56} loading="lazy" />
      </p>
      <pre style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
        <code>{`<a href="${origin}${paths.listing(listingId)}#reviews"><img src="${address}" alt="Our reviews" width="220" height="56"></a>`}</code>
      </pre>
      <p>
        <a href={`/api/listing/${listingId}/reviews.json`} download={`reviews-${listingId}.json`}>
          Download all your reviews
        </a>{' '}
        as a file that we sign. Anyone can check, without us, that nothing in it was changed, left out or moved.
      </p>
    </section>
  );
}
