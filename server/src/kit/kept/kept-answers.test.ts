import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { expect, onTestFinished, test } from 'vitest';
import { Freshness } from './freshness.ts';
import { Answer, type InTurn, KeptAnswers, type Shown } from './kept-answers.ts';

const answerOf = (text: string) => new Answer(Buffer.from(text), { 'content-type': 'text/html' });
const exactly = { exactly: true };

function cacheOf(maxBytes = 1_000_000) {
  const freshness = new Freshness();
  const answers = new KeptAnswers(maxBytes, freshness);
  const keep = (key: string, shown: Partial<Shown> = {}) => answers.begin(key)(answerOf(key), { names: [], seconds: 30, ...shown });
  const has = (key: string, options = exactly) => 'answer' in answers.find(key, options);
  return { freshness, answers, keep, has };
}

test('an answer is the same in every encoding, and another answer has another tag', async () => {
  const one = answerOf('<p>one</p>');
  expect(brotliDecompressSync(await one.as('br')).toString()).toBe('<p>one</p>');
  expect(gunzipSync(await one.as('gzip')).toString()).toBe('<p>one</p>');
  expect((await one.as('identity')).toString()).toBe('<p>one</p>');
  expect([one.etag === answerOf('<p>one</p>').etag, one.etag === answerOf('<p>two</p>').etag]).toEqual([true, false]);
});

test('an answer is kept until something changes that it shows, and whatever it shows where nobody can say what changed', () => {
  const { freshness, keep, has } = cacheOf();
  const kept = { none: [], one: ['a'], both: ['a', 'b'], other: ['b'] };
  for (const [key, names] of Object.entries(kept)) keep(key, { names });
  const left = () => Object.keys(kept).filter((key) => has(key));
  expect(left()).toEqual(['none', 'one', 'both', 'other']);
  freshness.changed(['a', 'c']);
  expect(left()).toEqual(['none', 'other']);
  freshness.allChanged();
  expect(left()).toEqual([]);
  keep('one', { names: ['a'] });
  expect(left()).toEqual(['one']);
});

test('what changed while an answer was worked out is not in it: it is not kept', () => {
  const { freshness, answers } = cacheOf();
  for (const change of [() => freshness.changed(['a']), () => freshness.allChanged()]) {
    const keep = answers.begin('/');
    change();
    keep(answerOf('old'), { names: ['a'], seconds: 30 });
    expect(answers.find('/', exactly)).toEqual({ missed: 'unknown' });
  }
});

test('an answer that may be a little old is given to others for so long, and to nobody who may have changed something', () => {
  const { freshness, keep, has } = cacheOf();
  keep('near', { names: ['a'], grace: 30 });
  keep('gone', { names: ['a'], grace: 0 });
  expect([has('near'), has('gone')]).toEqual([true, true]);
  freshness.changed(['a']);
  const found = (key: string, exact: boolean) => has(key, { exactly: exact });
  expect([found('near', false), found('near', true), found('gone', false)]).toEqual([true, false, false]);
  // Where nobody can say what changed, it may be older than a little.
  freshness.allChanged();
  expect(found('near', false)).toBe(false);
});

test('no answer is kept longer than it says', () => {
  const { answers, keep } = cacheOf();
  keep('short', { seconds: 0 });
  keep('short with grace', { seconds: 0, grace: 30 });
  const aged = { missed: 'unknown' };
  expect([answers.find('short', exactly), answers.find('short with grace', { exactly: false })]).toEqual([aged, aged]);
});

test('it is known why an answer does not hold, and what was kept in its place', () => {
  const { freshness, answers, keep } = cacheOf();
  expect([answers.find('/', exactly), answers.outdated('/')]).toEqual([{ missed: 'unknown' }, undefined]);
  keep('/', { names: ['a'] });
  const { answer } = answers.find('/', exactly) as { answer: Answer };
  freshness.changed(['a']);
  expect([answers.find('/', exactly), answers.outdated('/')]).toEqual([{ missed: 'changed' }, answer]);
  freshness.allChanged();
  expect([answers.find('/', exactly), answers.outdated('/')]).toEqual([{ missed: 'unheard' }, answer]);
  const { now } = performance;
  onTestFinished(() => void (performance.now = now));
  performance.now = () => now.call(performance) + 31_000;
  expect([answers.find('/', exactly), answers.outdated('/')]).toEqual([{ missed: 'aged' }, answer]);
});

const atOnce: InTurn = (piece) => piece();

