import { expect, test } from 'vitest';
import { z } from 'zod';
import type { Call } from '@handwise/contract/call';
import { testApp } from '@handwise/sandbox/testing/app';
import { contractCalls } from '@handwise/sandbox/testing/calls';

const { app, db, given, callers } = await testApp();
const { as } = callers;

const administrator = await given.user();
await db.updateTable('users').set({ role: 'admin' }).where('id', '=', administrator._id).execute();
const calls = (await contractCalls()).map((call) => [`${call.method} ${call.url}`, call] as const);

// Patterns of the schema library's own messages.
const forbidden =
  /expected|received|too (big|small)|invalid (input|option|string|number|uuid|guid|iso|datetime|key|value|union|element|json|base64|ip)\b|unrecognized|must (match|start|end|include)|undefined|\bnull\b|\bnan\b|zod|[<>]=?/i;

const wrong: readonly unknown[] = [
  null,
  7,
  -1,
  1.5,
  true,
  [],
  [[]],
  {},
  { a: 1 },
  '',
  ' ',
  'x',
  'x'.repeat(20_000),
  '\n',
  [7],
  [''],
  ['x'.repeat(200)],
];

type Sent = { body?: unknown; query?: string; params?: Record<string, string>; form?: readonly [string, string][] };

/** Invalid variants of a call's input, one part at a time. */
function* wrongInputs(call: Call): Generator<Sent> {
  for (const name of Object.keys(call.params?.shape ?? {})) {
    for (const value of ['1', '%20', 'x'.repeat(150), 'null']) yield { params: { [name]: value } };
  }
  for (const name of [...Object.keys(call.query?.shape ?? {}), 'nothing-of-this-name']) {
    if (!call.query) break;
    for (const value of ['x', '-1', '1.5', 'x'.repeat(1_000), 'a&' + name + '=b']) yield { query: `${name}=${value}` };
  }
  if (call.body) {
    yield {};
    for (const body of wrong) yield { body };
    for (const name of Object.keys(call.body.shape)) for (const value of wrong) yield { body: { [name]: value } };
  }
  if (call.form) {
    yield { form: [] };
    for (const name of Object.keys(call.form.shape)) {
      for (const value of ['', ' ', 'x', 'x'.repeat(15_000), '\n']) yield { form: [[name, value]] };
      yield {
        form: [
          [name, 'a'],
          [name, 'b'],
        ],
      };
      yield { form: [[`${name}[]`, '']] };
    }
  }
}

