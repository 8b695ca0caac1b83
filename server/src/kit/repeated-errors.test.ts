import { type Logger, pino } from 'pino';
import { expect, onTestFinished, test, vi } from 'vitest';
import { limitRepeatedErrors } from './repeated-errors.ts';

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
  logger.warn({ err: refused() }, 'the job queue reports an error');
  logger.warn({ err: Object.assign(new Error('ended'), { code: '57P01' }) }, 'the job queue reports an error');
  expect(lines.map(({ msg, repeated }) => [msg, repeated])).toEqual([
    ['request failed', undefined],
    ['the job queue reports an error', undefined],
    ['the job queue reports an error', undefined],
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
