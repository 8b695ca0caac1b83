import type { Weekday } from '@handwise/contract/facts/hours';
import type { FilterValues } from '@handwise/contract/search/filters';
import type { Preference } from '../index/search.index.ts';

/** What a text says about time, price, urgency or quality, word for word. */
export type Wish = {
  text: string;
  /** The filter that it becomes, or the order to offer for it; null if listings say nothing of the kind. */
  filter: { values: FilterValues } | { sort: 'rating' | 'price' } | null;
  /** Businesses of which one of these is true come first. */
  prefers: readonly Preference[];
};

type Rule = {
  pattern: RegExp;
  read?: (match: RegExpMatchArray) => Wish['filter'];
  prefer?: (text: string) => readonly Preference[];
};

const unit = String.raw`(?:\s*(?:\/|per|an?|each)\s*(?:hour|hr|h|visit|day|week|job|clean|room|m2|sqm|metre|meter)\b)`;
const amount = String.raw`\$?\s*(\d[\d,]*(?:\.\d+)?)\s*(k)?\b(?:\s*(?:nzd|aud|dollars|bucks)\b)?`;
const dollars = String.raw`\$\s*(\d[\d,]*(?:\.\d+)?)\s*(k)?\b(?:\s*(?:nzd|aud)\b)?`;
const dayName = '(?:mon|tues|wednes|thurs|fri|satur|sun)day';
const start = String.raw`(?<![\p{L}\p{N}])`;
const end = String.raw`(?![\p{L}\p{N}])`;

const toRule = (pattern: string, read?: Rule['read'], prefer?: Rule['prefer']): Rule => ({
  pattern: new RegExp(`${start}(?:${pattern})${end}`, 'iu'),
  ...(read && { read }),
  ...(prefer && { prefer }),
});

const longestPrice = 1_000_000;

/** A price limit in whole dollars, rounded up so that a listing at exactly this price passes. */
function toMaxPrice([, number = '', thousands]: RegExpMatchArray): Wish['filter'] {
  const price = Math.ceil(Number(number.replaceAll(',', '')) * (thousands ? 1_000 : 1));
  return price >= 1 && price <= longestPrice ? { values: { maxPrice: price } } : null;
}

const flag = (name: 'verified' | 'photos' | 'available' | 'noMinimumCharge') => (): Wish['filter'] => ({ values: { [name]: true } });

/** What a text says about licences and insurance, as far as listings say it. */
function toPaperFilter([text]: RegExpMatchArray): Wish['filter'] {
  const licensed = /licen|register/i.test(text);
  const insured = /insur/i.test(text);
  return licensed || insured ? { values: { ...(licensed && { licensed }), ...(insured && { insured }) } } : null;
}

const urgently = (): readonly Preference[] => ['emergency'];

/** The days that a text names; for today and tomorrow who has time this week. Other times are nothing that listings say. */
function preferDays(text: string): readonly Preference[] {
  if (/weekend/i.test(text)) return ['sat', 'sun'];
  const [day] = new RegExp(dayName, 'i').exec(text) ?? [];
  if (day) return [day.slice(0, 3).toLowerCase() as Weekday];
  return /today|tomorrow|same/i.test(text) ? ['available'] : [];
}
const by = (sort: 'rating' | 'price') => (): Wish['filter'] => ({ sort });

