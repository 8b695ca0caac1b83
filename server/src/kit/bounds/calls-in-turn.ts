import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { OnBehalf } from './bounds.ts';
import type { Turns } from './turns.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Gives the turn of a call on. By itself that happens when its answer is sent; whoever sends it otherwise says when. */
    endTurn: (() => void) | null;
  }
}

/**
 * Of one network only so many calls are worked on at a time, so that others find connections to the database free. Forms with files take no turn:
 * they come as slowly as somebody's line, and have bounds of their own.
 */
export function takeCallsInTurn(api: FastifyInstance, turns: Turns, onBehalf: OnBehalf) {
  api.decorateRequest('endTurn', null);

  api.addHook('onRequest', async (request) => {
    const { by, isCharged } = onBehalf(request);
    // A call from a page has the page's turn.
    if (by === null || !isCharged || isForm(request)) return;
    const ended = Promise.withResolvers<void>();
    request.endTurn = ended.resolve;
    await new Promise<void>((begin, refuse) => {
      const turn = () => {
        begin();
        return ended.promise;
      };
      turns.run(turn, { by }).catch(refuse);
    });
  });

  // How long it takes to send is up to whoever reads it.
  api.addHook('onSend', async (request) => request.endTurn?.());
}

const isForm = ({ headers }: FastifyRequest) => headers['content-type']?.startsWith('multipart/') ?? false;
