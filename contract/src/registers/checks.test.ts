import { expect, test } from 'vitest';
import { formatCheck } from './checks.ts';

test('describes the state of a check to the seller', () => {
  const textFor = (state: Parameters<typeof formatCheck>[0]['state'], registerName: string | null = null) =>
    formatCheck({ register: 'nzbn', state, registerName });
  expect(textFor('claimed')).toMatch(/^We are asking/);
  expect(textFor('valid')).toMatch(/your listing shows no badge/);
  expect(textFor('verified', 'KINGI LIMITED')).toMatch(/^Verified: .*“KINGI LIMITED”/);
  expect(textFor('gone', 'KINGI LIMITED')).toMatch(/^Not verified: .*not in operation any more/);
  expect(textFor('refused')).toMatch(/^Not verified: .*no business with this NZBN/);
  expect(textFor('refused', 'RUA LIMITED')).toMatch(/^Not verified: .*“RUA LIMITED”, which is another name/);
});
