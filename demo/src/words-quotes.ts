import type { JobTime } from '@handwise/contract/messages/job-words';
import type { QuoteKind } from '@handwise/contract/quotes/words';
import type { Line } from './words-conversations.ts';

/** The messages after a quote request in one conversation; `seen` by the demo account. */
type Answers = { seen: boolean; lines: readonly Line[]; quote?: DemoQuote };
/** A quote that the business sends after the lines. */
export type DemoQuote = {
  hours: number;
  kind: QuoteKind;
  notes: string;
  lines: readonly { description: string; quantityMilli: number; unitMinor: number }[];
  /** The customer accepted it after this many hours. */
  acceptedAfterHours?: number;
};
type DemoQuoteRequest = {
  daysAgo: number;
  job: string;
  when: JobTime;
  /** Days from today to the requested date, if `when` is a date. */
  inDays?: number;
  /** The request was closed after this many days. */
  closedAfterDays?: number;
};

/** The demo buyer's requests to businesses of one group or sub-category, in these districts. */
export const buyerQuoteRequests: readonly (DemoQuoteRequest & {
  category: number;
  sub: number | null;
  districts: readonly number[];
  answers: readonly Answers[];
})[] = [
  {
    daysAgo: 0.15,
    category: 12,
    sub: null,
    districts: [603, 602],
    job: 'A double garage in Napier to be sorted before my parents move in: shelves along one wall, a rack for bikes, and a load for the tip. It is about 35 square metres and full to the door.',
    when: 'date',
    inDays: 18,
    answers: [
      { seen: true, lines: [] },
      { seen: true, lines: [] },
    ],
  },
  {
    daysAgo: 4,
    category: 6,
    sub: null,
    districts: [301],
    job: 'Our rental in Hamilton East needs a new hot water cylinder. The old one is 180 litres, low pressure, in a cupboard off the hall. The tenants are home most evenings.',
    when: 'two_weeks',
    answers: [
      {
        seen: true,
        lines: [
          {
            from: 's',
            hours: 2.5,
            text: 'Kia ora Sam, a 180 litre mains pressure cylinder with valves, fitted and the old one taken away, is $2,950 incl. GST. We could do Tuesday.',
          },
          { from: 'b', hours: 20, text: 'Thank you, that is clear. Does it include the seismic straps?' },
          { from: 's', hours: 0.5, text: 'It does, and the certificate.' },
        ],
        quote: {
          hours: 1,
          kind: 'quote',
          notes: 'Includes seismic straps, the certificate and taking the old cylinder away. Tuesday from eight.',
          lines: [
            { description: 'Mains pressure cylinder, 180 litres', quantityMilli: 1_000, unitMinor: 168_000 },
            { description: 'Valves, straps and fittings', quantityMilli: 1_000, unitMinor: 41_500 },
            { description: 'Labour', quantityMilli: 7_500, unitMinor: 11_400 },
          ],
        },
      },
      {
        seen: false,
        lines: [
          {
            from: 's',
            hours: 26,
            text: 'Hi Sam, I would want to see the cupboard first. I am in Hamilton East on Thursday evening, would that suit your tenants?',
          },
        ],
        quote: {
          hours: 2,
          kind: 'estimate',
          notes: 'To be confirmed once I have seen the cupboard.',
          lines: [
            { description: 'Cylinder and valves', quantityMilli: 1_000, unitMinor: 189_000 },
            { description: 'Labour, by the hour', quantityMilli: 8_000, unitMinor: 9_800 },
          ],
        },
      },
      { seen: true, lines: [] },
    ],
  },
];

/** Requests to the demo seller, each about her listing in a sub-category. */
export const sellerQuoteRequests: readonly (DemoQuoteRequest & Answers & { about: number })[] = [
  {
    about: 205,
    daysAgo: 0.3,
    job: 'Three bedrooms and a hall to be repainted, walls and ceilings, about 60 square metres of floor. The gib has a few cracks. We move in next month, so the rooms are empty.',
    when: 'flexible',
    seen: false,
    lines: [],
  },
  {
    about: 1201,
    daysAgo: 7,
    job: 'A list for one day: two doors that stick, a tap that drips, a shelf to go up and a gate latch. We have the shelf.',
    when: 'asap',
    closedAfterDays: 2,
    seen: true,
    lines: [
      { from: 's', hours: 1.2, text: 'Hello, that is a morning: $320 incl. GST, and the latch I have in the van. Friday at eight?' },
      { from: 'b', hours: 3, text: 'Friday at eight is great, thank you!' },
    ],
    quote: {
      hours: 0.5,
      kind: 'quote',
      notes: '',
      lines: [
        { description: 'Doors, tap and shelf: a morning', quantityMilli: 4_000, unitMinor: 7_500 },
        { description: 'Gate latch', quantityMilli: 1_000, unitMinor: 2_000 },
      ],
      acceptedAfterHours: 2,
    },
  },
];
