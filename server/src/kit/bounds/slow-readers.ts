import { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import type { ReaderLimits } from './bounds.ts';
import { boundedCache } from '../cache/bounded-cache.ts';

/**
 * Ends connections whose other side does not take what it asked for, and those that ask for much more before they have taken the first answer.
 * Until then the answers lie in our memory. Returns how often that was.
 */
export function boundReaders(app: FastifyInstance, limits: ReaderLimits, networkOfPeer: (address: string) => string | null = () => null) {
  const ended = { stalled: 0, pipelined: 0, refused: 0 };
  const wasCut = refuseFloods(app, limits, ended, networkOfPeer);
  const unanswered = new WeakMap<Socket, number>();

  app.addHook('onRequest', (request, reply, done) => {
    const { socket } = request.raw;
    // What came in one piece with too much is read to its end all the same.
    if (socket.destroyed) return void reply.hijack();
    const before = unanswered.get(socket) ?? 0;
    if (before >= limits.pipelined) {
      ended.pipelined += 1;
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
    // Requests that come from within have none.
    if (socket instanceof Socket) {
      raw.setTimeout(limits.stalledMs, () => {
        // Where nothing lies there it is we who have not written yet.
        if (socket.writableLength === 0) return void socket.setTimeout(limits.stalledMs);
        ended.stalled += 1;
        socket.destroy();
      });
    }
    done();
  });
  return ended;
}

/**
 * To read fifty requests that came in one piece takes a millisecond, which thousands of connections would have each. Where so many of one network were cut,
 * the rest of its connections goes unread, and new ones with them for a while. Whoever comes over a proxy is not told apart here, and proxies
 * send one request after the other.
 */
function refuseFloods(
  app: FastifyInstance,
  { cuts, refusedMs }: ReaderLimits,
  ended: { refused: number },
  networkOfPeer: (address: string) => string | null,
): (address: string) => void {
  const open = new Map<string, Set<Socket>>();
  const cutOf = boundedCache<number>('cutReaders', refusedMs);
  const isRefused = (network: string) => (cutOf.get(network) ?? 0) >= cuts;

  const refuse = (socket: Socket) => {
    ended.refused += 1;
    socket.destroy();
  };
  app.server.on('connection', (socket) => {
    const network = networkOfPeer(socket.remoteAddress ?? '');
    if (network === null) return;
    if (isRefused(network)) return refuse(socket);
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
    for (const other of open.get(network) ?? []) if (!other.destroyed) refuse(other);
  };
}
