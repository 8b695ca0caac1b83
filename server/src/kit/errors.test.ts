import fastify from 'fastify';
import { serializerCompiler, validatorCompiler } from 'fastify-type-provider-zod';
import { pino } from 'pino';
import { afterAll, expect, test } from 'vitest';
import { z } from 'zod';
import { type ErrorCode, errors, formatTooMany } from '@handwise/contract/errors';
import { AppError, handleError, handleNotFound, invalidField } from './errors.ts';

const logged: string[] = [];
const app = fastify({ loggerInstance: pino({ level: 'warn' }, { write: (line: string) => void logged.push(line) }), bodyLimit: 1_000 });
app.setValidatorCompiler(validatorCompiler);
app.setSerializerCompiler(serializerCompiler);
app.setErrorHandler(handleError);
app.setNotFoundHandler(handleNotFound);
afterAll(() => app.close());

let thrown: unknown;
app.get('/throw', () => {
  throw thrown;
});
app.post('/form', { schema: { body: z.strictObject({ name: z.string('Name is required'), age: z.int('Age is required') }) } }, () => 'ok');

async function answerTo(error: unknown) {
  thrown = error;
  logged.length = 0;
  const { statusCode, headers, ...answer } = await app.inject('/throw');
  return { status: statusCode, headers, body: answer.json() };
}
const ofStatus = (statusCode: number, more: object = {}) => Object.assign(new Error('secret words'), { statusCode, ...more });

test.each([
  [400, 400, 'malformed_request'],
  [403, 403, 'forbidden'],
  [404, 404, 'route_not_found'],
  [413, 413, 'body_too_large'],
  [415, 415, 'unsupported_media_type'],
  [418, 400, 'malformed_request'],
  [429, 429, 'too_many_requests'],
  [499, 400, 'malformed_request'],
  [500, 500, 'internal'],
  [502, 500, 'internal'],
  [503, 503, 'unavailable'],
  [399, 500, 'internal'],
])('answers a framework error with status %i as %i %s, without its message', async (original, status, code) => {
  const answer = await answerTo(ofStatus(original));
  expect([answer.status, answer.body.code, answer.body.errors]).toEqual([status, code, []]);
  expect(JSON.stringify(answer.body)).not.toContain('secret words');
});

const errorCodes = Object.keys(errors) as ErrorCode[];

test('answers an unexpected error as 500 without its message, and logs it in full', async () => {
  const { status, headers, body } = await answerTo(new TypeError('secret words'));
  expect([status, headers['cache-control'], body.code, body.message]).toEqual([
    500,
    'no-store',
    'internal',
    'An unexpected error occurred',
  ]);
  expect(body.requestId).toMatch(/./);
  expect(JSON.stringify(body)).not.toContain('secret');
  expect(logged).toHaveLength(1);
  expect(logged[0]).toContain('secret words');
});

test('does not log expected errors, even with a status of 500 and above', async () => {
  for (const error of [new AppError('busy', { retryAfterSeconds: 2 }), new AppError('not_authenticated'), ofStatus(404)]) {
    await answerTo(error);
    expect(logged).toEqual([]);
  }
});

test('answers 503 with Retry-After and logs the error if the database does not answer', async () => {
  const { status, headers, body } = await answerTo(Object.assign(new Error('connect'), { code: 'ECONNREFUSED' }));
  expect([status, body.code, headers['retry-after']]).toEqual([503, 'unavailable', '2']);
  expect(logged).toHaveLength(1);
});

test.each(['ECONNREFUSED', 'EHOSTUNREACH', '57P01', '57014', '25P03', '08006', '53200', '53300', '25006'])(
  'an error %s of the way to the database is 503, never 500',
  async (code) => {
    expect((await answerTo(Object.assign(new Error('x'), { code }))).status).toBe(503);
  },
);

test.each([
  'Connection terminated due to connection timeout',
  'timeout expired',
  'Query read timeout',
  'Client has encountered a connection error and is not queryable',
  'Postgres connection has been discarded',
  'Cannot use a pool after calling end on the pool',
  'driver has already been destroyed',
])('answers a lost connection (“%s”) as 503', async (message) => {
  expect((await answerTo(new Error(message))).status).toBe(503);
});

