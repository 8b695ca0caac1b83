// No schemas, so that public pages can import it without zod.

const placeNames = {
  NZ: 'New Zealand',
  ACT: 'Australian Capital Territory',
  NSW: 'New South Wales',
  NT: 'Northern Territory',
  QLD: 'Queensland',
  SA: 'South Australia',
  TAS: 'Tasmania',
  VIC: 'Victoria',
  WA: 'Western Australia',
} as const;

/** Where the winner of a draw can live. */
export const homes = { ...placeNames, other: 'Somewhere else' } as const;
export type Home = keyof typeof homes;

/** The name of a state or country by its letters. */
export const placeName = (place: string): string => (placeNames as Record<string, string>)[place] ?? place;

/** The setting with the number of the permit in each place that may ask for one. */
export const permitSettings = { NSW: 'permitNsw', SA: 'permitSa', ACT: 'permitAct', NT: 'permitNt' } as const;

export type DrawPermit = { place: string; number: string };
/** The permits of a draw, and where people live to whom it is not open because it needs one there and has none. */
export type DrawOpening = { permits: readonly DrawPermit[]; leftOut: readonly string[] };

function inSentence(place: string): string {
  const name = placeName(place);
  return name.endsWith('Territory') ? `the ${name}` : name;
}
const listPlaces = (places: readonly string[]) => new Intl.ListFormat('en-NZ', { type: 'disjunction' }).format(places.map(inSentence));

/** Why somebody cannot take the prize, or undefined. */
export const findHomeProblem = (home: Home, { leftOut }: Pick<DrawOpening, 'leftOut'>): string | undefined =>
  leftOut.includes(home) ? `This draw was not open to people who live in ${inSentence(home)}: it had no permit there` : undefined;

/** What has to be said wherever a draw is advertised; empty if there is nothing to say. */
export const formatOpening = ({ permits, leftOut }: DrawOpening): string =>
  [
    permits.length > 0 && `Permits: ${permits.map(({ place, number }) => `${place} ${number}`).join(', ')}.`,
    leftOut.length > 0 && `Not open to people who live in ${listPlaces(leftOut)}: the draw has no permit there.`,
  ]
    .filter(Boolean)
    .join(' ');
