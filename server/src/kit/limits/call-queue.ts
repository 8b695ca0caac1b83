import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { FairQueue } from './fair-queue.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Ends the call's place in the queue before its response is sent, as for a stream. */
    endTask: (() => void) | null;
  }
}

/**
 * Limits how many calls of one network are worked on at a time, so that others find database connections free. Forms with files are left out: they
 * arrive as slowly as the client's connection, and have limits of their own.
 */
export function queueCalls(api: FastifyInstance, queue: FairQueue, isInternal: (request: FastifyRequest) => boolean) {
  api.decorateRequest('endTask', null);

  api.addHook('onRequest', async (request) => {
    // A call of a page runs within the page's task.
    if (request.network === null || isInternal(request) || isForm(request)) return;
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

const isForm = ({ headers }: FastifyRequest) => headers['content-type']?.startsWith('multipart/') ?? false;
