import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../errors.ts';

export type BodyLimits = {
  /** A body is complete this long after its headers, unless it is a form with files. */
  completeMs: number;
  /** A form with files brings so many bytes in any period, until it is complete. A person has so many at once, on one server. */
  uploads: { bytes: number; periodMs: number; atOnce: number };
};

/**
 * Ends requests whose bodies stop arriving, with 408 if they can still be answered: each holds a connection, and a form its files. Returns a counter
 * for the metrics.
 */
export function limitUnfinishedBodies(app: FastifyInstance, limits: BodyLimits) {
  const ended = { unfinished: 0 };

  const end = ({ raw }: FastifyRequest, reply: FastifyReply) => {
    ended.unfinished += 1;
    const isRead = raw.listenerCount('error') > 0;
    if (reply.sent || !isRead) return void raw.destroy();
    // For its reader alone: destroying the request would close the connection before the answer.
    raw.emit('error', new AppError('body_incomplete'));
    reply.header('connection', 'close').raw.once('finish', () => void raw.destroy());
    setTimeout(() => void raw.destroy(), 1_000).unref();
  };

  app.addHook('onRequest', (request, reply, done) => {
    const { raw } = request;
    if (hasBody(request)) {
      const timer = isForm(request)
        ? onSlowUpload(request, limits.uploads, () => end(request, reply))
        : setTimeout(() => raw.complete || end(request, reply), limits.completeMs);
      timer.unref();
      const stop = () => clearInterval(timer);
      raw.once('end', stop).once('close', stop);
    }
    done();
  });
  return ended;
}

/** Whether the request has a form with files. */
export const isForm = ({ headers }: FastifyRequest) => headers['content-type']?.toLowerCase().startsWith('multipart/') ?? false;

const hasBody = ({ headers }: FastifyRequest) => headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

// Looked at so often within a period.
const looks = 6;

function onSlowUpload({ raw }: FastifyRequest, { bytes, periodMs }: BodyLimits['uploads'], end: () => void): NodeJS.Timeout {
  const received = [raw.socket.bytesRead];
  const timer = setInterval(() => {
    received.push(raw.socket.bytesRead);
    if (raw.complete) clearInterval(timer);
    else if (received.length > looks && raw.socket.bytesRead - (received.shift() ?? 0) < bytes) {
      clearInterval(timer);
      end();
    }
  }, periodMs / looks);
  return timer;
}
