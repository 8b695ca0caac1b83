import fastify, { type FastifyBaseLogger, LogController } from 'fastify';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { type RequestLog, logRequests } from './request-log.ts';

/** What is written down about these requests. */
async function linesOf(options: RequestLog, urls: readonly string[]) {
  const lines: string[] = [];
  const loggerInstance: FastifyBaseLogger = pino({ level: 'info' }, { write: (line: string) => void lines.push(line) });
  const app = fastify({ loggerInstance, logController: new LogController({ disableRequestLogging: true }) });
  logRequests(app, options);
  app.get('/status/:status', (request, reply) => reply.code(Number((request.params as { status: string }).status)).send('x'));
  for (const url of urls) await app.inject({ url, remoteAddress: '203.0.113.9' });
  await app.close();
  return lines.map((line) => ({ ...JSON.parse(line), bytes: Buffer.byteLength(line) }));
}
const usual = { share: 0, slowMs: 600_000 };
const times = (count: number, url: string) => Array.from({ length: count }, () => url);

test('every request that fails is written down, in one line that says which, whose and what became of it', async () => {
  const lines = await linesOf(usual, ['/status/200', '/status/404?q=x', '/status/302', '/status/503', '/nowhere']);
  expect(lines.map(({ url, status }) => [url, status])).toEqual([
    ['/status/404?q=x', 404],
    ['/status/503', 503],
    ['/nowhere', 404],
  ]);
  expect(lines[0]).toMatchObject({
    method: 'GET',
    host: 'localhost:80',
    remoteAddress: '203.0.113.9',
    reqId: expect.any(String),
    ms: expect.any(Number),
    msg: 'answered',
  });
});

test.each([
  [0, 0],
  [0.25, 5],
  [1, 20],
])('of those that succeed a share of %d is written down: %i of 20', async (share, written) => {
  expect(await linesOf({ ...usual, share }, times(20, '/status/200'))).toHaveLength(written);
});

test('what fails does not count towards the share of what succeeds', async () => {
  const lines = await linesOf({ ...usual, share: 0.5 }, ['/status/200', ...times(3, '/status/500'), '/status/200']);
  expect(lines.map(({ status }) => status)).toEqual([500, 500, 500, 200]);
});

test('what is slow is written down, too', async () => {
  expect(await linesOf({ share: 0, slowMs: 0 }, times(3, '/status/200'))).toHaveLength(3);
});

test('a line takes less than half of the 691 bytes that two took', async () => {
  const [line] = await linesOf({ ...usual, share: 1 }, ['/status/200?region=otago&category=plumbing&page=2']);
  expect(line?.bytes).toBeLessThan(345);
});
