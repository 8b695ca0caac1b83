import { filterByClimate } from './climates.ts';
import { type DemoListing, workScenes } from './listings.ts';
import { type SceneKind, scenes as images } from './pictures.ts';
import { type Random, randomFrom, getSeed } from './random.ts';
import { closings, manners, openers } from './words-shared.ts';
import { fill, type LocalBank, type Names, wordsFor } from './words.ts';

// Titles and descriptions, written in list order, so that texts do not repeat within a page of 20 cards.

const pageSize = 20;
/** Cards in two rows of a list. */
const nearbyCards = 8;

/** Tracks where texts were used last in each list, and whether they were used in a town at all. */
function createRepetitionTracker() {
  const lengths = new Map<string, number>();
  const shownAt = new Map<string, number>();
  const listsOf = ({ row }: DemoListing) => {
    const { country, region_code: region, category_code: group, sub_category_code: sub } = row;
    return ['', country, region].flatMap((place) => ['', `g${group}`, `s${sub}`].map((kind) => `${place} ${kind}`));
  };
  const townOf = ({ row }: DemoListing) => `town ${row.district_code}`;
  return {
    /** The number of lists in which the text would appear twice on a page. */
    repeats(listing: DemoListing, text: string): number {
      const inTown = shownAt.has(`${townOf(listing)} ${text}`) ? 100 : 0;
      return listsOf(listing).reduce((sum, list) => {
        const at = shownAt.get(`${list} ${text}`);
        return at === undefined || (lengths.get(list) ?? 0) - at >= pageSize ? sum : sum + 1;
      }, inTown);
    },
    /** How recently the listing's lists showed a text, counting the last `nearbyCards`; higher is more recent. */
    nearness(listing: DemoListing, text: string): number {
      return listsOf(listing).reduce((sum, list) => {
        const at = shownAt.get(`${list} ${text}`);
        return at === undefined ? sum : sum + Math.max(0, nearbyCards + 1 - ((lengths.get(list) ?? 0) - at)) ** 2;
      }, 0);
    },
    record(listing: DemoListing, texts: readonly string[]) {
      for (const list of listsOf(listing)) {
        const length = lengths.get(list) ?? 0;
        for (const text of texts) shownAt.set(`${list} ${text}`, length);
        lengths.set(list, length + 1);
      }
      for (const text of texts) shownAt.set(`${townOf(listing)} ${text}`, 0);
    },
  };
}
type Tracker = ReturnType<typeof createRepetitionTracker>;

/** The text that repeats least; ties are broken at random. */
function leastRepeated(random: Random, tracker: Tracker, listing: DemoListing, texts: readonly string[]): string {
  let best = { text: texts[0] ?? '', repeats: Infinity };
  for (const text of random.sample(texts, texts.length)) {
    const repeats = tracker.repeats(listing, text);
    if (repeats < best.repeats) best = { text, repeats };
    if (repeats === 0) break;
  }
  return best.text;
}

const places = (town: string): readonly ((head: string) => string)[] => [
  (head) => `${head} in ${town}`,
  (head) => `${head} in ${town}`,
  (head) => `${head} across ${town}`,
  (head) => `${head} around ${town}`,
  (head) => `${head} – ${town} and nearby`,
  (head) => `${head}, ${town}`,
  (head) => head,
];

/** A service's name within a sentence; "EV chargers" and "Airbnb turnovers" keep their capitals. */
const withinSentence = (service: string) =>
  /^(?:[A-Z]{2}|[A-Z]\d|\d|Airbnb|Gib|Low-E|Wi-Fi)/.test(service) ? service : service.charAt(0).toLowerCase() + service.slice(1);

// Services that fit after "we do", unlike "ants" or "valves".
const isWork =
  /(?:ing|repairs|cleans|installation|upgrades|maintenance|inspections?|removal|replacement|detection|restoration|renovations|extensions|alterations|design|care|assembly|control)$/i;

// Participles for sub-categories whose services are named by their object.
const participles: Readonly<Record<number, string>> = {
  104: ' cleaned',
  202: ' repaired',
  204: ' dealt with',
  503: ' repaired',
  901: ' cleaned',
  1202: ' assembled',
};
// Services of pest control that name a pest to be "dealt with".
const pests = /^(?:Ants|Cockroaches|Wasps|Rats and mice|Fleas and bed bugs)$/;

function pairsOf(services: readonly string[], subCode: number): string[] {
  const isThing = (service: string) => participles[subCode] === undefined || !isWork.test(service);
  const single = services.filter((one) => (subCode === 204 ? pests.test(one) : isThing(one) && !/ and |,/.test(one)));
  const after = participles[subCode] ?? '';
  return single.flatMap((one, index) =>
    single.slice(index + 1).map((other) => {
      const joined = / and /.test(one + other) ? `${one}, ${withinSentence(other)}` : `${one} and ${withinSentence(other)}`;
      return joined + after;
    }),
  );
}

