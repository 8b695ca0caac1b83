import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';

type Outcome = { answered: number; broken: string[]; firstOfHealth: number | 'refused' };

/** One request; rejects if the response is incomplete. */
async function get(url: string, agent: Agent | false): Promise<number> {
  const sent = request(url, { agent });
  sent.end();
  const [response] = await once(sent, 'response');
  response.resume();
  await once(response, 'end');
  if (!response.complete) throw new Error('the answer was cut off');
  return response.statusCode;
}

/**
 * Loads a server over many keep-alive connections, stops it, and continues until its health check is no longer 200, like a load balancer.
 * `broken` lists the requests before that without a proper response.
 */
export async function stopUnderLoad(address: string, paths: readonly string[], connections: number, stop: () => void): Promise<Outcome> {
  const outcome: Outcome = { answered: 0, broken: [], firstOfHealth: 'refused' };
  const out = new AbortController();
  const clients = Array.from({ length: connections }, async (_, client) => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    for (let turn = client; !out.signal.aborted; turn += 1) {
      const path = paths[turn % paths.length] ?? '/';
      const answer = await get(address + path, agent).catch((error: Error) => error.message);
      if (typeof answer === 'number' && answer < 500) outcome.answered += 1;
      else outcome.broken.push(`${path}: ${answer}`);
    }
    agent.destroy();
  });
  const balancer = async () => {
    for (;;) {
      const status = await get(`${address}/api/health`, false).catch(() => 'refused' as const);
      if (status !== 200) return status;
      await pause(5);
    }
  };
  const balancing = balancer();
  while (outcome.answered < 5 * connections && outcome.broken.length === 0) await pause(5);
  stop();
  outcome.firstOfHealth = await balancing;
  out.abort();
  await Promise.all(clients);
  return outcome;
}
