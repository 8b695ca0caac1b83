import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { FairQueue } from './fair-queue.ts';
import { isForm } from './unfinished-bodies.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Ends the call's place in the queue before its response is sent, as for a stream. */
    endTask: (() => void) | null;
  }
}

/**
 * Limits how many calls of one network are worked on at a time, so that others find database connections free. A call takes its place once its body is
 * complete and no cached response answers it. Forms with files are left out: they arrive as slowly as the client's connection, and have limits of their
 * own.
 */
export function queueCalls(api: FastifyInstance, queue: FairQueue, isExempt: (request: FastifyRequest) => boolean) {
  api.decorateRequest('endTask', null);

  api.addHook('preHandler', async (request) => {
    if (request.network === null || isExempt(request) || isForm(request)) return;
    const ended = Promise.withResolvers<void>();
    request.endTask = ended.resolve;
    await new Promise<void>((start, reject) => {
      const task = () => {
        start();
        return ended.promise;
      };
      queue.run(task, request.network).catch(reject);
    });
  });

  // Sending may take as long as the client likes.
  api.addHook('onSend', async (request) => request.endTask?.());
}