// The first that fits a part of the text takes it. Distances such as "within 10 km" are no prices.
const rules: readonly Rule[] = [
  toRule(
    String.raw`(?:from|over|above|more than|at least|starting (?:at|from)|around|about|approx(?:imately)?|roughly)\s+${dollars}${unit}?`,
  ),
  toRule(
    String.raw`(?:(?:for|at)\s+)?(?:under|below|less than|max(?:imum)?(?: of)?|up to|no more than|not more than|cheaper than|budget(?: of)?)\s+${amount}${unit}?(?!\s*(?:km|kms|m|metres?|meters?|years?|days?|weeks?|hours?)\b)`,
    toMaxPrice,
  ),
  toRule(String.raw`(?:(?:for|at)\s+)?${dollars}${unit}?(?:\s+(?:max(?:imum)?|tops|or less|budget))?`, toMaxPrice),
  toRule(String.raw`no (?:minimum|min) charge|without (?:a )?(?:minimum|min) charge`, flag('noMinimumCharge')),
  toRule(String.raw`no (?:call ?out|callout|travel) (?:fee|charge)s?|free (?:quotes?|estimates?|call ?outs?)`),
  toRule('cheap(?:est|er|ly)?|affordable|low cost|inexpensive|reasonabl[ey] priced?|budget friendly', by('price')),
  toRule(
    String.raw`(?:24|twenty[- ]four)[- ]?(?:\/|x)?\s?7|24[- ]?(?:hours?|hrs?)|after[- ]hours|out of hours|round the clock`,
    undefined,
    urgently,
  ),
  toRule('urgent(?:ly)?|asap|emergenc(?:y|ies)|immediate(?:ly)?|straight ?away|right now|right away|tonight', undefined, urgently),
  toRule(String.raw`(?:available|open)\s+(?:right )?now|now`, undefined, urgently),
  toRule(String.raw`(?:available\s+)?(?:this week|same week)`, flag('available')),
  toRule(
    String.raw`(?:available\s+)?(?:(?:(?:early|late|first thing|before|by|on|this|next|tomorrow)\s+)*(?:today|tomorrow|${dayName}s?|weekends?|week|month|fortnight|morning|afternoon|arvo|evening|winter|summer|spring|autumn|christmas|xmas|easter)(?:\s+(?:mornings?|afternoons?|arvos?|evenings?|nights?))?)`,
    undefined,
    preferDays,
  ),
  toRule('(?:same|next)[- ]day', undefined, preferDays),
  toRule('available', flag('available')),
  toRule('open'),
  toRule(
    String.raw`(?:best|top|highest|highly|well)[- ](?:rated|reviewed)|(?:5|five)[- ]stars?|best|recommended|trusted|trustworthy|good reviews`,
    by('rating'),
  ),
  toRule('verified', flag('verified')),
  toRule('with (?:photos?|pictures?)', flag('photos')),
  toRule(
    '(?:fully )?(?:licen[sc]ed|insured|registered|certified|qualified|accredited)(?: and (?:insured|licen[sc]ed|registered))?',
    toPaperFilter,
  ),
];

// Of these words only some uses are about time: "spring clean" and "before winter" differ.
const isTimeAlone = /^(?:week|month|fortnight|morning|afternoon|arvo|evening|winter|summer|spring|autumn)$/i;

/** Takes the wishes out of a text. `rest` is what is left of it. */
export function readWishes(text: string): { rest: string; wishes: Wish[] } {
  let rest = text;
  const found: { at: number; wish: Wish }[] = [];
  for (const { pattern, read, prefer } of rules) {
    let from = 0;
    for (;;) {
      const match = pattern.exec(rest.slice(from));
      if (!match) break;
      const at = from + match.index;
      const [words] = match;
      from = at + words.length;
      if (isTimeAlone.test(words)) continue;
      found.push({ at, wish: { text: words.trim(), filter: read?.(match) ?? null, prefers: prefer?.(words) ?? [] } });
      // Same length, so that the places of later wishes stay right.
      rest = rest.slice(0, at) + ' '.repeat(words.length) + rest.slice(from);
    }
  }
  const wishes = found.toSorted((one, other) => one.at - other.at).map(({ wish }) => wish);
  return { rest: wishes.length > 0 ? rest.replaceAll(/\s+/g, ' ').trim() : text, wishes };
}

/** The filters of the wishes together: of two limits the lower. */
export function mergeWishes(wishes: readonly Wish[]): FilterValues {
  const merged: FilterValues = {};
  for (const { filter } of wishes) {
    if (!filter || !('values' in filter)) continue;
    const { maxPrice, ...flags } = filter.values;
    Object.assign(merged, flags);
    if (maxPrice !== undefined) merged.maxPrice = Math.min(maxPrice, merged.maxPrice ?? maxPrice);
  }
  return merged;
}
