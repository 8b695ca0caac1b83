import { expect, test } from 'vitest';
import { testApp } from './app.ts';
import { checkAgainstDescription } from './described-answers.ts';

const { app, besides, callers } = await testApp();

// The router decodes the path, but the requested text is compared with the description, so the call counts as not described.
test.each(['/plan/%61ll', '/%63onfig'])('a call that the API page does not describe fails the test that asks for it: %s', async (path) => {
  const refused = `GET /api${path} answered 200 application/json, and the API page describes no such call`;
  await expect(app.inject(`/api${path}`)).rejects.toThrow(refused);
  await expect(callers.asVisitor.get(path)).rejects.toThrow(refused);
  const beside = await besides();
  await expect(beside.inject(`/api${path}`)).rejects.toThrow(refused);
  await beside.close();
});

const json = { 'content-type': 'application/json; charset=utf-8' };
const known = { 200: { content: { 'application/json': {} } } };
const description = { '/api/known/{id}': { get: { responses: known }, post: { responses: known } } };
const found = new Set(['/api/forgotten', '/api/docs/page', '/page']);

/** The responses of a separate app, whatever its description says. */
function answerOf(method: string, path: string) {
  const id = /^\/api\/known\/(\w+)$/.exec(path)?.[1];
  if (id === 'text') return { statusCode: 200, headers: { 'content-type': 'text/plain' }, body: 'text' };
  if (id === '304') return { statusCode: 304, headers: {}, body: '' };
  if (path === '/api/openapi.json') return { statusCode: 200, headers: json, body: '', json: () => ({ paths: description }) };
  const statusCode = id && method !== 'DELETE' ? Number(id) : found.has(path) ? 200 : 404;
  const body = statusCode === 404 ? '{"code":"route_not_found"}' : '{}';
  return { statusCode, headers: json, body: method === 'HEAD' ? '' : body };
}

const inject = ({ method = 'GET', url }: { method?: string; url: string }) =>
  Promise.resolve(answerOf(method, new URL(url, 'http://localhost').pathname));
const own = { inject } as unknown as typeof app;
checkAgainstDescription(own, 'an app of its own', own.inject);

test.each([
  ['GET', '/api/known/418', 'GET /api/known/{id} answered 418 application/json'],
  ['GET', '/api/known/text', 'GET /api/known/{id} answered 200 text/plain'],
  ['GET', '/api/forgotten?of=us', 'GET /api/forgotten answered 200 application/json'],
  ['HEAD', '/api/forgotten', 'HEAD /api/forgotten answered 200 application/json'],
] as const)('%s %s: what the description does not have is an error', async (method, url, message) => {
  await expect(own.inject({ method, url })).rejects.toThrow(message);
});

test.each([
  ['GET', '/api/known/200', 200],
  ['GET', '/api/known/304', 304],
  ['HEAD', '/api/known/200', 200],
  ['DELETE', '/api/known/200', 404],
  ['HEAD', '/api/nothing', 404],
  ['GET', '/api/nothing', 404],
  ['GET', '/api/docs/page', 200],
  ['GET', '/page', 200],
] as const)('%s %s is answered as it was', async (method, url, status) => {
  expect((await own.inject({ method, url })).statusCode).toBe(status);
});