test('what is being made is waited for, and taken if it is right when it is there', async () => {
  // Made while something else changes, while what it shows does, and in vain.
  for (const [change, outcome] of [
    ['b', 'shared'],
    ['a', 'own'],
    [null, 'own'],
  ] as const) {
    const { freshness, answers } = cacheOf();
    const gate = Promise.withResolvers<void>();
    let works = 0;
    const work = async () => {
      works += 1;
      const keep = answers.begin('/');
      await gate.promise;
      if (change === null && works === 1) throw new Error('in vain');
      keep(answerOf('made'), { names: ['a'], seconds: 30 });
    };
    const share = () => answers.share('/', { exactly: true, inTurn: atOnce, work });
    const asked = [share(), share(), share()];
    await Promise.resolve();
    expect(works).toBe(1);
    if (change) freshness.changed([change]);
    gate.resolve();
    const [first, ...others] = await Promise.allSettled(asked);
    expect(first?.status).toBe(change === null ? 'rejected' : 'fulfilled');
    // Of those who waited in vain one works, for the other one too.
    expect([change, others.map((one) => one.status === 'fulfilled' && Object.keys(one.value))]).toEqual([change, [[outcome], ['shared']]]);
    expect(works).toBe(outcome === 'shared' ? 1 : 2);
    // Whoever comes later finds it kept, and nobody at work.
    expect(Object.keys(await share())).toEqual(['shared']);
    freshness.allChanged();
    expect(Object.keys(await share())).toEqual(['own']);
  }
});

test('whoever waits for their turn is waited for by nobody, and takes what others made meanwhile', async () => {
  const { answers, keep } = cacheOf();
  const turn = Promise.withResolvers<void>();
  const inTurn: InTurn = async (piece) => {
    await turn.promise;
    return piece();
  };
  const late = answers.share('/', { exactly: true, inTurn, work: async () => 'late' });
  const made = answers.share('/', { exactly: true, inTurn: atOnce, work: async () => keep('/') });
  expect(Object.keys(await made)).toEqual(['own']);
  turn.resolve();
  expect(Object.keys(await late)).toEqual(['shared']);
});

test('where nothing is kept nobody waits for anybody', async () => {
  const { answers } = cacheOf(0);
  const gate = Promise.withResolvers<void>();
  const one = answers.share('/', { exactly: true, inTurn: atOnce, work: () => gate.promise });
  expect(await answers.share('/', { exactly: true, inTurn: atOnce, work: async () => 'mine' })).toEqual({ own: 'mine' });
  gate.resolve();
  await one;
});

test('no body holds more memory than its bytes, in whatever encoding', async () => {
  const answer = answerOf('<p>small</p>'.repeat(50));
  for (const encoding of ['identity', 'br', 'gzip'] as const) {
    const body = await answer.as(encoding);
    expect([encoding, body.buffer.byteLength]).toEqual([encoding, body.length]);
  }
  const large = answerOf('<p>large</p>'.repeat(100_000));
  expect(brotliDecompressSync(await large.as('br')).length).toBe(1_200_000);
});

test('what is kept stays within its bytes, each encoding that is made of it counted', async () => {
  const { answers } = cacheOf(30_000);
  const noise = (length: number) => Buffer.from(Array.from({ length }, (_, at) => (at * 7_919 * (at % 31)) % 256));
  const keys = Array.from({ length: 20 }, (_, index) => `/services/${index}`);
  const made = keys.map((key) => {
    const answer = new Answer(noise(3_000), {});
    answers.begin(key)(answer, { names: [], seconds: 30 });
    return answer;
  });
  expect(answers.bytes).toBeLessThanOrEqual(30_000);
  const plain = answers.count;
  expect(plain).toBe(7);
  for (const [index, key] of keys.entries()) await answers.bodyOf(key, made[index] as Answer, 'br');
  expect(answers.count).toBeLessThan(plain);
  expect(answers.bytes).toBeLessThanOrEqual(30_000);
});

test('of very many changes the older half is forgotten, and with it what was worked out before', () => {
  const freshness = new Freshness(10);
  const old = freshness.now;
  for (let at = 0; at < 8; at += 1) freshness.changed([`thing ${at}`]);
  const late = freshness.now;
  expect(freshness.holds(old, ['untouched'])).toBe(true);
  for (let at = 8; at < 11; at += 1) freshness.changed([`thing ${at}`]);
  expect([freshness.holds(old, ['untouched']), freshness.holds(late, ['untouched']), freshness.holds(late, ['thing 9'])]).toEqual([
    false,
    true,
    false,
  ]);
});
