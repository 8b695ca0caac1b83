import { type ProviderName, providerNames } from '../accounts/provider-names.ts';
import { splitAtLastComma } from '../text.ts';
import { site } from './site.ts';

type Processor = { name: string; purpose: string; country: string };

const named = (text: string, unnamed: string, purpose: string): Processor => {
  const [name, country] = splitAtLastComma(text);
  return text === '' ? { name: unnamed, purpose, country: 'ask us where' } : { name, purpose, country };
};

/** Who processes people's information for the site, what for and where, as its privacy page names them. */
export function listProcessors({ realPayments, signInWith }: { realPayments: boolean; signInWith: readonly ProviderName[] }): Processor[] {
  return [
    named(site.hosting, 'Our hosting provider', 'for servers, database, files and backups'),
    named(site.mailDelivery, 'Our mail provider', 'for emails'),
    ...(realPayments
      ? [
          {
            name: 'Stripe',
            purpose: 'for payments, saved cards and their fraud checks',
            country: 'United States, Ireland and where your bank is',
          },
        ]
      : []),
    ...signInWith.map((provider) => ({
      name: providerNames[provider],
      purpose: `for signing in with ${providerNames[provider]}, if you do; it learns that you use this site`,
      country: 'United States',
    })),
    {
      name: 'Apple, Google, Microsoft or Mozilla',
      purpose: 'for notifications, if you switch them on; whichever makes your browser, and what they say is encrypted',
      country: 'United States',
    },
    {
      name: 'The NZBN register and ABN Lookup',
      purpose: 'for the business numbers on listings, which they are asked about',
      country: 'New Zealand and Australia',
    },
  ];
}
