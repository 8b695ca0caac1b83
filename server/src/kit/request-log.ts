import type { FastifyInstance } from 'fastify';
import { loggedRequest } from './logged-request.ts';

export type RequestLog = {
  /** How many of the requests that succeed at their usual speed are written down: 0 none, 1 all. */
  share: number;
  /** From so many milliseconds on a request is slow, and written down whatever became of it. */
  slowMs: number;
};

/**
 * One line for a request, when it is answered: for every one that failed or was slow, and for a share of the others. Figures of all of them are in the metrics; what
 * went wrong within one has a line of its own under the same id.
 */
export function logRequests(app: FastifyInstance, { share, slowMs }: RequestLog): void {
  // Not by chance: so many of a row, however short it is.
  let due = 0;
  app.addHook('onResponse', (request, reply, done) => {
    const { statusCode: status, elapsedTime } = reply;
    let isWritten = status >= 400 || elapsedTime >= slowMs;
    if (!isWritten) {
      due += share;
      isWritten = due >= 1;
      if (isWritten) due -= 1;
    }
    if (isWritten) request.log.info({ ...loggedRequest(request), status, ms: Math.round(elapsedTime) }, 'answered');
    done();
  });
}
