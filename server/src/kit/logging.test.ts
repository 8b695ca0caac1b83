import fastify, { type FastifyBaseLogger, LogController } from 'fastify';
import { pino, type Logger } from 'pino';
import { expect, test, onTestFinished, vi } from 'vitest';
import { type RequestLog, addRequestLog, limitRepeatedErrors, toLoggedError, toLoggedRequest } from './logging.ts';

/** The log lines of these requests. */
async function linesOf(options: RequestLog, urls: readonly string[]) {
  const lines: string[] = [];
  const loggerInstance: FastifyBaseLogger = pino({ level: 'info' }, { write: (line: string) => void lines.push(line) });
  const app = fastify({ loggerInstance, logController: new LogController({ disableRequestLogging: true }) });
  addRequestLog(app, options);
  app.get('/status/:status', (request, reply) => reply.code(Number((request.params as { status: string }).status)).send('x'));
  for (const url of urls) await app.inject({ url, remoteAddress: '203.0.113.9' });
  await app.close();
  return lines.map((line) => ({ ...JSON.parse(line), bytes: Buffer.byteLength(line) }));
}
const usual = { share: 0, slowMs: 600_000 };
const times = (count: number, url: string) => Array.from({ length: count }, () => url);

test('logs every failed request in one line with its id, client and status', async () => {
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
])('logs a share of %d of the successful requests: %i of 20', async (share, written) => {
  expect(await linesOf({ ...usual, share }, times(20, '/status/200'))).toHaveLength(written);
});

test('failed requests do not count towards the share', async () => {
  const lines = await linesOf({ ...usual, share: 0.5 }, ['/status/200', ...times(3, '/status/500'), '/status/200']);
  expect(lines.map(({ status }) => status)).toEqual([500, 500, 500, 200]);
});

test('logs slow requests', async () => {
  expect(await linesOf({ share: 0, slowMs: 0 }, times(3, '/status/200'))).toHaveLength(3);
});

test('a line is shorter than 346 bytes', async () => {
  const [line] = await linesOf({ ...usual, share: 1 }, ['/status/200?region=otago&category=plumbing&page=2']);
  expect(line?.bytes).toBeLessThan(345);
});

test.each([
  ['/api/search?near=-37.78712,175.27931&km=5', '/api/search?near=-37.78,175.27&km=5'],
  ['/search?q=plumber&near=-37%2E78712%2C175.279', '/search?q=plumber&near=-37%2E78%2C175.27'],
  ['/search?NEAR=-37.78712,175.27931', '/search?NEAR=-37.78,175.27'],
  ['/search?near=-37.78,175.27', '/search?near=-37.78,175.27'],
  ['/search?near=Hamilton&maxPrice=1.5555', '/search?near=Hamilton&maxPrice=1.5555'],
  ['/auth/reset?token=aB3-_x', '/auth/reset?token=[removed]'],
  ['/auth/verify.data?a=1&Token=aB3&b=2', '/auth/verify.data?a=1&Token=[removed]&b=2'],
  ['/auth/verify?%74oken=aB3', '/auth/verify?%74oken=[removed]'],
  ['/auth/verify?token=a=b?c&token=d', '/auth/verify?token=[removed]&token=[removed]'],
  ['/auth/login?redirect=%2Fdecision%3Ftoken%3DaB3', '/auth/login?redirect=%2Fdecision%3Ftoken%3D[removed]'],
  [
    '/addList?payment_intent=pi_1&payment_intent_client_secret=pi_1_secret_2',
    '/addList?payment_intent=pi_1&payment_intent_client_secret=[removed]',
  ],
  ['/search?q=token&x=%ZZ', '/search?q=token&x=%ZZ'],
  ['/listing/1', '/listing/1'],
])('logs %s as %s, without secrets and exact positions', (url, logged) => {
  expect(toLoggedRequest({ method: 'GET', url, host: 'handwise.example', ip: '192.0.2.1' })).toEqual({
    method: 'GET',
    url: logged,
    host: 'handwise.example',
    remoteAddress: '192.0.2.1',
  });
});

function open() {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const lines: { level: number; msg: string; repeated?: number; id?: string; err?: { code?: string } }[] = [];
  const logger: Logger = pino(
    { hooks: { logMethod: limitRepeatedErrors() } },
    { write: (line: string) => void lines.push(JSON.parse(line)) },
  );
  return { lines, logger };
}
const refused = () => Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:5432'), { code: 'ECONNREFUSED' });

test('logs an unreachable database once a minute per cause, with the number of repeats', () => {
  const { lines, logger } = open();
  for (let count = 0; count < 500; count += 1) logger.child({ id: `${count}` }).error({ err: refused() }, 'request failed');
  logger.warn({ err: refused() }, 'the job queue has an error');
  logger.warn({ err: Object.assign(new Error('ended'), { code: '57P01' }) }, 'the job queue has an error');
  expect(lines.map(({ msg, repeated }) => [msg, repeated])).toEqual([
    ['request failed', undefined],
    ['the job queue has an error', undefined],
    ['the job queue has an error', undefined],
  ]);
  vi.advanceTimersByTime(60_000);
  expect(lines.slice(3)).toMatchObject([{ level: 50, msg: 'request failed', repeated: 499, err: { code: 'ECONNREFUSED' } }]);
  logger.error({ err: refused() }, 'request failed');
  expect(lines).toHaveLength(5);
});

test('logs every other error, and every line without one', () => {
  const { lines, logger } = open();
  for (let count = 0; count < 3; count += 1) {
    logger.error({ err: new Error('a bug') }, 'request failed');
    logger.info({ status: 503 }, 'answered');
    logger.info('ready');
  }
  expect(lines).toHaveLength(9);
});

test('an error of the database is logged without its connection', () => {
  const error = Object.assign(new Error('terminated'), { code: '57P01', client: { port: 5432 } });
  const logged = toLoggedError(error);
  expect(logged).toMatchObject({ type: 'Error', message: 'terminated', code: '57P01', stack: expect.stringContaining('terminated') });
  expect(logged).not.toHaveProperty('client');
});
