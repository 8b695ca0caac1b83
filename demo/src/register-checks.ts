import type { DemoListing } from './listings.ts';
import type { Random } from './random.ts';

const day = 86_400_000;

/** What the stand-in for a register said of the demo's verified businesses, during the last two months. */
export function makeRegisterChecks(random: Random, listings: readonly DemoListing[], today: number) {
  return listings.flatMap(({ row, registration }) => {
    if (!registration) return [];
    const checkedAt = Math.max(Date.parse(row.created_at), today - Math.round(random.between(0, 60) * day));
    return {
      listing_id: row.id,
      register: registration.register,
      number: registration.number,
      state: 'verified',
      register_name: registration.name,
      sandbox: true,
      checked_at: new Date(checkedAt).toISOString(),
      check_at: new Date(checkedAt + 90 * day).toISOString(),
    };
  });
}
