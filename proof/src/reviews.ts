import { areBytesEqual, toHex } from './bytes.ts';
import { parseHead, signHead, type Signer, verifyHead } from './checkpoint.ts';
import { appendLeaves, computeRoot, hashLeaf, type NodePosition, type StoredNode } from './tree.ts';

// The reviews of a listing as a file of its business's own: signed as heads of the ticket log are, with its key, under an origin that no log has.

const reviewsFormat = 'handwise-reviews-v1';

/** A published review, or the stub of a removed one, as the API shows it. */
type Shown = { _id: string } & Record<string, unknown>;

export type ReviewsContent = {
  listing: { _id: string; business: string; title: string; address: string };
  /** When the file was made; reviews may have been written or removed since. */
  at: string;
  rating: { average: number; reviews: number };
  reviews: readonly (Shown & { rating: number })[];
  removed: readonly Shown[];
};

export type ReviewsFile = { format: typeof reviewsFormat } & ReviewsContent & { checkpoint: string; publicKey: string };

const formatOrigin = (host: string, listingId: string) => `${host}/reviews/${listingId}`;

/** The signed leaves: what the file is about, then each review and stub in its order. */
const listLeaves = ({ listing, at, rating, reviews, removed }: ReviewsContent): string[] =>
  [{ format: reviewsFormat, listing, at, rating, published: reviews.length, removed: removed.length }, ...reviews, ...removed].map((one) =>
    JSON.stringify(one),
  );

async function computeLeavesRoot(leaves: readonly string[]): Promise<Uint8Array> {
  const nodes: StoredNode[] = await appendLeaves(0, leaves.map(hashLeaf), () => []);
  const hashes = new Map(nodes.map(({ level, index, hash }) => [`${level} ${index}`, hash]));
  return computeRoot(leaves.length, (positions: NodePosition[]) =>
    positions.flatMap(({ level, index }) => hashes.get(`${level} ${index}`) ?? []),
  );
}

/** `host` is that of the site. */
export async function signReviews<Content extends ReviewsContent>(host: string, content: Content, signer: Signer) {
  const leaves = listLeaves(content);
  const head = { origin: formatOrigin(host, content.listing._id), size: leaves.length, root: await computeLeavesRoot(leaves) };
  return {
    format: reviewsFormat as typeof reviewsFormat,
    ...content,
    checkpoint: signHead(head, signer),
    publicKey: toHex(signer.publicKey),
  };
}

const keys = ['format', 'listing', 'at', 'rating', 'reviews', 'removed', 'checkpoint', 'publicKey'];

function parseFile(text: string): ReviewsFile | string {
  let file: ReviewsFile;
  try {
    file = JSON.parse(text) as ReviewsFile;
  } catch {
    return 'This is not JSON.';
  }
  // What was written twice, or in another order, could be read in two ways.
  if (![JSON.stringify(file), JSON.stringify(file, null, 2)].includes(text.trim())) return 'The text is not as it was served.';
  if (file.format !== reviewsFormat || Object.keys(file).join() !== keys.join()) return `This is not a file of ${reviewsFormat}.`;
  const isWhole = [file.reviews, file.removed].every((list) => Array.isArray(list)) && typeof file.listing._id === 'string';
  return isWhole && typeof file.checkpoint === 'string' && typeof file.publicKey === 'string' ? file : 'A part is missing.';
}

/** To one decimal; 0 without reviews. */
export const getAverage = (ratings: readonly number[]) =>
  ratings.length === 0 ? 0 : Math.round((10 * ratings.reduce((sum, one) => sum + one, 0)) / ratings.length) / 10;

/**
 * What does not hold of a file of reviews, offline. `publicKey` is the key of the site in hexadecimal, from the terms of its draws; without it the file's
 * own key is used, which only shows that nothing was changed since somebody signed it.
 */
export async function verifyReviews(text: string, publicKey?: string): Promise<{ faults: string[]; file: ReviewsFile | null }> {
  const file = parseFile(text);
  if (typeof file === 'string') return { faults: [file], file: null };
  const head = parseHead(file.checkpoint);
  if (!head) return { faults: ['The checkpoint is not a signed head.'], file };
  const leaves = listLeaves(file);
  const [host = '', ...rest] = head.origin.split('/');
  const ratings = file.reviews.map(({ rating }) => rating);
  const checks: [holds: boolean, fault: string][] = [
    [publicKey === undefined || file.publicKey === publicKey, 'It is signed with another key than that of the site.'],
    [verifyHead(head, publicKey ?? file.publicKey), 'The signature does not hold.'],
    [rest.join('/') === `reviews/${file.listing._id}`, 'It is signed for something else than the reviews of this listing.'],
    [isOnHost(file.listing.address, host), 'The address of the listing is on another site.'],
    [head.size === leaves.length, `${head.size - 1} reviews and notes were signed, but ${leaves.length - 1} are here.`],
    [
      areBytesEqual(head.root, await computeLeavesRoot(leaves)),
      'What was signed is not what is here: something was changed, left out, added or moved.',
    ],
    [file.rating.reviews === ratings.length, 'The number of reviews is not that of the reviews here.'],
    [file.rating.average === getAverage(ratings), 'The average is not that of the reviews here.'],
  ];
  return { faults: checks.flatMap(([holds, fault]) => (holds ? [] : [fault])), file };
}

function isOnHost(address: string, host: string): boolean {
  try {
    return new URL(address).host === host;
  } catch {
    return false;
  }
}
