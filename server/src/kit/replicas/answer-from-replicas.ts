import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Replicas } from './replicas.ts';

// In answers to what may have written something, and in the requests that follow.
const header = 'handwise-position';

/** Lets the requests that `mayRead` names be answered from replicas, and tells everybody who may have written something how far the database then was. */
export function answerFromReplicas(
  app: FastifyInstance,
  { replicas, mayRead }: { replicas: Replicas; mayRead: (request: FastifyRequest) => boolean },
): void {
  // After the body was read: what is asked from its stream would not know for whom.
  app.addHook('preHandler', (request, _reply, done) => {
    if (!mayRead(request)) return done();
    const brought = request.headers[header];
    if (typeof brought !== 'string') return replicas.inRequest(null, done);
    void readFor(brought, done);
  });
  const readFor = async (brought: string, done: (error?: Error) => void) => {
    const seen = replicas.readPosition(brought);
    await replicas.catchUpTo(seen);
    replicas.inRequest(seen, done);
  };
  app.addHook('onSend', async (request, reply) => {
    if (request.method === 'GET' || request.method === 'HEAD' || mayRead(request)) return;
    reply.header(header, await replicas.sealedPosition());
  });
}
