import { formatHours, type Hours } from './hours.ts';
import { formatPrice, type PriceGuide, priceUnits } from './prices.ts';

// The facts of a listing that help people choose, a row for each field. Form, database, page, card, comparison and export are derived from
// them. Without schemas, because pages of listings load them.

type Fact = {
  /** In the form, and before an error. */
  label: string;
  /** In `listings`. */
  column: string;
  /** `own`: its input, values and column have code of their own. */
  kind: 'amount' | 'choice' | 'year' | 'flag' | 'own';
  /** Below its input. */
  hint?: string;
  /** Beside a flag's box, as the business says it. */
  statement?: string;
  choices?: Readonly<Record<string, string>>;
  /** Its name in the price guide, which is of the service and not of the business. */
  guide?: keyof PriceGuide;
  shown?: Shown;
};

type Text = string | readonly string[];
type Shown = {
  /** Where a listing has its value, if not under the field's name. */
  from?: string;
  name: string;
  text: (value: never) => Text;
  /** On the listing's page, if that says more. */
  detail?: (value: never, hasHours: boolean) => Text;
  /** In a comparison, where a listing says nothing. */
  none: string;
  card?: (value: never) => string;
};

const noneHint = '0 means there is none.';
const notListed = (name: string) => `No ${name} listed`;

export const facts = {
  priceFrom: {
    label: 'Prices from',
    column: 'price_from_minor',
    kind: 'amount',
    guide: 'from',
    shown: {
      from: 'priceGuide',
      name: 'Price guide',
      text: formatPrice,
      detail: (guide: PriceGuide) => `${formatPrice(guide)}. GST is included; the price of your job may differ.`,
      none: 'No price guide',
    },
  },
  priceUnit: { label: 'Price for', column: 'price_unit', kind: 'choice', choices: priceUnits, guide: 'unit' },
  callOut: { label: 'Call-out fee', column: 'call_out_minor', kind: 'amount', hint: noneHint, guide: 'callOut' },
  minimumCharge: { label: 'Minimum charge', column: 'minimum_charge_minor', kind: 'amount', hint: noneHint, guide: 'minimumCharge' },
  hours: {
    label: 'Hours',
    column: 'hours',
    kind: 'own',
    shown: {
      name: 'Hours',
      text: (hours: Hours) => formatHours(hours).map(({ days, times }) => `${days}, ${times}`),
      none: notListed('hours'),
    },
  },
  emergency: {
    label: 'Emergency call-outs',
    column: 'emergency',
    kind: 'flag',
    statement: 'I take emergency call-outs outside my usual hours',
    shown: {
      name: 'Emergencies',
      text: () => 'Takes emergency call-outs',
      detail: (_: true, hasHours: boolean) =>
        hasHours ? 'Also takes emergency call-outs outside these hours' : 'Takes emergency call-outs',
      none: notListed('emergency call-outs'),
      card: () => 'Emergency call-outs',
    },
  },
  emergencyCallOut: {
    label: 'Comes out after hours',
    column: 'emergency_call_out',
    kind: 'flag',
    statement: 'I come out after hours: in the evening, at night or at the weekend',
    shown: {
      name: 'After hours',
      text: () => 'Comes out after hours',
      detail: () => 'Comes out in the evening, at night or at the weekend',
      none: notListed('after-hours visits'),
      card: () => 'Comes out after hours',
    },
  },
  insured: {
    label: 'Insurance',
    column: 'insured',
    kind: 'flag',
    statement: 'I have public liability insurance',
    shown: {
      name: 'Insurance',
      text: () => 'Says it is insured',
      detail: () => 'The business says it has public liability insurance. Ask to see the certificate.',
      none: notListed('insurance'),
    },
  },
  inTradeSince: {
    label: 'In the trade since',
    column: 'in_trade_since',
    kind: 'year',
    hint: 'A year, such as 2009.',
    shown: {
      name: 'In the trade',
      text: (year: number) => `Since ${year}`,
      none: notListed('year'),
      card: (year: number) => `Since ${year}`,
    },
  },
  licenceAnswer: { label: 'Licence', column: 'licence_below_limit', kind: 'own' },
  licenceRegister: { label: 'Licence register', column: 'licence_register', kind: 'own' },
  licenceNumber: { label: 'Licence number', column: 'licence_number', kind: 'own' },
  licenceName: { label: 'Licence holder', column: 'licence_name', kind: 'own' },
  licenceClass: { label: 'Licence class', column: 'licence_class', kind: 'own' },
  licenceExemption: { label: 'Exemption', column: 'licence_exemption', kind: 'own' },
  businessNumber: { label: 'NZBN or ABN', column: 'business_number', kind: 'own' },
  gstNumber: { label: 'GST number', column: 'gst_number', kind: 'own' },
  gstRegistered: { label: 'GST', column: 'gst_registered', kind: 'own' },
} as const satisfies Record<string, Fact>;

type Facts = typeof facts;
export type FactName = keyof Facts;
type FactsOf<Kind extends Fact['kind']> = { [Name in FactName]: Facts[Name]['kind'] extends Kind ? Name : never }[FactName];
export type FlagName = FactsOf<'flag'>;
export type OwnFactName = FactsOf<'own'>;
export type FactColumn<Name extends FactName = FactName> = Facts[Name]['column'];

export const factNames = Object.keys(facts) as FactName[];
export const factColumns = Object.values(facts).map(({ column }) => column);

const listOfKind = <Kind extends Fact['kind']>(kind: Kind) => factNames.filter((name) => facts[name].kind === kind) as FactsOf<Kind>[];
export const flagNames = listOfKind('flag');

export const mapFlags = <Value>(map: (name: FlagName) => Value) =>
  Object.fromEntries(flagNames.map((name) => [name, map(name)])) as Record<FlagName, Value>;

/** A fact in words; what a listing does not say is null. */
export type FactWords = { name: string; text: Text | null; detail: Text | null; none: string; card: string | null };

/** The facts of a listing or a card in words, in the order of the table. */
export const describeFacts = (listing: Readonly<Record<string, unknown>>): FactWords[] =>
  factNames.flatMap((field): FactWords[] => {
    const { shown }: Fact = facts[field];
    if (!shown) return [];
    const { from = field, name, text, detail = text, none, card } = shown;
    const value = listing[from] as never;
    if (!value) return [{ name, text: null, detail: null, none, card: null }];
    return [{ name, text: text(value), detail: detail(value, Boolean(listing['hours'])), none, card: card?.(value) ?? null }];
  });
