import { toHex } from '@handwise/proof/bytes';
import { hashEntry, buildEntryLevels, buildMerklePath } from '@handwise/proof/draw';
import { signTestHead, createTestDraw, siteKey } from '@handwise/proof/testing/test-draw';
import { expect, test } from 'vitest';
import type { CheckResult } from './check-messages.ts';
import { checkWork } from './check-work.ts';

const files = { period: '2026-11', edition: 'one' };
const nothing = { mail: null, commitment: null };

/** A site that publishes these texts, counts the reads of each, and whose clock advances by a second per call. */
function siteWith(texts: Record<string, string>) {
  const reads: string[] = [];
  let seconds = 0;
  const read = async (path: string) => {
    reads.push(path);
    const text = texts[path];
    if (text === undefined) throw new Error('not there');
    return text;
  };
  return { reads, texts, work: checkWork(read, () => (seconds += 1) * 1000) };
}
const draw = createTestDraw();
const published = (change: object = {}) => ({
  '/api/draws/2026-11/proof': JSON.stringify({ ...draw.proof, ...change }),
  '/api/draws/2026-11/log.txt': draw.log,
});
const stateOf = (result: CheckResult, name: string) => result.steps.find((step) => step.name === name)?.state;
const ignore = () => {};

test('checks a draw with its log, and reports each step', async () => {
  const { work } = siteWith(published());
  const progress: number[] = [];
  const result = await work.check({ ...files, ...nothing }, (partial) => progress.push(partial.steps.length));
  expect(result.end).toEqual({ isValid: true, isDrawn: true, ms: 1000 });
  expect(stateOf(result, 'log')).toBe('passed');
  expect(stateOf(result, 'mail')).toBe('not-checked');
  expect(progress).toEqual(result.steps.map((_, place) => place + 1));
});

test('finds an extra ticket in the published list', async () => {
  const [first, ...others] = draw.proof.entries;
  const entries = [{ id: first?.id, tickets: (first?.tickets ?? 0) + 1 }, ...others];
  const { work } = siteWith(published({ entries }));
  const result = await work.check({ ...files, ...nothing }, ignore);
  expect(result.end?.isValid).toBe(false);
  expect(stateOf(result, 'root')).toBe('failed');
});

test('checks an email and an earlier file against the draw', async () => {
  const { work } = siteWith(published());
  const head = signTestHead(draw.leaves.slice(0, 5));
  const right = await work.check({ ...files, mail: `Kia ora\n\n${head}`, commitment: JSON.stringify(draw.commitment) }, ignore);
  expect([stateOf(right, 'mail'), stateOf(right, 'commitment')]).toEqual(['passed', 'passed']);
  const otherLog = signTestHead(draw.leaves.slice(0, 5).toReversed());
  const wrong = await work.check({ ...files, mail: otherLog, commitment: JSON.stringify({ ...draw.commitment, totalTickets: 1 }) }, ignore);
  expect([stateOf(wrong, 'mail'), stateOf(wrong, 'commitment')]).toEqual(['failed', 'failed']);
});

test('fetches files once per version, and again after a failure', async () => {
  const { work, reads, texts } = siteWith(published());
  await work.picture(files, ignore);
  await work.check({ ...files, ...nothing }, ignore);
  expect(reads.toSorted()).toEqual(['/api/draws/2026-11/log.txt', '/api/draws/2026-11/proof']);
  const proof = texts['/api/draws/2026-11/proof'] ?? '';
  delete texts['/api/draws/2026-11/proof'];
  await expect(work.picture({ ...files, edition: 'two' }, ignore)).rejects.toThrow('not there');
  texts['/api/draws/2026-11/proof'] = proof;
  expect((await work.picture({ ...files, edition: 'two' }, ignore)).shares.length).toBeGreaterThan(1);
});

test("verifies the user's entry against the seal, and rejects another seal, tickets or path", async () => {
  const { entries, root } = draw.proof;
  const levels = buildEntryLevels(entries);
  const [entry] = entries.slice(2);
  if (!entry) throw new Error('there is no third entry');
  const proof = { index: 2, size: entries.length, path: buildMerklePath(levels, 2) };
  const { work } = siteWith({});
  const isIn = async (change: object = {}, of = root) =>
    (await work.own({ entries: [{ ...entry, proof, ...change }], root: of }, ignore))[0];
  expect(await isIn()).toBe(true);
  expect(await isIn({ tickets: entry.tickets + 1 })).toBe(false);
  expect(await isIn({}, toHex(hashEntry(entry)))).toBe(false);
  expect(await isIn({}, 'no seal')).toBe(false);
  expect(await isIn({ proof: { ...proof, path: [...proof.path, 'zz'] } })).toBe(false);
  expect(await isIn({ proof: { ...proof, index: 3 } })).toBe(false);
});

test("verifies an open month's log up to its newest head, with an email's head as a prefix", async () => {
  const open = (change: Record<string, string> = {}) =>
    siteWith({
      '/api/draws/2026-11/terms': JSON.stringify({ log: { publicKey: toHex(siteKey.publicKey) } }),
      '/api/draws/2026-11/log/checkpoint': signTestHead(draw.leaves.slice(0, 9)),
      '/api/draws/2026-11/log.txt': draw.log,
      ...change,
    }).work;
  const mail = signTestHead(draw.leaves.slice(0, 4));
  const states = async (work: ReturnType<typeof open>, text: string | null) => {
    const { steps, end } = await work.openLog({ ...files, mail: text }, ignore);
    return [end?.isValid, end?.isDrawn, ...steps.map(({ state }) => state)];
  };
  expect(await states(open(), mail)).toEqual([true, false, 'passed', 'passed', 'passed']);
  expect(await states(open(), null)).toEqual([true, false, 'passed', 'passed']);
  expect(await states(open(), 'Kia ora')).toEqual([false, false, 'passed', 'passed', 'failed']);
  expect(await states(open(), signTestHead(draw.leaves.slice(1, 5)))).toEqual([false, false, 'passed', 'passed', 'failed']);
  const shorter = { '/api/draws/2026-11/log.txt': `${draw.leaves.slice(0, 8).join('\n')}\n` };
  expect(await states(open(shorter), mail)).toEqual([false, false, 'passed', 'failed', 'passed']);
  const otherKey = { '/api/draws/2026-11/terms': JSON.stringify({ log: { publicKey: '00'.repeat(32) } }) };
  expect(await states(open(otherKey), mail)).toEqual([false, false, 'failed', 'passed', 'failed']);
});
