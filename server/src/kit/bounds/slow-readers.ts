import { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import type { ReaderLimits } from './bounds.ts';

/**
 * Ends connections whose other side does not take what it asked for, and those that ask for much more before they have taken the first answer.
 * Until then the answers lie in our memory. Returns how often that was.
 */
export function boundReaders(app: FastifyInstance, limits: ReaderLimits) {
  const ended = { stalled: 0, pipelined: 0 };
  const unanswered = new WeakMap<Socket, number>();

  app.addHook('onRequest', (request, reply, done) => {
    const { socket } = request.raw;
    // What came in one piece with too much is read to its end all the same.
    if (socket.destroyed) return void reply.hijack();
    const before = unanswered.get(socket) ?? 0;
    if (before >= limits.pipelined) {
      ended.pipelined += 1;
      socket.destroy();
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
