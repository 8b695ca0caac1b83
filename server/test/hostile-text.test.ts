import { sql } from 'kysely';
import { expect, test } from 'vitest';
import type { Call } from '@handwise/contract/call';
import { testApp } from '@handwise/sandbox/testing/app';
import { getBusyMs } from '@handwise/sandbox/testing/busy-time';
import { type Field, listFields, makeCall, createSample } from '@handwise/sandbox/testing/call-samples';
import { contractCalls } from '@handwise/sandbox/testing/calls';
import { testSite } from '@handwise/sandbox/testing/site';
import { tools } from '../src/mcp/mcp.tools.ts';

const { app, db, given, callers, parts } = await testApp({}, await testSite());
const { asVisitor, from } = callers;

const calls = await contractCalls();

const hostile = {
  NUL: (text: string) => `${text}\0${text}`,
  'the half of a character': (text: string) => `${text}\ud800${text}`,
  'a direction override': (text: string) => `${text}\u202e${text}`,
  'an escape character': (text: string) => `${text}\u001b${text}`,
  'nothing to be seen': () => '\u200b\u200b',
};
const parametersOf = ({ input }: (typeof tools)[number]): Field[] =>
  Object.entries(input.shape).map(([name, schema]) => ({ place: 'body', name, schema: schema as Field['schema'] }));
const named = [
  ...calls.flatMap((call) => listFields(call).map((field) => [`${call.method} ${call.url} ${field.place}.${field.name}`, field] as const)),
  ...tools.flatMap((tool) => parametersOf(tool).map((field) => [`the tool ${tool.name}, ${field.name}`, field] as const)),
];

const textsIn = (value: unknown): string[] => {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
};
const doesHarm = (text: string) =>
  !text.isWellFormed() || ['\0', '\u001b', '\u202e'].some((char) => text.includes(char)) || /^\u200b+$/.test(text);

test.each(named)('%s rejects harmful text', (_, field) => {
  const carrier = [createSample(field) ?? 'x'].flat()[0] ?? 'x';
  for (const spoil of Object.values(hostile)) {
    for (const value of [spoil(carrier), [spoil(carrier)], JSON.stringify([spoil('x')])]) {
      expect(textsIn(field.schema.safeParse(value).data).filter(doesHarm)).toEqual([]);
    }
  }
});

const repeated = ['1-', 'a@', ' ', '.', '[', '(', '0', '-', '_', 'a.', '<', '//', '\u0101 '];

test.each(named)('%s reads repeated characters without delay', (_, field) => {
  const slow = repeated.filter((piece) =>
    [100, 2_000, 10_000].some((length) => {
      const text = piece.repeat(length / piece.length);
      let shortest = Infinity;
      // The shortest of some runs. Quadratic time takes half a second.
      for (let run = 0; run < 3 && shortest > 250; run += 1) {
        const startedAt = getBusyMs();
        field.schema.safeParse(text);
        field.schema.safeParse([text]);
        shortest = Math.min(shortest, getBusyMs() - startedAt);
      }
      return shortest > 250;
    }),
  );
  expect(slow).toEqual([]);
});

