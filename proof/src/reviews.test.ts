import { execFile } from 'node:child_process';
import { createPrivateKey, createPublicKey, sign } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { type ReviewsContent, type ReviewsFile, signReviews, verifyReviews } from './reviews.ts';

const dir = mkdtempSync(join(tmpdir(), 'handwise-reviews-'));
afterAll(() => rmSync(dir, { recursive: true, force: true }));

/** A signer from a seed byte. */
function signerOf(seed: number) {
  const pkcs8 = Buffer.concat([Buffer.from('302e020100300506032b657004220420', 'hex'), Buffer.alloc(32, seed)]);
  const key = createPrivateKey({ key: pkcs8, format: 'der', type: 'pkcs8' });
  const publicKey = createPublicKey(key).export({ format: 'der', type: 'spki' }).subarray(-32);
  return { publicKey: new Uint8Array(publicKey), sign: (message: Uint8Array) => new Uint8Array(sign(null, message, key)) };
}

const content: ReviewsContent = {
  listing: { _id: 'kauri', business: 'Kauri & Sons', title: 'Leaks fixed', address: 'https://handwise.example/listing/kauri' },
  at: '2027-03-01T00:00:00.000Z',
  rating: { average: 3.7, reviews: 3 },
  reviews: [
    { _id: 'c', rating: 1, comment: 'Late. Ngā mihi “kāore”.' },
    { _id: 'b', rating: 5, comment: 'Tidy.' },
    { _id: 'a', rating: 5, comment: 'Tidy.' },
  ],
  removed: [{ _id: 'd', removedAt: '2027-02-01T00:00:00.000Z', because: 'offensive' }],
};
const host = 'handwise.example';
const signed = await signReviews(host, content, signerOf(1));
const key = signed.publicKey;
const faultsOf = async (file: unknown, publicKey?: string) => (await verifyReviews(JSON.stringify(file), publicKey)).faults;

test('holds as it was signed, compact or indented, with and without the key of the site', async () => {
  expect(await faultsOf(signed, key)).toEqual([]);
  expect(await faultsOf(signed)).toEqual([]);
  expect((await verifyReviews(`${JSON.stringify(signed, null, 2)}\n`, key)).faults).toEqual([]);
  const empty = { ...content, reviews: [], removed: [], rating: { average: 0, reviews: 0 } };
  expect(await faultsOf(await signReviews(host, empty, signerOf(1)), key)).toEqual([]);
});

const [one, two, three] = content.reviews;
test.each<[string, (file: ReviewsFile) => unknown]>([
  ['a word', (file) => ({ ...file, reviews: [{ ...one, comment: 'On time.' }, two, three] })],
  [
    'stars, with the average',
    (file) => ({ ...file, rating: { ...file.rating, average: 5 }, reviews: [{ ...one, rating: 5 }, two, three] }),
  ],
  ['a review left out', (file) => ({ ...file, rating: { average: 5, reviews: 2 }, reviews: [two, three] })],
  ['a review doubled', (file) => ({ ...file, rating: { average: 4, reviews: 4 }, reviews: [one, two, three, three] })],
  ['two reviews in another order', (file) => ({ ...file, reviews: [one, three, two] })],
  ['a removed one left out', (file) => ({ ...file, removed: [] })],
  ['a removed one among the reviews', (file) => ({ ...file, reviews: [...file.reviews, ...file.removed], removed: [] })],
  ['another time', (file) => ({ ...file, at: '2027-04-01T00:00:00.000Z' })],
  ['another business', (file) => ({ ...file, listing: { ...file.listing, business: 'Rimu' } })],
  ['another listing', (file) => ({ ...file, listing: { ...file.listing, _id: 'rimu' } })],
  ['another site', (file) => ({ ...file, listing: { ...file.listing, address: 'https://other.example/listing/kauri' } })],
  ['another average', (file) => ({ ...file, rating: { average: 4.9, reviews: 3 } })],
  ['a part more', (file) => ({ ...file, award: 'Best of 2027' })],
  ['a part less', (file) => Object.fromEntries(Object.entries(file).slice(0, -1))],
  ['no checkpoint', (file) => ({ ...file, checkpoint: '' })],
])('finds %s', async (_, change) => {
  expect(await faultsOf(change(signed), key)).not.toEqual([]);
});

test('finds a review written twice in the text, of which programs read one or the other', async () => {
  const text = JSON.stringify(signed).replace('"comment":"Late', '"comment":"On time","comment":"Late');
  expect((await verifyReviews(text, key)).faults).toEqual(['The text is not as it was served.']);
});

test('finds the key of someone else, also without the key of the site if only the signature is theirs', async () => {
  const forged = await signReviews(
    host,
    { ...content, rating: { average: 5, reviews: 1 }, reviews: [{ _id: 'x', rating: 5 }] },
    signerOf(2),
  );
  expect(await faultsOf(forged, key)).toContain('It is signed with another key than that of the site.');
  expect(await faultsOf({ ...forged, publicKey: key })).toContain('The signature does not hold.');
});

test('a head of the draw’s log is none of reviews', async () => {
  const { signHead } = await import('./checkpoint.ts');
  const checkpoint = signHead({ origin: 'handwise.example/draws/2027-03', size: 5, root: new Uint8Array(32) }, signerOf(1));
  expect(await faultsOf({ ...signed, checkpoint }, key)).toContain('It is signed for something else than the reviews of this listing.');
});

/** Runs the command in the folder of the files. */
const run = (...args: string[]) =>
  new Promise<{ code: number; out: string; errors: string }>((done) => {
    const options = { cwd: '/', env: { ...process.env, INIT_CWD: dir } };
    execFile(process.execPath, [join(import.meta.dirname, 'reviews-cli.ts'), ...args], options, (error, out, errors) => {
      done({ code: error ? Number(error.code) : 0, out, errors });
    });
  });

test('the command exits with 0 for a file that holds, and with 1 for what fails or is missing', async () => {
  writeFileSync(join(dir, 'reviews.json'), `\u{feff}${JSON.stringify(signed)}`);
  writeFileSync(join(dir, 'cut.json'), JSON.stringify({ ...signed, reviews: [two, three] }));
  const [fine, known, cut, missing, none] = await Promise.all([
    run('reviews.json'),
    run('reviews.json', '--key', key),
    run('cut.json'),
    run('no.json'),
    run(),
  ]);
  expect(fine).toMatchObject({ code: 0, out: expect.stringContaining('Compare this key') });
  expect(known).toMatchObject({ code: 0, out: expect.stringContaining(`ok     signed with ${key}`) });
  expect(cut).toMatchObject({ code: 1, out: expect.stringContaining('FAILS  4 reviews and notes were signed, but 3 are here.') });
  expect(missing.code).toBe(1);
  expect(none).toMatchObject({ code: 1, errors: expect.stringContaining('reviews:verify -- <reviews.json>') });
});
