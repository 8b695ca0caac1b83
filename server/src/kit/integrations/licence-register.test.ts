import { afterAll, afterEach, expect, test } from 'vitest';
import { startSandboxRegisters } from '@handwise/sandbox/registers';
import { licencePathSettings, openLicenceRegister } from './licence-register.ts';

const registers = await startSandboxRegisters();
afterAll(() => registers.close());
const { licences, settings } = registers;
afterEach(() => licences.setFault(null));

const open = (more: object = {}, now?: () => number) => openLicenceRegister({ ...settings.nsw, ...more }, 2_000, now);

test('finds a licence by its number however it is spelt, with class, status and end', async () => {
  licences.set('123456C', { holder: 'KINGI PLUMBING PTY LTD', className: 'Plumber', endsOn: '31/03/2027' });
  const register = open();
  expect(await register.find('123456C')).toEqual({
    id: '1-123456C',
    number: '123456C',
    holder: 'KINGI PLUMBING PTY LTD',
    className: 'Plumber',
    status: 'Current',
    state: 'current',
    endsOn: '2027-03-31',
  });
  expect(await register.find('999999C')).toBeNull();
});

test.each([
  ['Current', 'current'],
  ['Expired', 'ended'],
  ['Cancelled', 'ended'],
  ['Surrendered', 'ended'],
  ['Suspended - conditions', 'suspended'],
] as const)('reads the status “%s” as %s', async (status, state) => {
  licences.set('7C', { holder: 'A', status });
  expect(await open().find('7C')).toMatchObject({ status, state });
});

test.each([
  ['a status that it does not know', { holder: 'A', status: 'Pending' }, /has the status “Pending”/],
  ['an end that is no day', { holder: 'A', endsOn: '31/02/2027' }, /has the end “31\/02\/2027”/],
] as const)('an answer with %s is no answer', async (_, licence, problem) => {
  licences.set('8C', licence);
  await expect(open().find('8C')).rejects.toThrow(problem);
});

test('a list whose numbers cannot be read is no answer, and a number without letters or digits is none', async () => {
  licences.set('5C', { holder: 'A' });
  await expect(open({ fields: { ...settings.nsw?.fields, number: 'licence_no' } }).find('5C')).rejects.toThrow('left out a number');
  expect(await open().find('--')).toBeNull();
});

test('a licence without an end has none', async () => {
  licences.set('9C', { holder: 'A', endsOn: null });
  expect(await open().find('9C')).toMatchObject({ endsOn: null });
});

test.each([
  ['down', /fetch failed/],
  ['busy', /answered 503/],
  ['denied', /answered 401/],
  ['no-token', /token answered 401/],
  ['odd', /answered no list/],
  ['moved', /fetch failed/],
  ['huge', /answered too much/],
] as const)('a register that is %s gives no answer', async (fault, problem) => {
  licences.setFault(fault);
  await expect(open().find('123456C')).rejects.toThrow(problem);
});

test('uses a token until a minute before its end, and another one at once if it was taken back', async () => {
  let now = 1_000_000;
  const register = open({}, () => now);
  const before = licences.countTokens();
  await register.find('123456C');
  now += 3_538_000;
  await register.find('123456C');
  expect(licences.countTokens()).toBe(before + 1);
  now += 1_000;
  await register.find('123456C');
  expect(licences.countTokens()).toBe(before + 2);
  licences.endToken();
  expect(await register.find('123456C')).not.toBeNull();
  expect(licences.countTokens()).toBe(before + 3);
});

test('what a seller types as a number stays within its place in the address', async () => {
  expect(await open().find('1C&searchText=123456C/../details?licenceid=1-123456C')).toBeNull();
});

test('paths and fields are settings', async () => {
  const fields = { ...settings.nsw.fields, status: 'licenceDetail.licenceType' };
  await expect(open({ fields }).find('123456C')).rejects.toThrow(/has the status “Contractor Licence”/);
  expect(licencePathSettings.safeParse({ token: 'http://10.0.0.1/token' }).success).toBe(false);
  expect(licencePathSettings.safeParse({ verify: '/check?n={number}' }).success).toBe(true);
  expect(licencePathSettings.safeParse({ verify: 'https://evil.example/{number}' }).success).toBe(false);
});