test('covers every call of the server', async () => {
  const { body } = await asVisitor.get('/openapi.json');
  const offered = Object.entries<object>(body.paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path.replace(/^\/api/, '').replaceAll(/\{(\w+)\}/g, ':$1')}`),
  );
  const walked = new Set(calls.map((call) => `${call.method} ${call.url}`));
  expect(offered.length).toBeGreaterThan(20);
  expect(offered.filter((one) => !walked.has(one))).toEqual([]);
});

let requests = 0;
function send(call: Call, values: ReadonlyMap<Field, unknown>, token: string) {
  requests += 1;
  // Each from its own network, so that no rate limit answers instead.
  return makeCall(from(`198.51.${Math.floor(requests / 250)}.${requests % 250}`, { authorization: `Bearer ${token}` }), call, values);
}

test.each(calls.map((call) => [`${call.method} ${call.url}`, call] as const))(
  '%s answers hostile texts without a fault of its own',
  async (_, call) => {
    const { token } = await given.user();
    const fields = listFields(call);
    const samples = new Map(fields.map((field) => [field, createSample(field)] as const));
    for (const field of fields) {
      const carrier = [samples.get(field) ?? 'x'].flat()[0] ?? 'x';
      for (const [kind, spoil] of Object.entries(hostile)) {
        const values = new Map<Field, unknown>([...samples, [field, spoil(carrier)]]);
        const { status } = await send(call, values, token);
        expect({ field: `${field.place}.${field.name}`, kind, status }).toMatchObject({
          status: expect.toSatisfy((code: number) => code < 500),
        });
      }
    }
  },
);

const asText = (value: unknown) => JSON.stringify(value);
/** Sends one MCP message from its own network. */
function callTool(name: string, args: unknown) {
  requests += 1;
  return app.inject({
    method: 'POST',
    url: '/mcp',
    remoteAddress: `198.51.${Math.floor(requests / 250)}.${requests % 250}`,
    headers: { accept: 'application/json, text/event-stream', 'content-type': 'application/json' },
    payload: asText({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } }),
  });
}
const rowsOf = async () => {
  const { rows } = await sql<{ table: string; total: string }>`
    select relname as table, (xpath('/row/n/text()', query_to_xml(format('select count(*) as n from %I', relname), false, true, '')))[1]::text as total
    from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r' order by relname`.execute(db);
  return rows;
};

test('covers every parameter of every MCP tool', async () => {
  const answer = await app.inject({
    method: 'POST',
    url: '/mcp',
    headers: { accept: 'application/json, text/event-stream', 'content-type': 'application/json' },
    payload: asText({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
  });
  const offered: { name: string; inputSchema: { properties?: object } }[] = answer.json().result.tools;
  expect(offered.map(({ name, inputSchema }) => [name, Object.keys(inputSchema.properties ?? {})])).toEqual(
    tools.map((tool) => [tool.name, parametersOf(tool).map(({ name }) => name)]),
  );
  expect(offered.flatMap(({ inputSchema }) => Object.keys(inputSchema.properties ?? {})).length).toBeGreaterThan(40);
});

// SQL and scripts are ordinary texts here; values that are not texts are rejected.
const foreign: Record<string, unknown> = {
  SQL: `x'; drop table listings; --`,
  'SQL that is always true': `' or 1=1 --`,
  script: '<script>alert(1)</script>',
  'an address that is script': 'javascript:alert(1)',
  'a path': '../../../etc/passwd',
  'a very long text': 'x'.repeat(9_000),
  'a number': 7,
  'a number below zero': -1,
  'half a number': 1.5,
  truth: true,
  'a list': ['Taupō'],
  'a list in a list': [[]],
  'an object': { q: 'Taupō' },
  'a text with a line break': 'Taupō\r\nBcc: x@example.org',
};
const ofTheLibrary = /expected|received|unrecognized|undefined|\bnan\b|zod|[<>]=?/i;

test.each(tools.map((tool) => [tool.name, tool] as const))(
  'the tool %s answers hostile arguments without a fault of its own, gives none of them back as they were, and changes nothing',
  async (_, tool) => {
    const before = await rowsOf();
    // Ignores lines logged by earlier calls.
    parts.logged.length = 0;
    const parameters = parametersOf(tool);
    const samples = Object.fromEntries(
      parameters.flatMap((field) => (field.schema.safeParse(undefined).success ? [] : [[field.name, createSample(field)]])),
    );
    for (const field of parameters) {
      const carrier = [createSample(field) ?? 'x'].flat()[0] ?? 'x';
      const values = { ...Object.fromEntries(Object.entries(hostile).map(([kind, spoil]) => [kind, spoil(carrier)])), ...foreign };
      for (const [kind, value] of Object.entries(values)) {
        const answer = await callTool(tool.name, { ...samples, [field.name]: value });
        const { result } = answer.json();
        const output = result.content.map(({ text }: { text: string }) => text).join('\n');
        const about = { tool: tool.name, field: field.name, kind };
        expect({ ...about, status: answer.statusCode, type: answer.headers['content-type'] }).toEqual({
          ...about,
          status: 200,
          type: expect.stringContaining('application/json'),
        });
        const found = {
          fault: /^(internal|unavailable) /.test(output),
          harm: textsIn(answer.json()).filter(doesHarm),
          foreignWords: result.isError === true && ofTheLibrary.test(output),
        };
        expect({ ...about, ...found }).toEqual({ ...about, fault: false, harm: [], foreignWords: false });
      }
    }
    expect(parts.logged).toEqual([]);
    expect(await rowsOf()).toEqual(before);
  },
);

test.each([
  ['a name that no parameter has', { constructor: 'x' }],
  ['a name of every object', { toString: 'x', hasOwnProperty: 'x' }],
])('a tool rejects %s', async (_, args) => {
  for (const { name } of tools) {
    const { result } = (await callTool(name, args)).json();
    expect([name, result.isError, result.content[0].text]).toEqual([name, true, expect.stringContaining('There is no such parameter')]);
  }
});

test.each([
  ['arguments that are a text', 'x'],
  ['arguments that are a list', ['x']],
  ['arguments that are a number', 7],
])('a tool rejects %s', async (_, args) => {
  for (const { name } of tools) {
    const answer = await callTool(name, args);
    expect([name, answer.statusCode, answer.json().result]).toEqual([name, 200, undefined]);
    expect(answer.json().error.code).toBeLessThan(0);
  }
});

test.each([
  ['__proto__', '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"search","arguments":{"__proto__":{"q":"x"}}}}'],
  [
    'constructor.prototype',
    '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"search","arguments":{"constructor":{"prototype":{"q":"x"}}}}}',
  ],
])('rejects %s in an MCP message before anything reads it', async (_, payload) => {
  const answer = await app.inject({
    method: 'POST',
    url: '/mcp',
    headers: { accept: 'application/json, text/event-stream', 'content-type': 'application/json' },
    payload,
  });
  expect(answer.statusCode).toBe(400);
  expect(Object.keys(Object.prototype)).toEqual([]);
});

test.each([
  ['a NUL', '%00'],
  ['half a character', '%ED%A0%80'],
  ['a direction override', '%E2%80%AE'],
  ['a broken escape', '%ZZ'],
  ['a line break', '%0D%0A'],
])('answers %s in a URL as not found or invalid', async (_, text) => {
  for (const path of [
    `/listing/${text}`,
    `/listing/all?title=${text}`,
    `/listing/all?${text}=1`,
    `/referral/check/${text}aaaa`,
    `/${text}`,
    `/facts?region=${text}`,
  ]) {
    const { status } = await asVisitor.get(path);
    expect([path, status]).toEqual([path, expect.toSatisfy((code: number) => code === 200 || code === 400 || code === 404)]);
  }
});

test.each(['%00', '%ED%A0%80', '%E2%80%AE', '%ZZ', '%0D%0A', '%E2%80%8B'])(
  'pages whose address has %s in it are pages, moved, wrong or not there',
  async (text) => {
    for (const path of [
      '/listing/?',
      '/listing/Ab?B',
      '/home?title=?',
      '/home?listingNumber=?',
      '/home?region=?',
      '/home??=1',
      '/services/?',
      '/services/plumbing/?',
      '/auth/register?ref=?',
      '/?',
    ]) {
      const url = path.replaceAll(/\?(?=$|=1|B$)/g, text);
      const { statusCode } = await app.inject(url);
      expect([url, statusCode]).toEqual([url, expect.toSatisfy((code: number) => code < 500)]);
    }
  },
);

test('rejects a name with NUL, a bidi override or no visible characters at its field', async () => {
  const form = { username: 'tane_p', email: 'tane@example.org', password: 'kowhai-blossom' };
  for (const [fullName, message] of [
    ['Tāne\0Parata', 'Use one line of text without control characters'],
    ['Tāne\r\nBcc: x@example.org', 'Use one line of text without control characters'],
    ['Tāne \u202eParata', 'Use text without characters that change the direction of writing'],
    ['\u200b\u2060', 'Use characters that can be seen'],
    ['Handwise Support', 'This name is reserved'],
  ]) {
    const { status, body } = await asVisitor.post('/auth/register', { ...form, fullName });
    expect([status, body.errors]).toEqual([400, [{ field: 'fullName', message }]]);
  }
  const named = await asVisitor.post('/auth/register', { ...form, fullName: 'Tāne Parata', username: 'Supp0rt_NZ' });
  expect([named.status, named.body.errors]).toEqual([400, [{ field: 'username', message: 'This username is reserved' }]]);
});
