import type { CountryCode } from '@handwise/contract/markets';

// Two decimals are about a kilometre: enough to find who is near, and nobody's house.
const rounded = (degrees: number) => degrees.toFixed(2);

type Bounds = { south: number; north: number; west: number; east: number };
// New Zealand, its Chatham Islands beyond 180°, and Australia, each with some sea around it.
const countries: readonly Bounds[] = [
  { south: -48, north: -33.5, west: 165.5, east: 180 },
  { south: -45, north: -43, west: -178, east: -175 },
  { south: -44.5, north: -9, west: 112, east: 155 },
];

/** A position as a search takes it, "lat,lon" with two decimals; null where it lies in neither country. */
export function nearOf({ latitude, longitude }: { latitude: number; longitude: number }): string | null {
  const isHere = countries.some(
    ({ south, north, west, east }) => latitude >= south && latitude <= north && longitude >= west && longitude <= east,
  );
  return isHere ? `${rounded(latitude)},${rounded(longitude)}` : null;
}

// Written out here: with the markets' own table the library of schemas would come along.
export const countryNames: Record<CountryCode, string> = { NZ: 'New Zealand', AU: 'Australia' };

/** The country of somebody who says no more than their clock does; null where it is neither. */
export const countryOfTimeZone = (zone: string): CountryCode | null =>
  zone.startsWith('Australia/') ? 'AU' : /^Pacific\/(Auckland|Chatham)$/.test(zone) ? 'NZ' : null;

const instead = 'Type a town or suburb instead.';

/** Why nobody is found near somebody, by the codes of the browser's `GeolocationPositionError`. */
export const positionProblems = {
  denied: `Your browser’s settings do not let this site ask where you are. ${instead}`,
  unavailable: `Your device cannot say where it is right now. ${instead}`,
  tooSlow: `Finding out where you are is taking too long. Try again, or type a town or suburb.`,
  elsewhere: `You seem to be outside New Zealand and Australia. ${instead}`,
} as const;

export type PositionProblem = keyof typeof positionProblems;

export const problemOfCode = (code: number): PositionProblem => (code === 1 ? 'denied' : code === 3 ? 'tooSlow' : 'unavailable');
