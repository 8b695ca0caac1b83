import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Replicas } from './replicas.ts';

// Sent with the response to a write, and by the client with its next requests.
const header = 'handwise-position';

/** Answers the requests that `mayRead` accepts from replicas, and gives each client that may have written the database's position after that. */
export function answerFromReplicas(
  app: FastifyInstance,
  { replicas, mayRead }: { replicas: Replicas; mayRead: (request: FastifyRequest) => boolean },
): void {
  // After the body is read, because work started from its stream would lose the request's context.
  app.addHook('preHandler', (request, _reply, done) => {
    if (!mayRead(request)) return done();
    const position = request.headers[header];
    if (typeof position !== 'string') return replicas.inRequest(null, done);
    void readFor(position, done);
  });
  const readFor = async (sealed: string, done: (error?: Error) => void) => {
    const seen = replicas.readPosition(sealed);
    await replicas.catchUpTo(seen);
    replicas.inRequest(seen, done);
  };
  app.addHook('onSend', async (request, reply) => {
    if (request.method === 'GET' || request.method === 'HEAD' || mayRead(request)) return;
    reply.header(header, await replicas.sealedPosition());
  });
}
