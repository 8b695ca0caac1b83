import { z } from 'zod';
import { type Chain, chains, verifyRound } from '@handwise/proof/beacon';

/** The drand chain, and URLs of its HTTP API in the order in which they are tried. */
export type BeaconSettings = { chain: keyof typeof chains; addresses: string[] };

export type Beacon = {
  chain: Chain;
  /** The verified signature of a round in hexadecimal, null before it is published. Throws if no address returns a valid one. */
  signatureOf: (round: number) => Promise<string | null>;
};

const answerShape = z.object({ round: z.int(), signature: z.string() });
const notOutYet = new Set([404, 425]);

export function openBeacon({ chain: name, addresses }: BeaconSettings, timeoutMs = 5000): Beacon {
  const chain = chains[name];

  async function request(address: string, round: number): Promise<string | null> {
    const response = await fetch(`${address}/${chain.chainHash}/public/${round}`, { signal: AbortSignal.timeout(timeoutMs) });
    if (notOutYet.has(response.status)) {
      await response.body?.cancel();
      return null;
    }
    if (!response.ok) throw new Error(`${address} answered ${response.status}`);
    const answer = answerShape.parse(await response.json());
    if (answer.round !== round) throw new Error(`${address} gave round ${answer.round} for ${round}`);
    if (!verifyRound(chain, round, answer.signature)) throw new Error(`${address} gave an invalid signature of round ${round}`);
    return answer.signature;
  }

  return {
    chain,
    async signatureOf(round) {
      const failures: unknown[] = [];
      for (const address of addresses) {
        try {
          const signature = await request(address, round);
          if (signature !== null) return signature;
        } catch (error) {
          failures.push(error);
        }
      }
      // At least one address answered that the round is not published yet.
      if (failures.length < addresses.length) return null;
      throw new AggregateError(failures, `no beacon gave round ${round}: ${failures.map(String).join('; ')}`);
    },
  };
}
