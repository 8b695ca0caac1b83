import { once } from 'node:events';
import { type ServerResponse, createServer } from 'node:http';
import { type MetricsAccess, canReadMetrics } from './metrics-routes.ts';
import type { Metrics } from './metrics.ts';

const answer = (response: ServerResponse, status: number, type: string, body: string) =>
  response.writeHead(status, { 'content-type': type, 'cache-control': 'no-store', connection: 'close' }).end(body);
const respond = (response: ServerResponse, status: number, text: string) =>
  answer(response, status, 'application/json; charset=utf-8', JSON.stringify({ status: text }));

/** Liveness, readiness and metrics of a process without an HTTP server, at the same URLs as those of a server. */
export async function openHealthServer(options: {
  port: number;
  host: string;
  isReady: () => Promise<boolean>;
  metrics: Metrics;
  access: MetricsAccess;
}): Promise<{ port: number; close(): Promise<void> }> {
  const { isReady, metrics, access } = options;
  const server = createServer((request, response) => {
    void (async () => {
      const path = request.url?.split('?', 1)[0];
      if (path === '/api/live') return respond(response, 200, 'ok');
      if (path === '/api/health') return (await isReady()) ? respond(response, 200, 'ok') : respond(response, 503, 'unavailable');
      if (path !== '/metrics' || !canReadMetrics(request, access)) return respond(response, 404, 'not found');
      return answer(response, 200, metrics.contentType, await metrics.text());
    })();
  });
  server.listen(options.port, options.host);
  await once(server, 'listening');
  const bound = server.address();
  return {
    port: typeof bound === 'object' ? (bound?.port ?? 0) : 0,
    async close() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}
