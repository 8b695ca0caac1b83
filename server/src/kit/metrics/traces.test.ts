import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { type IncomingMessage, type ServerResponse, createServer } from 'node:http';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import fastify from 'fastify';
import { expect, test } from 'vitest';
import { openTraces } from './traces.ts';

type Span = { name: string; traceId: string; attributes: { key: string; value: { stringValue?: string } }[] };
type Sent = { resourceSpans: { scopeSpans: { spans: Span[] }[] }[] };

/** The spans that a collector receives for some requests. */
async function spansOf(share: number) {
  const spans: Span[] = [];
  const addresses = new Set<string | undefined>();
  const take = async (request: IncomingMessage, response: ServerResponse) => {
    addresses.add(request.url);
    const { resourceSpans } = (await json(request)) as Sent;
    spans.push(...resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans)));
    response.setHeader('content-type', 'application/json').end('{}');
  };
  const collector = createServer((request, response) => void take(request, response));
  collector.listen(0, '127.0.0.1');
  await once(collector, 'listening');
  const bound = collector.address();
  const traces = await openTraces({ endpoint: `http://127.0.0.1:${typeof bound === 'object' ? bound?.port : 0}`, share });
  const app = fastify();
  await app.register(traces.plugin);
  app.get('/listing/:id', () => 'x');
  const traceId = '0af7651916cd43dd8448eb211c80319c';
  for (const id of [1, 2, 3, 4])
    await app.inject({ url: `/listing/${id}?token=aB3`, headers: { traceparent: `00-${traceId}-b7ad6b7169203331-01` } });
  await app.close();
  await traces.close();
  collector.close();
  collector.closeAllConnections();
  return { spans, addresses, traceId };
}
const routeOf = ({ attributes }: Span) => attributes.find(({ key }) => key === 'http.route')?.value.stringValue;

test('traces requests by route template, ignores trace ids of clients, and sends all before the process ends', async () => {
  const { spans, addresses, traceId } = await spansOf(1);
  expect([...addresses]).toEqual(['/v1/traces']);
  const requests = spans.filter((span) => routeOf(span) !== undefined);
  expect(new Set(requests.map(routeOf))).toEqual(new Set(['/listing/:id']));
  expect(JSON.stringify(spans)).toContain('/listing/1?token=[removed]');
  expect(JSON.stringify(spans)).not.toContain('aB3');
  const traced = new Set(spans.map((span) => span.traceId));
  expect([traced.size, traced.has(traceId)]).toEqual([4, false]);
});

test('sends nothing with a share of 0', async () => {
  expect((await spansOf(0)).spans).toEqual([]);
});

test('a collector that does not answer does not delay the end of the process', async () => {
  const nobody = createServer(() => {});
  nobody.listen(0, '127.0.0.1');
  await once(nobody, 'listening');
  const bound = nobody.address();
  const traces = await openTraces({ endpoint: `http://127.0.0.1:${typeof bound === 'object' ? bound?.port : 0}`, share: 1 });
  const app = fastify();
  await app.register(traces.plugin);
  app.get('/', () => 'x');
  await app.inject('/');
  await app.close();
  // Without the limit it would wait longer than a test may take.
  expect(
    await traces.close().then(
      () => 'ended',
      () => 'ended',
    ),
  ).toBe('ended');
  nobody.close();
  nobody.closeAllConnections();
});

test('loads no tracing libraries if traces are off', () => {
  const serve = join(import.meta.dirname, '../../serve.ts');
  const script = `await import(${JSON.stringify(serve)}); const { createRequire } = await import('node:module');
    const loaded = Object.keys(createRequire(${JSON.stringify(serve)}).cache);
    console.log(JSON.stringify([loaded.length > 100, loaded.filter((file) => /@fastify.otel|@opentelemetry.(?!api)/.test(file))])); process.exit(0);`;
  const output = execFileSync(process.execPath, ['--input-type=module', '-e', script], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  expect(JSON.parse(output)).toEqual([true, []]);
});