test.each(['53100', 'ENOSPC'])('no room on a disk (%s) is 507, with when to come back, and is logged', async (code) => {
  const { status, headers, body } = await answerTo(Object.assign(new Error('full'), { code }));
  expect([status, body.code, headers['retry-after'], logged.length]).toEqual([507, 'database_full', '60', 1]);
});

test.each(errorCodes.filter((code) => [503, 507].includes(errors[code].status)))('%s has a Retry-After header', async (code) => {
  expect((await answerTo(new AppError(code))).headers['retry-after']).toMatch(errors[code].status === 507 ? /^60$/ : /^\d+$/);
});

test('does not answer a wrong statement as unavailable', async () => {
  for (const code of ['42601', '25001', '530', '5310', 'X53100', '57P04'])
    expect((await answerTo(Object.assign(new Error('x'), { code }))).status).toBe(500);
});

test('sends Retry-After in whole seconds, rounded up, if there is a wait', async () => {
  const { status, headers, body } = await answerTo(new AppError('too_many_requests', { retryAfterSeconds: 41.2 }));
  expect([status, headers['retry-after'], body.message]).toEqual([429, '42', 'Too many attempts. Please try again in 42 seconds.']);
  expect((await answerTo(new AppError('forbidden'))).headers).not.toHaveProperty('retry-after');
  expect((await answerTo(new AppError('too_many_requests'))).body.message).toBe('Too many attempts. Please wait a moment and try again.');
});

test('uses the only field error as the message, and lists several under a general one', async () => {
  const one = await answerTo(invalidField('name', 'Name is required'));
  expect(one.status).toBe(400);
  expect(one.body).toMatchObject({
    code: 'invalid_input',
    message: 'Name is required',
    errors: [{ field: 'name', message: 'Name is required' }],
  });
  const fields = [
    { field: 'name', message: 'Name is required' },
    { field: 'age', message: 'Age is required' },
  ];
  const two = await answerTo(new AppError('invalid_input', { fields }));
  expect(two.body).toMatchObject({ message: 'Please check the marked fields.', errors: fields });
  expect((await answerTo(new AppError('card_declined', { message: 'Your card is lost.' }))).body.message).toBe('Your card is lost.');
});

test('names each invalid field, also an unknown one', async () => {
  const post = async (payload: object) => (await app.inject({ method: 'POST', url: '/form', payload })).json();
  expect((await post({})).errors).toEqual([
    { field: 'name', message: 'Name is required' },
    { field: 'age', message: 'Age is required' },
  ]);
  expect((await post({ name: 'Mere', age: 40, role: 'admin' })).errors).toEqual([{ field: 'role', message: 'There is no such parameter' }]);
});

test('answers an unknown URL as 404 in the same shape', async () => {
  const answer = await app.inject('/nowhere');
  expect([answer.statusCode, answer.json()]).toEqual([
    404,
    { message: 'There is nothing at this address.', code: 'route_not_found', errors: [], requestId: expect.any(String) },
  ]);
});

test.each([
  [0.2, '1 second'],
  [1, '1 second'],
  [1.1, '2 seconds'],
  [90, '90 seconds'],
  [91, '2 minutes'],
  [120.5, '3 minutes'],
  [900, '15 minutes'],
])('describes %d seconds as %s', (seconds, text) => {
  expect(formatTooMany(seconds)).toBe(`Too many attempts. Please try again in ${text}.`);
});

test.each([
  ['payment_provider_refused', 500, [50]],
  ['payment_provider_unavailable', 503, [40]],
  ['card_declined', 402, []],
] as const)('logs the details of %s unless the client caused it, and never answers them', async (code, status, levels) => {
  const answer = await answerTo(new AppError(code, { log: { requestId: 'req_of_theirs' } }));
  expect([answer.status, JSON.stringify(answer.body).includes('req_of_theirs')]).toEqual([status, false]);
  const lines = logged.map((line) => JSON.parse(line));
  expect(lines.map(({ level, because }) => [level, because])).toEqual(levels.map((level) => [level, { requestId: 'req_of_theirs' }]));
});
