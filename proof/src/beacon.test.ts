import { expect, test } from 'vitest';
import { type Chain, firstRoundFrom, quicknet, deriveRandomness, roundTime, sandboxChain, secondsToRound, verifyRound } from './beacon.ts';
import { signSandboxRound } from './sandbox-key.ts';

// Round 1000 of quicknet from the public network.
const signature = 'b44679b9a59af2ec876b1a6b1ad52ea9b1615fc3982b19576350f93447cb1125e342b73a8dd2bacbe47e4b6b63ed5e39';

test('a real round of quicknet verifies and gives its randomness', () => {
  expect(verifyRound(quicknet, 1000, signature)).toBe(true);
  expect(deriveRandomness(signature)).toBe('fe290beca10872ef2fb164d2aa4442de4566183ec51c56ff3cd603d930e54fdd');
});

test('rejects altered bytes, other rounds, other chains and invalid signatures', () => {
  for (let at = 0; at < 48; at += 1) {
    const altered = Buffer.from(signature, 'hex');
    altered[at] = (altered[at] ?? 0) ^ 1;
    expect(verifyRound(quicknet, 1000, altered.toString('hex')), `byte ${at}`).toBe(false);
  }
  for (const round of [999, 1001, 0, -1, 1000.5, Number.NaN]) expect(verifyRound(quicknet, round, signature), `${round}`).toBe(false);
  expect(verifyRound(sandboxChain, 1000, signature)).toBe(false);
  // No signature, the point at infinity (also with itself as the key), and another encoding of the right one.
  const infinity = `c0${'00'.repeat(47)}`;
  for (const text of ['', 'no', infinity, signature.slice(2), `${signature}00`, signature.toUpperCase()]) {
    expect(verifyRound(quicknet, 1000, text), `“${text}”`).toBe(false);
  }
  const invalidChain: Chain = { ...quicknet, publicKey: `c0${'00'.repeat(95)}` };
  expect(verifyRound(invalidChain, 1000, infinity)).toBe(false);
  expect(verifyRound({ ...quicknet, publicKey: '83' }, 1000, signature)).toBe(false);
  expect(deriveRandomness('no')).toBeNull();
});

test('the sandbox signs rounds of its own chain only', () => {
  const own = signSandboxRound(5);
  expect(verifyRound(sandboxChain, 5, own)).toBe(true);
  expect(verifyRound(sandboxChain, 1, signSandboxRound(1))).toBe(true);
  expect(verifyRound(sandboxChain, 6, own)).toBe(false);
  expect(verifyRound(quicknet, 5, own)).toBe(false);
});

test.each([quicknet, sandboxChain])('publishes a round of $name at genesis and every three seconds', (chain) => {
  const genesis = chain.genesisTime * 1000;
  expect([1, 2, 1000].map((round) => roundTime(chain, round) - genesis)).toEqual([0, 3000, 2_997_000]);
  // The first round at or after a time, to the millisecond; never before the first.
  expect([-5000, 0, 1, 2999, 3000, 3001, 6000].map((after) => firstRoundFrom(chain, genesis + after))).toEqual([1, 1, 2, 2, 2, 3, 3]);
});

test('announces a round 300 seconds after a month’s closing, 30 after a closing by hand', () => {
  expect(secondsToRound).toEqual({ monthEnd: 300, byHand: 30 });
});
