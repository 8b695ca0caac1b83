import { publicName } from '@handwise/contract/accounts/public-name';
import type { ComponentType } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { createRoutesStub } from 'react-router';
import { expect, test } from 'vitest';
import PrivacyPage from './privacy.tsx';
import TermsPage from './terms.tsx';

const operator = 'Kōwhai Ltd, 1 Queen Street, Auckland 1010';

/** The text of a page in one line. */
function wordsOf(Page: ComponentType<never>) {
  const Site = createRoutesStub([{ id: 'root', path: '/', Component: Page as ComponentType }]);
  return renderToStaticMarkup(<Site hydrationData={{ loaderData: { root: { operator, processors: [] } } }} />)
    .replace(/<[^>]*>/g, ' ')
    .replace(/&#x27;/g, "'")
    .replace(/\s+/g, ' ');
}

test('says exactly what others see of a name, with a true example', () => {
  const words = wordsOf(PrivacyPage);
  expect(words).toContain(
    'Everyone sees your reviews, with your first name, the initial of your last name, your username and your picture',
  );
  expect(words).toContain(`“${publicName('Mere Kīngi')}”, not “Mere Kīngi”`);
  expect(words).toContain('Others see the name of your business, not yours.');
  expect(words).toContain(
    'If you use somebody’s referral code, when you sign up or when you pay, they see your full name, username and email address',
  );
  expect(words).toContain(
    'Apart from that, only you and our administrators see your full name, phone number and address, and no other member does.',
  );
});

test('says what signing in stores, and for how long', () => {
  expect(wordsOf(PrivacyPage)).toContain(
    'the kind of browser, when you signed in and when you were last here, for as long as you stay signed in: 90 days at most',
  );
});

test('names the plans in the terms as they are sold', () => {
  expect(wordsOf(TermsPage)).toContain('Basic 1, Premium up to 5, Featured up to 10');
});
