import { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { createBoundedCache } from '../cache/bounded-cache.ts';
import type { ClientLimits } from './limits.ts';

/**
 * Closes connections of clients that don't read their responses, and of those that send many requests before they have read the first response: unread
 * responses stay in memory. Returns counters for the metrics.
 */
export function limitSlowClients(
  app: FastifyInstance,
  limits: ClientLimits,
  networkOfPeer: (address: string) => string | null = () => null,
) {
  const closed = { stalled: 0, pipelined: 0, refused: 0 };
  const wasCut = rejectFloods(app, limits, closed, networkOfPeer);
  const unanswered = new WeakMap<Socket, number>();

  app.addHook('onRequest', (request, reply, done) => {
    const { socket } = request.raw;
    // Requests of the same packet still arrive after the connection was closed.
    if (socket.destroyed) return void reply.hijack();
    const before = unanswered.get(socket) ?? 0;
    if (before >= limits.pipelined) {
      closed.pipelined += 1;
      const { remoteAddress = '' } = socket;
      socket.destroy();
      wasCut(remoteAddress);
      return void reply.hijack();
    }
    unanswered.set(socket, before + 1);
    done();
  });

  app.addHook('onResponse', (request, _reply, done) => {
    const { socket } = request.raw;
    unanswered.set(socket, (unanswered.get(socket) ?? 1) - 1);
    done();
  });

  app.addHook('onSend', (request, { raw }, _payload, done) => {
    const { socket } = request.raw;
    // Injected requests have none.
    if (socket instanceof Socket) {
      raw.setTimeout(limits.stalledMs, () => {
        // Without unread bytes it is the server that has not written yet.
        if (socket.writableLength === 0) return void socket.setTimeout(limits.stalledMs);
        closed.stalled += 1;
        socket.destroy();
      });
    }
    done();
  });
  return closed;
}

/**
 * Parsing fifty pipelined requests takes a millisecond, for each of thousands of connections. Once several of a network were closed, the rest of its
 * connections and new ones are refused for a while. Proxies don't pipeline, so clients behind one aren't limited here.
 */
function rejectFloods(
  app: FastifyInstance,
  { cuts, refusedMs }: ClientLimits,
  closed: { refused: number },
  networkOfPeer: (address: string) => string | null,
): (address: string) => void {
  const open = new Map<string, Set<Socket>>();
  const cutOf = createBoundedCache<number>('cutReaders', refusedMs);
  const isRefused = (network: string) => (cutOf.get(network) ?? 0) >= cuts;

  const reject = (socket: Socket) => {
    closed.refused += 1;
    socket.destroy();
  };
  app.server.on('connection', (socket) => {
    const network = networkOfPeer(socket.remoteAddress ?? '');
    if (network === null) return;
    if (isRefused(network)) return reject(socket);
    const own = open.get(network) ?? new Set();
    open.set(network, own.add(socket));
    socket.once('close', () => {
      own.delete(socket);
      if (own.size === 0) open.delete(network);
    });
  });

  return (address) => {
    const network = networkOfPeer(address);
    if (network === null) return;
    cutOf.set(network, (cutOf.get(network) ?? 0) + 1, { noUpdateTTL: true });
    if (!isRefused(network)) return;
    for (const other of open.get(network) ?? []) if (!other.destroyed) reject(other);
  };
}
