import compress from '@fastify/compress';
import fastify from 'fastify';
import { serializerCompiler, validatorCompiler } from 'fastify-type-provider-zod';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { listPlansCall } from '@handwise/contract/plans/calls';
import { http, strictSerializerCompiler } from './http.ts';

test('the hooks that plugins add to one app’s routes do not reach the routes of the next app', async () => {
  const guardsBefore = http(listPlansCall).preParsing.length;
  for (let apps = 0; apps < 3; apps += 1) {
    const app = fastify();
    app.setValidatorCompiler(validatorCompiler);
    app.setSerializerCompiler(serializerCompiler);
    // It adds hooks to the arrays in each route's options.
    await app.register(compress);
    app.route({ ...http(listPlansCall), handler: async () => [] as never });
    await app.ready();
    await app.close();
  }
  expect(http(listPlansCall).preParsing).toHaveLength(guardsBefore);
});

const send = strictSerializerCompiler({ schema: z.object({ name: z.string() }), method: 'GET', url: '/people' });

test('sends a response that matches its schema', () => {
  expect(send({ name: 'Mere', nothing: undefined })).toBe('{"name":"Mere"}');
});

test.each([
  ['of another type', { name: 7 }, "Response doesn't match the schema"],
  ['with a field too many', { name: 'Mere', email: 'mere@example.org' }, 'GET /people gave an answer that does not match its schema'],
])('rejects a response %s', (_, answer, words) => {
  expect(() => send(answer)).toThrow(words);
});
