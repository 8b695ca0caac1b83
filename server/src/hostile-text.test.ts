import type { Call } from '@handwise/contract/call';
import { contractCalls } from '@handwise/sandbox/test-calls';
import { testApp } from '@handwise/sandbox/test-app';
import { testSite } from '@handwise/sandbox/test-site';
import { type Field, fieldsOf, makeCall, sampleOf } from '@handwise/sandbox/testing/call-samples';
import { expect, test } from 'vitest';

const { app, given, callers } = await testApp({}, await testSite());
const { asVisitor, from } = callers;

const calls = await contractCalls();

const hostile = {
  NUL: (text: string) => `${text}\0${text}`,
  'the half of a character': (text: string) => `${text}\ud800${text}`,
  'a direction override': (text: string) => `${text}\u202e${text}`,
  'an escape character': (text: string) => `${text}\u001b${text}`,
  'nothing to be seen': () => '\u200b\u200b',
};
const named = calls.flatMap((call) =>
  fieldsOf(call).map((field) => [`${call.method} ${call.url} ${field.place}.${field.name}`, field] as const),
);

const textsIn = (value: unknown): string[] => {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
};
const doesHarm = (text: string) =>
  !text.isWellFormed() || ['\0', '\u001b', '\u202e'].some((char) => text.includes(char)) || /^\u200b+$/.test(text);

test.each(named)('%s takes no text that does harm', (_, field) => {
  const carrier = [sampleOf(field) ?? 'x'].flat()[0] ?? 'x';
  for (const spoil of Object.values(hostile)) {
    for (const value of [spoil(carrier), [spoil(carrier)], JSON.stringify([spoil('x')])]) {
      expect(textsIn(field.schema.safeParse(value).data).filter(doesHarm)).toEqual([]);
    }
  }
});

test('every call that the server offers is walked', async () => {
  const { body } = await asVisitor.get('/openapi.json');
  const offered = Object.entries<object>(body.paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path.replace(/^\/api/, '').replaceAll(/\{(\w+)\}/g, ':$1')}`),
  );
  const walked = new Set(calls.map((call) => `${call.method} ${call.url}`));
  expect(offered.length).toBeGreaterThan(20);
  expect(offered.filter((one) => !walked.has(one))).toEqual([]);
});

let asked = 0;
function ask(call: Call, values: ReadonlyMap<Field, unknown>, token: string) {
  asked += 1;
  // Each from a network of its own, so that no limit answers instead.
  return makeCall(from(`198.51.${Math.floor(asked / 250)}.${asked % 250}`, { authorization: `Bearer ${token}` }), call, values);
}

test.each(calls.map((call) => [`${call.method} ${call.url}`, call] as const))(
  '%s answers hostile texts without a fault of its own',
  async (_, call) => {
    const { token } = await given.user();
    const fields = fieldsOf(call);
    const samples = new Map(fields.map((field) => [field, sampleOf(field)] as const));
    for (const field of fields) {
      const carrier = [samples.get(field) ?? 'x'].flat()[0] ?? 'x';
      for (const [kind, spoil] of Object.entries(hostile)) {
        const values = new Map<Field, unknown>([...samples, [field, spoil(carrier)]]);
        const { status } = await ask(call, values, token);
        expect({ field: `${field.place}.${field.name}`, kind, status }).toMatchObject({
          status: expect.toSatisfy((code: number) => code < 500),
        });
      }
    }
  },
);

test.each([
  ['a NUL', '%00'],
  ['half a character', '%ED%A0%80'],
  ['a direction override', '%E2%80%AE'],
  ['a broken escape', '%ZZ'],
  ['a line break', '%0D%0A'],
])('%s in an address is answered as not found or not valid', async (_, text) => {
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
      '/home?title=?',
      '/home?listingNumber=?',
      '/home?region=?',
      '/home??=1',
      '/services/?',
      '/services/plumbing/?',
      '/auth/register?ref=?',
      '/?',
    ]) {
      const url = path.replaceAll(/\?(?=$|=1)/g, text);
      const { statusCode } = await app.inject(url);
      expect([url, statusCode]).toEqual([url, expect.toSatisfy((code: number) => code < 500)]);
    }
  },
);

test('a name with a NUL, an override or nothing to be seen is refused at its field', async () => {
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
