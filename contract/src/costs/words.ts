import { type PriceUnit, priceUnits } from '../facts/prices.ts';
import { count, counted, withDecimals } from '../numbers.ts';

// Without schemas, because public pages load it.

/** The smallest sample whose prices are shown: fewer listings could be recognised, or a single one could move the median. */
export const minSample = 8;

/** The disclaimer of every price here. */
export const askingPricesOnly = 'These are asking prices, not what people paid.';

type Price = { unit: PriceUnit; currency: 'NZD' | 'AUD'; sample: number; median: number; low: number; high: number };

/** Whole dollars from $20 on, else cents if there are some: a median of $67.50 is no more exact than $68. */
export const formatDollars = (minor: number) => {
  const isWhole = minor >= 2_000 || minor % 100 === 0;
  return `$${isWhole ? count(Math.round(minor / 100)) : withDecimals(minor / 100, 2)}`;
};

/** "$80 to $115" */
export const formatMiddleHalf = ({ low, high }: Pick<Price, 'low' | 'high'>) =>
  formatDollars(low) === formatDollars(high) ? formatDollars(low) : `${formatDollars(low)} to ${formatDollars(high)}`;

/** "Usually $80 to $115 per hour (NZD), typically $95 (23 listings)." */
export const describePrice = (price: Price) =>
  `Usually ${formatMiddleHalf(price)} ${priceUnits[price.unit]} (${price.currency}), typically ${formatDollars(price.median)} (${counted(price.sample, 'listing')}).`;

/** What moves the price of each category, by its slug: two or three things that a household can say in its first message. */
export const priceFactors: Readonly<Record<string, readonly string[]>> = {
  cleaning: [
    'How large the place is and how long since its last clean',
    'Whether it is a single visit or every week',
    'Windows, ovens and carpets, which are often charged on top',
  ],
  'home-improvement': ['The age and make of what is repaired', 'Parts, and who buys them', 'How easily the place can be reached'],
  'alarm-security': ['How many doors, windows and cameras', 'Wired or wireless', 'Whether monitoring is paid every month'],
  'building-construction': [
    'Drawings, engineering and consents',
    'The ground, the access and what has to come down first',
    'How finished you want it, from the fittings to the paint',
  ],
  'electrical-gas': [
    'The age of the wiring, the board or the pipes',
    'The certificate that the law asks for',
    'Evenings, weekends and public holidays',
  ],
  plumbing: ['How deep the pipe is buried or built in', 'Parts, such as a cylinder or tapware', 'Evenings, weekends and public holidays'],
  roofing: ['The size, pitch and height of the roof', 'Scaffolding and edge protection', 'What is under the old roof once it is off'],
  painting: [
    'How much has to be washed, sanded and filled first',
    'The number of coats, and the paint that you choose',
    'Ceilings, doors, windows and scaffolding',
  ],
  'window-glazing': ['The size and kind of glass', 'The height, and whether a ladder is enough', 'Frames that have to be made'],
  'concrete-driveways': ['The area and thickness', 'Digging out, and taking away what was there', 'Access for a truck or a pump'],
  'landscape-lawn-maintenance': [
    'The size and slope of the section',
    'How long it has been left to grow',
    'Who takes the green waste away',
  ],
  handyman: ['How many small jobs are done in one visit', 'Materials, and who buys them', 'How far they travel to you'],
};
