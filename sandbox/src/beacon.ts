import { createServer, type ServerResponse } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { firstRoundFrom, deriveRandomness, roundTime, sandboxChain, scheme } from '@handwise/proof/beacon';
import { signSandboxRound } from '@handwise/proof/sandbox-key';
import { startServer } from './stand-in-server.ts';

/**
 * `down`: connections are cut. `wrong-signature`: the previous round's signature. `other-round`: the previous round, signed. `slow`: late
 * responses.
 */
export type BeaconFault = 'down' | 'wrong-signature' | 'other-round' | 'slow';

export type BeaconOptions = {
  /** The clock that rounds are published by. */
  now: () => Date;
  /** The delay of responses under `slow`. */
  slowMs?: number;
};

/** Starts a stand-in for a drand relay of the sandbox's chain, which publishes no round before its time. */
export async function startSandboxBeacon({ now, slowMs = 60_000 }: BeaconOptions) {
  let fault: BeaconFault | null = null;
  const closing = new AbortController();
  const { chainHash, publicKey, genesisTime, period } = sandboxChain;
  const info = { public_key: publicKey, period, genesis_time: genesisTime, hash: chainHash, schemeID: scheme };

  const isOut = (round: number) => roundTime(sandboxChain, round) <= now().getTime();
  const newest = () => firstRoundFrom(sandboxChain, now().getTime() + 1) - 1;

  function answerTo(path: string): { status: number; body: object } {
    if (path === `/${chainHash}/info`) return { status: 200, body: info };
    const [, name = ''] = new RegExp(`^/${chainHash}/public/(latest|[1-9]\\d{0,14})$`).exec(path) ?? [];
    if (name === '') return { status: 404, body: { error: 'There is nothing here' } };
    const wanted = name === 'latest' ? newest() : Number(name);
    if (!isOut(wanted)) return { status: 425, body: { error: 'Too early' } };
    const round = fault === 'other-round' ? wanted - 1 : wanted;
    const signature = signSandboxRound(fault === 'wrong-signature' ? round - 1 : round);
    return { status: 200, body: { round, randomness: deriveRandomness(signature), signature } };
  }

  async function respond(path: string, response: ServerResponse) {
    if (fault === 'down') return void response.socket?.destroy();
    if (fault === 'slow') await pause(slowMs, undefined, { signal: closing.signal });
    const { status, body } = answerTo(path);
    response.writeHead(status, { 'content-type': 'application/json', 'cache-control': 'no-store' }).end(JSON.stringify(body));
  }

  const server = createServer((request, response) => {
    respond(request.url ?? '', response).catch(() => response.socket?.destroy());
  });
  const { url, close } = await startServer(server);

  return {
    url,
    /** The server's settings. */
    settings: { chain: 'sandbox' as const, addresses: [url] },

    /** Null clears the fault. */
    setFault(next: BeaconFault | null) {
      fault = next;
    },

    /** A second call does nothing. */
    async close() {
      if (closing.signal.aborted) return;
      closing.abort();
      await close();
    },
  };
}
