import { deviceHeader } from '@handwise/contract/call';
import type { FastifyRequest } from 'fastify';
import { browserName } from './identity/browser-name.ts';
import { networkOf } from './network.ts';

/** Where a request comes from. `device` is what the browser shows of an earlier sign-in. */
export type From = { network: string; device: string | undefined; browser: string };

export function fromOf({ ip, raw, headers }: FastifyRequest): From {
  const device = headers[deviceHeader];
  return {
    network: networkOf(ip),
    device: typeof device === 'string' && /^[\w-]{43}$/.test(device) ? device : undefined,
    browser: browserName(raw.headers['user-agent']),
  };
}
