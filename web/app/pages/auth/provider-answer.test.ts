import { expect, test } from 'vitest';
import { formatProviderError, readProviderAnswer } from './provider-answer.ts';

test('reads what a provider sent back', () => {
  expect(readProviderAnswer('#provider=apple&state=s&code=c&name=Mere+Kingi&redirect=%2Fhome')).toEqual({
    provider: 'apple',
    state: 's',
    code: 'c',
    iss: null,
    name: 'Mere Kingi',
    target: '/home',
  });
  expect(readProviderAnswer('#provider=google&state=s&code=c&iss=https%3A%2F%2Fevil.example&redirect=%2F%2Fevil.example')).toMatchObject({
    provider: 'google',
    iss: 'https://evil.example',
    target: '/home',
  });
});

test.each([
  ['#provider=facebook&state=s&code=c', null, 'provider_unknown', /does not say whether Google or Apple/],
  ['#provider=constructor&state=s&code=c', null, 'provider_unknown', /does not say whether Google or Apple/],
  ['', null, 'sign_in_over', /took too long or has already been used/],
  ['#provider=apple&state=s', 'apple', 'sign_in_over', /took too long or has already been used/],
  ['#provider=apple&code=c', 'apple', 'sign_in_over', /took too long or has already been used/],
  ['#provider=apple&error=cancelled&state=s&code=c', 'apple', 'cancelled', /did not continue with Apple/],
  ['#provider=google&error=provider_unavailable', 'google', 'provider_unavailable', /^Google is not answering/],
  ['#provider=google&error=constructor', 'google', 'constructor', /could not be confirmed/],
] as const)('says what is wrong with %j, and never takes one provider for another', (hash, provider, error, words) => {
  expect(readProviderAnswer(hash)).toMatchObject({ provider, error });
  expect(formatProviderError(error, provider)).toMatch(words);
});
