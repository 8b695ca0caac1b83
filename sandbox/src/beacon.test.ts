import { afterAll, beforeEach, expect, test } from 'vitest';
import { sandboxChain, deriveRandomness, roundTime, verifyRound } from '@handwise/proof/beacon';
import { signSandboxRound } from '@handwise/proof/sandbox-key';
import { openBeacon } from '@handwise/server/kit/beacon';
import { startSandboxBeacon } from './beacon.ts';

const round = 73_000_000;
const out = roundTime(sandboxChain, round);
let now = out;
const start = () => startSandboxBeacon({ now: () => new Date(now) });
const [first, second] = await Promise.all([start(), start()]);
const both = openBeacon({ chain: 'sandbox', addresses: [first.url, second.url] });
const { chainHash } = sandboxChain;
const get = (path: string) => fetch(`${first.url}${path}`);

beforeEach(() => {
  now = out;
  for (const beacon of [first, second]) beacon.setFault(null);
});
afterAll(() => Promise.all([first.close(), second.close()]));

test('responds like a drand relay: a round, the latest one and chain information', async () => {
  const answer = (await (await get(`/${chainHash}/public/${round}`)).json()) as any;
  expect(answer).toEqual({ round, signature: signSandboxRound(round), randomness: deriveRandomness(answer.signature) });
  expect(verifyRound(sandboxChain, round, answer.signature)).toBe(true);
  now = out + 2999;
  expect(await (await get(`/${chainHash}/public/latest`)).json()).toEqual(answer);
  const { publicKey: public_key, genesisTime: genesis_time, period } = sandboxChain;
  const info = { public_key, genesis_time, period, hash: chainHash, schemeID: 'bls-unchained-g1-rfc9380' };
  expect(await (await get(`/${chainHash}/info`)).json()).toEqual(info);
  for (const path of ['/', '/public/1', `/${'0'.repeat(64)}/public/1`, `/${chainHash}/public/0`, `/${chainHash}/public/-1`]) {
    expect((await get(path)).status, `at ${path}`).toBe(404);
  }
});

test('publishes no round before its time, to the millisecond', async () => {
  now = out - 1;
  expect((await get(`/${chainHash}/public/${round}`)).status).toBe(425);
  expect(await both.signatureOf(round)).toBeNull();
  now = out;
  expect(await both.signatureOf(round)).toBe(signSandboxRound(round));
});

test.each(['down', 'wrong-signature', 'other-round'] as const)('uses the next relay if the first one fails: %s', async (fault) => {
  first.setFault(fault);
  expect(await both.signatureOf(round)).toBe(signSandboxRound(round));
  second.setFault(fault);
  await expect(both.signatureOf(round)).rejects.toThrow(`no beacon gave round ${round}`);
  first.setFault(null);
  expect(await both.signatureOf(round)).toBe(signSandboxRound(round));
});

test('falls back to the next relay after a timeout', async () => {
  // The first signature of a process takes longer than all others.
  await both.signatureOf(round);
  first.setFault('slow');
  const impatient = openBeacon({ chain: 'sandbox', addresses: [first.url, second.url] }, 2000);
  expect(await impatient.signatureOf(round)).toBe(signSandboxRound(round));
});

test('trusts a single relay that the round is not out when the others are down', async () => {
  now = out - 1;
  first.setFault('down');
  expect(await both.signatureOf(round)).toBeNull();
});

test('gets the round in time with a lagging relay', async () => {
  const late = await startSandboxBeacon({ now: () => new Date(out - 60_000) });
  try {
    const beacon = openBeacon({ chain: 'sandbox', addresses: [late.url, second.url] });
    expect(await beacon.signatureOf(round)).toBe(signSandboxRound(round));
  } finally {
    await late.close();
  }
});

test('rejects rounds of another chain', async () => {
  const beacon = openBeacon({ chain: 'quicknet', addresses: [first.url] });
  // The stand-in has no such chain.
  expect(await beacon.signatureOf(1000)).toBeNull();
  expect(beacon.chain.name).toBe('quicknet');
});
