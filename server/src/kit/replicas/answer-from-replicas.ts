import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Replicas } from './replicas.ts';

/** Lets replicas answer the requests that `mayRead` accepts. */
export function answerFromReplicas(
  app: FastifyInstance,
  { replicas, mayRead }: { replicas: Replicas; mayRead: (request: FastifyRequest) => boolean },
): void {
  // After the body is read, because work started from its stream would lose the request's context.
  app.addHook('preHandler', (request, _reply, done) => (mayRead(request) ? replicas.inRequest(done) : done()));
}