function writeTitle(random: Random, tracker: Tracker, listing: DemoListing, { heads }: LocalBank, taken: Set<string>) {
  // The services of a specialism do not name it.
  const pairs = typeof listing.work === 'number' ? pairsOf(listing.row.services, listing.subCode) : [];
  const stems = [...heads, ...pairs].filter((stem) => stem.length <= 70);
  for (;;) {
    // Heads name the trade; pairs of services are used once the page has shown all heads.
    const fresh = heads.filter((head) => stems.includes(head) && tracker.repeats(listing, head) === 0);
    const stem = leastRepeated(random, tracker, listing, fresh.length > 0 ? fresh : stems);
    // Heads that contain "in" or a question get no place after them.
    const variants = / in | at |\?|:/.test(stem) ? [(head: string) => head] : places(listing.town);
    const free = variants.map((variant) => variant(stem)).filter((title) => !taken.has(title.toLowerCase()));
    if (free.length > 0) {
      const title = random.pick(free);
      taken.add(title.toLowerCase());
      return { stem, title };
    }
    stems.splice(stems.indexOf(stem), 1);
    if (stems.length === 0) throw new Error(`There are no titles left for ${listing.subCode} in ${listing.town}`);
  }
}

// "In the Northern Territory", but "in Otago".
const withArticle = (region: string) => (/Territory$|^Bay of |Coast$/.test(region) ? `the ${region}` : region);

function namesOf({ row, town, region, owner, years, staff }: DemoListing, since: number): Names {
  const [s, s2] = row.services.filter((one) => isWork.test(one) && !/ and /.test(one)).map(withinSentence);
  return {
    b: row.business_title,
    t: town,
    r: withArticle(region),
    o: owner,
    y: years,
    n: staff,
    since,
    ...(s !== undefined && { s }),
    ...(s2 !== undefined && { s2 }),
  };
}

const isFilledBy = (text: string, names: Names) =>
  (!text.includes('{s}') || names.s !== undefined) && (!text.includes('{s2}') || names.s2 !== undefined);

/** A service of the listing as named within a sentence, if one fits. */
export const getService = (listing: DemoListing): string | undefined => namesOf(listing, 0).s;

// Facts that can open a description.
const opensText = /^(?:We|Our|You|Every|Each|All)\b/;

function writeDescription(random: Random, tracker: Tracker, listing: DemoListing, bank: LocalBank, names: Names) {
  const facts = [...bank.facts, ...bank.regional];
  const shared = filterByClimate(openers, listing.climate).filter((text) => isFilledBy(text, names));
  const isFree = (text: string) => tracker.repeats(listing, text) === 0;
  // In order of preference: leads, then openers or facts by turns, as all trades of a town share the openers.
  const turns = random.chance(0.5) ? [facts, shared] : [shared, facts];
  const choices = [bank.leads, facts.filter((fact) => opensText.test(fact)), ...turns, [...bank.leads, ...shared, ...facts]];
  const opening = leastRepeated(random, tracker, listing, choices.find((texts) => texts.some(isFree)) ?? choices.flat());
  const others = bank.regional.filter((fact) => fact !== opening);
  const regional = others.length > 0 && random.chance(0.75) ? [random.pick(others)] : [];
  const chosen = random.sample(
    bank.facts.filter((fact) => fact !== opening),
    random.int(3, 5) - regional.length,
  );
  const [second = '', ...more] = bank.leads.includes(opening) ? chosen : [random.pick(bank.leads), ...chosen];
  const mannerTexts = random.sample(filterByClimate(manners, listing.climate), random.int(1, 3));
  const closing = random.pick(filterByClimate(closings, listing.climate));
  const endsWithin = random.chance(0.3);
  const paragraphs = [[opening, second], random.sample([...regional, ...more], 6), endsWithin ? [...mannerTexts, closing] : mannerTexts];
  if (!endsWithin && random.chance(0.6)) paragraphs.push([closing]);
  const text = paragraphs
    .filter((sentences) => sentences.length > 0)
    .map((sentences) => sentences.map((sentence) => fill(sentence, names)).join(' '))
    .join('\n\n');
  return { opening, text };
}

// Words of titles that only one of the possible scenes shows.
const shownBy: readonly [RegExp, SceneKind][] = [
  [/gutter|house wash|blasting/i, 'house-ladder'],
  [/garden/i, 'garden-path'],
];

/** Scenes that may be the cover under this title: those it names, otherwise all that show the work. */
function coversFor(title: string, scenes: readonly SceneKind[]): readonly SceneKind[] {
  const kinds = [...new Set(workScenes(scenes))];
  const named = shownBy.flatMap(([words, kind]) => (words.test(title) && kinds.includes(kind) ? [kind] : []));
  return named.length > 0 ? named : kinds;
}

/** Chooses a cover scene that fits the title and that the preceding cards do not show. */
function varyCover(random: Random, tracker: Tracker, listing: DemoListing, { scenes }: LocalBank): string[] {
  const [cover, ...others] = listing.pictures;
  if (!cover) return [];
  const kinds = coversFor(listing.row.service_title, scenes);
  const [kind = cover.kind] = random
    .sample(kinds, kinds.length)
    .map((one) => ({ one, near: tracker.nearness(listing, `cover ${one}`) }))
    .toSorted((a, b) => a.near - b.near)
    .map(({ one }) => one);
  // Swaps with another picture of that scene, if there is one.
  const same = others.find((other) => other.kind === kind);
  if (same) Object.assign(same, { kind: cover.kind, number: cover.number, alt: cover.alt });
  Object.assign(cover, { kind, alt: `${images[kind].alt} in ${listing.town}` });
  return [`cover ${kind}`];
}

