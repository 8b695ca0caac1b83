import { makeBusinesses } from './businesses.ts';
import { registrationOf } from './evidence.ts';
import { demoListings, demoSeed } from './generate.ts';
import { demoSellerOf } from './listings.ts';
import { randomFrom, seedOf } from './random.ts';

/** The demo's businesses as the public registers have them: number and registered name. The same at every start. */
export function* registeredBusinesses(): Generator<readonly [string, { name: string }]> {
  const businesses = makeBusinesses(randomFrom(seedOf(demoSeed, 'listings')), demoListings);
  for (const business of [...businesses, demoSellerOf(businesses)]) {
    const registration = registrationOf(business);
    if (registration) yield [registration.number, { name: registration.name }];
  }
}