async function send(call: Call, sent: Sent, token: string) {
  const path = call.url.replace(/:(\w+)/g, (_, name: string) => sent.params?.[name] ?? '019c0000-0000-7000-8000-000000000001');
  const form = sent.form && new FormData();
  for (const [name, value] of sent.form ?? []) form?.append(name, value);
  const encoded = form && new Response(form);
  const answer = await app.inject({
    method: call.method,
    url: `/api${path}${sent.query ? `?${sent.query}` : ''}`,
    headers: {
      ...(call.access !== 'public' && { authorization: `Bearer ${token}` }),
      ...(encoded && { 'content-type': encoded.headers.get('content-type') ?? '' }),
      ...(sent.body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(encoded && { payload: Buffer.from(await encoded.arrayBuffer()) }),
    ...(sent.body !== undefined && { payload: JSON.stringify(sent.body) }),
  });
  return { status: answer.statusCode, text: answer.body };
}

const errorShape = z.strictObject({
  message: z.string().min(1),
  code: z.string(),
  errors: z.array(z.strictObject({ field: z.string(), message: z.string().min(1) })),
  requestId: z.string(),
});

const hasFields = ({ form }: Call) => form !== undefined && Object.keys(form.shape).length > 0;

test.each(calls.filter(([, call]) => call.params || call.query || call.body || hasFields(call)))(
  '%s rejects any invalid input with a message of our own',
  async (_, call) => {
    const { token } = call.access === 'admin' ? administrator : await given.user();
    const faults: string[] = [];
    let refused = 0;
    for (const sent of wrongInputs(call)) {
      const { status, text } = await send(call, sent, token);
      const shown = JSON.stringify(sent).slice(0, 120);
      if (status >= 500) faults.push(`${shown} → ${status}`);
      if (status !== 400) continue;
      refused += 1;
      const { data, error } = errorShape.safeParse(JSON.parse(text));
      if (error) faults.push(`${shown} → ${text}`);
      const names = data?.errors.map((one) => one.field) ?? [];
      if (new Set(names).size < names.length) faults.push(`${shown} tells a field twice: ${names.join(' ')}`);
      for (const message of data ? [data.message, ...data.errors.map((one) => one.message)] : []) {
        if (forbidden.test(message)) faults.push(`${shown} → ${message}`);
      }
    }
    expect(faults).toEqual([]);
    expect(refused).toBeGreaterThan(0);
  },
);

test('finds calls to check', () => expect(calls.length).toBeGreaterThan(25));

const missing = async (method: 'POST' | 'PUT', path: string) => {
  const { token } = await given.user();
  const answer = await app.inject({ method, url: `/api${path}`, headers: { authorization: `Bearer ${token}` } });
  const { message, code, errors } = answer.json();
  return { message, code, errors: Object.fromEntries(errors.map((one: { field: string; message: string }) => [one.field, one.message])) };
};

test.each([
  ['/auth/login', { email: 'Email is required', password: 'Password is required' }],
  [
    '/auth/register',
    { fullName: 'Name is required', username: 'Username is required', email: 'Email is required', password: 'Password is required' },
  ],
  ['/plan-user/create-intent', { planId: 'Plan selection is required' }],
  ['/plan-user/use-referral', { planId: 'Please select a plan first', referralCode: 'Please enter a referral code' }],
])('%s without a body names the missing fields in the specified texts', async (path, errors) => {
  const answer = await missing('POST', path);
  expect(answer).toMatchObject({ code: 'invalid_input', errors });
});

test('one missing field becomes the message; several are listed', async () => {
  expect((await missing('POST', '/plan-user/create-intent')).message).toBe('Plan selection is required');
  expect((await missing('POST', '/auth/login')).message).toBe('Please check the marked fields.');
});

test('reports the first error of each field, in field order', async () => {
  const answer = await app.inject({
    method: 'POST',
    url: '/api/auth/register',
    payload: { fullName: '', username: '', email: '', password: '' },
  });
  expect(answer.json().errors).toEqual([
    { field: 'fullName', message: 'Name is required' },
    { field: 'username', message: 'Username is required' },
    { field: 'email', message: 'Email is required' },
    { field: 'password', message: 'Password is required' },
  ]);
});

const emptyForm = async (method: 'POST' | 'PUT', path: string, fields: Record<string, string | readonly string[]> = {}) => {
  const user = await given.user();
  const answer = await as(user)[method === 'POST' ? 'postForm' : 'putForm'](path, fields);
  return Object.fromEntries(answer.body.errors.map((one: { field: string; message: string }) => [one.field, one.message]));
};

test('rejects an empty listing with the specified text for each field', async () => {
  expect(await emptyForm('POST', '/listing/create')).toEqual({
    submissionId: 'Each submission needs an id',
    serviceTitle: 'Listing title is required',
    businessEmailAddress: 'Business email is required',
    servicePlan: 'Plan selection is required',
    businessTitle: 'Business name is required',
    businessInfo: 'Business information is required',
    serviceDescription: 'Service description is required',
    serviceCategory: 'Category is required',
    location: 'Location is required',
    services: 'At least one service is required',
  });
  expect(await emptyForm('PUT', '/listing/019c0000-0000-7000-8000-000000000001')).toEqual({
    serviceTitle: 'Service title is required',
    businessEmailAddress: 'Email is required',
    businessTitle: 'Business name is required',
    businessInfo: 'Business information is required',
    serviceDescription: 'Service description is required',
    serviceCategory: 'Category is required',
    location: 'Location is required',
    services: 'At least one service is required',
  });
});

test('ignores blank services in every encoding', async () => {
  for (const services of [' , ', ['', ' ']]) {
    expect((await emptyForm('POST', '/listing/create', { services })).services).toBe('At least one service is required');
  }
  expect(await emptyForm('POST', '/listing/create', { services: ['Leaks', ''] })).not.toHaveProperty('services');
});

test('rejects an overlong value with the maximum length', async () => {
  const errors = await emptyForm('POST', '/listing/create', { serviceSubCategory: 'x'.repeat(61), services: 'x'.repeat(61) });
  expect(errors).toMatchObject({
    serviceSubCategory: 'Use at most 60 characters',
    'services.0': 'Use at most 60 characters for a service',
  });
});

test('treats an empty JSON body as missing and rejects a malformed one', async () => {
  const send = (payload: string) =>
    app.inject({ method: 'POST', url: '/api/auth/login', headers: { 'content-type': 'application/json' }, payload });
  expect((await send('')).json()).toMatchObject({ code: 'invalid_input' });
  expect((await send('{')).json()).toMatchObject({ code: 'malformed_request', message: 'The request could not be read.', errors: [] });
  expect((await send('{"__proto__":{"email":"a"}}')).json()).toMatchObject({ code: 'malformed_request' });
});

/** All nested schemas with examples. */
function* withExamples(schema: z.core.$ZodType, at: string): Generator<{ at: string; schema: z.core.$ZodType; example: unknown }> {
  const { example } = z.globalRegistry.get(schema) ?? {};
  if (example !== undefined) yield { at, schema, example };
  const { def } = schema._zod;
  if (schema instanceof z.ZodObject) for (const [name, part] of Object.entries(schema.shape)) yield* withExamples(part, `${at}.${name}`);
  for (const key of ['element', 'innerType', 'in', 'out'] as const) {
    const inner = key in def ? Reflect.get(def, key) : undefined;
    if (inner instanceof z.ZodType) yield* withExamples(inner, at);
  }
}

const examples = calls.flatMap(([name, { params, query, body, form, response }]) =>
  Object.entries({ params, query, body, form, response }).flatMap(([part, schema]) =>
    schema ? [...withExamples(schema, `${name} ${part}`)] : [],
  ),
);

test('every example of the API page matches its schema', () => {
  expect(examples.length).toBeGreaterThan(20);
  expect(examples.filter(({ schema, example }) => !z.safeParse(schema, example).success).map(({ at }) => at)).toEqual([]);
});