/** How many cards apart the same cover may be in a list: a page of a group, and all that one search in a town shows. */
const coverGaps = { group: { gap: pageSize, weight: 60 }, place: { gap: 4, weight: 0 }, local: { gap: 14, weight: 1 } };

/** Chooses cover images so that no first page of a group and no list of a place shows one twice nearby, in each country and both. */
function chooseCoverImages(inOrder: readonly DemoListing[]) {
  const listed = new Map<string, number>();
  const lastShown = new Map<string, number>();
  for (const listing of inOrder) {
    const { row, pictures } = listing;
    const { category_code: group, sub_category_code: sub, country, region_code: region, district_code: district } = row;
    const lists = [
      ...['', country].map((place) => ({ name: `${group} ${place}`, ...coverGaps.group })),
      ...[country, region, district].map((place) => ({ name: `all ${place}`, ...coverGaps.place })),
      ...[region, district].map((place) => ({ name: `${group} ${place}`, ...coverGaps.place })),
      ...[country, region].map((place) => ({ name: `${sub} ${place}`, ...coverGaps.place })),
      { name: `${sub} ${district}`, ...coverGaps.local },
    ];
    for (const { name } of lists) listed.set(name, (listed.get(name) ?? 0) + 1);
    const bank = wordsFor(listing.work, listing.climate);
    // Where the card before has no picture either, the illustrations would be the same.
    if (pictures.length === 0 && lists.some(({ name }) => lastShown.get(`${name} none`) === (listed.get(name) ?? 0) - 1)) {
      const [kind] = coversFor(row.service_title, bank.scenes);
      if (kind) pictures.push({ kind, number: 1, alt: `${images[kind].alt} in ${listing.town}` });
    }
    const [cover] = pictures;
    const record = (shown: string) => {
      for (const { name } of lists) lastShown.set(`${name} ${shown}`, listed.get(name) ?? 0);
    };
    if (!cover) {
      record('none');
      continue;
    }
    const isFirstPage = (name: string) => (listed.get(name) ?? 0) <= pageSize;
    const tooNear = (shown: string) =>
      lists.reduce((sum, { name, gap, weight }) => {
        const distance = (listed.get(name) ?? 0) - (lastShown.get(`${name} ${shown}`) ?? -Infinity);
        // A neighbour is worse than any number of repetitions further away.
        return sum + (distance <= 1 ? 100 : distance < gap ? (isFirstPage(name) ? weight : weight / 20) + 1 / distance : 0);
      }, 0);
    const candidatesOf = (kind: SceneKind) =>
      Array.from({ length: images[kind].images }, (_, index) => ({ kind, number: index + 1, cost: tooNear(`${kind} ${index + 1}`) }));
    const best = (kinds: readonly SceneKind[]) =>
      kinds
        .flatMap(candidatesOf)
        .reduce((one, other) => (other.cost < one.cost ? other : one), { kind: cover.kind, number: 1, cost: Infinity });
    let chosen = best([cover.kind]);
    // Another scene of the work where all images of this one are shown nearby.
    if (chosen.cost > 0) {
      const other = best(coversFor(row.service_title, bank.scenes));
      if (other.cost < chosen.cost) {
        // Swaps with another picture of that scene, if there is one.
        const same = pictures.find(({ kind }) => kind === other.kind);
        if (same) Object.assign(same, { kind: cover.kind, number: chosen.number, alt: cover.alt });
        chosen = other;
      }
    }
    Object.assign(cover, { kind: chosen.kind, number: chosen.number, alt: `${images[chosen.kind].alt} in ${listing.town}` });
    record(`${cover.kind} ${cover.number}`);
  }
}

/** Writes titles, descriptions and covers. Requires listing numbers, because lists are sorted by plan and number. */
export function writeListingTexts(seed: number, listings: readonly DemoListing[], today: number) {
  const tracker = createRepetitionTracker();
  const taken = new Set<string>();
  const year = new Date(today).getUTCFullYear();
  const inOrder = listings.toSorted(
    ({ row: one }, { row: other }) =>
      Number(other.status === 'active') - Number(one.status === 'active') ||
      other.plan_rank - one.plan_rank ||
      other.listing_number - one.listing_number,
  );
  for (const listing of inOrder) {
    const random = randomFrom(getSeed(seed, 'texts', listing.row.id));
    const bank = wordsFor(listing.work, listing.climate);
    const { stem, title } = writeTitle(random, tracker, listing, bank, taken);
    const { opening, text } = writeDescription(random, tracker, listing, bank, namesOf(listing, year - listing.years));
    listing.row.service_title = title;
    listing.row.service_description = text;
    tracker.record(listing, [stem, opening, ...varyCover(random, tracker, listing, bank)]);
  }
  chooseCoverImages(inOrder);
}
