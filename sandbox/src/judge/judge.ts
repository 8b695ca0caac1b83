import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CountryCode } from '@handwise/contract/markets';
import { kmBetween, type Point } from '@handwise/contract/places/distance';
import { findDistrict } from '@handwise/contract/places/regions';
import type { FindPage } from '@handwise/contract/search/calls';
import { findBaseByName } from '@handwise/server/domains/places/places.service';

type Card = FindPage['listings'][number];

/** A search as people type it, the pattern that a right listing's group, sub-category, title or services match, and where it is. */
type JudgedSearch = { market: CountryCode; text: string; right: RegExp; place: string } & Point;

/** One search's result. `wrong` says what is wrong with it, if anything. */
type Judgement = {
  search: JudgedSearch;
  couldBeRight: number;
  isFirstRight: boolean;
  areThreeRight: boolean;
  wrong: string[];
  top: string[];
};

const nearKm = 100;
const elsewhereKm = 150;

export const readJudgedSearches = (file = join(import.meta.dirname, 'judged-searches.tsv')): JudgedSearch[] =>
  readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .slice(1)
    .map((line) => {
      const [market, text = '', right = '', place = '', latitude, longitude] = line.split('\t');
      return {
        market: market === 'AU' ? 'AU' : 'NZ',
        text,
        right: new RegExp(right, 'i'),
        place,
        latitude: Number(latitude),
        longitude: Number(longitude),
      };
    });

/** Where a card's business is based; undefined without a base. */
function findPosition({ base, district }: Pick<Card, 'base' | 'district'>): Point | undefined {
  const code = findDistrict(district)?.district.code;
  return base && code !== undefined ? findBaseByName(code, base) : undefined;
}

const describe = ({ serviceTitle, serviceSubCategory, serviceCategory, base, district, distanceKm, section, plan }: Card) =>
  `${serviceTitle} (${[serviceSubCategory ?? serviceCategory, base ?? district, distanceKm === undefined ? '' : `${Math.round(distanceKm)} km`, plan.planType, section].filter(Boolean).join(', ')})`;

/** Judges the first three of a search against all listings of the country that could be right within 100 km. */
export function judge(search: JudgedSearch, page: Pick<FindPage, 'listings'>, supply: readonly Card[]): Judgement {
  const isRight = (card: Card) =>
    search.right.test([card.serviceCategory, card.serviceSubCategory, card.serviceTitle, ...card.services].join(' | '));
  const kmTo = (card: Card) => {
    const position = findPosition(card);
    return position && kmBetween(search, position);
  };
  const { listings } = page;
  const top = listings.slice(0, 3);
  const couldBeRight = supply.filter((card) => isRight(card) && (kmTo(card) ?? Infinity) <= nearKm).length;
  const isGood = (card: Card | undefined) => card !== undefined && isRight(card) && (kmTo(card) ?? nearKm) <= nearKm;
  const wanted = top.slice(0, Math.min(3, couldBeRight));
  const isFirstRight = isGood(top[0]);
  const areThreeRight = wanted.length === Math.min(3, couldBeRight) && wanted.every(isGood);
  // Where nobody near does this work, the nearest are shown under a heading that says so.
  const isHeaded = (card: Card) => card.section === 'further' && listings.every(({ section }) => section !== 'match');
  const elsewhere = top.filter((card) => card.country !== search.market || ((kmTo(card) ?? 0) > elsewhereKm && !isHeaded(card)));
  const off = listings.filter((card) => {
    const km = kmTo(card);
    return km !== undefined && card.distanceKm !== undefined && Math.abs(card.distanceKm - km) > Math.max(6, km / 4);
  });
  const wrong = [
    ...(listings.length === 0 ? ['nothing is shown'] : []),
    ...(couldBeRight >= 3 && elsewhere.length > 0 ? ['the place is dropped'] : []),
    ...(off.length > 0 ? ['a distance is wrong'] : []),
  ];
  return { search, couldBeRight, isFirstRight, areThreeRight, wrong, top: top.map(describe) };
}

/** The shares among the searches that have a right listing, in percent. */
export function summarize(judgements: readonly Judgement[]) {
  const judged = judgements.filter(({ couldBeRight }) => couldBeRight > 0);
  const share = (is: (one: Judgement) => boolean) => Math.round((1_000 * judged.filter(is).length) / judged.length) / 10;
  return {
    asked: judgements.length,
    judged: judged.length,
    firstRight: share(({ isFirstRight }) => isFirstRight),
    threeRight: share(({ areThreeRight }) => areThreeRight),
    wrong: judgements.flatMap(({ search, wrong }) => wrong.map((what) => `${search.market} ${search.text}: ${what}`)),
  };
}

/** The searches that are not all right, each with what it shows first. */
export const formatTable = (judgements: readonly Judgement[]) =>
  judgements
    .filter(
      ({ couldBeRight, isFirstRight, areThreeRight, wrong }) => wrong.length > 0 || (couldBeRight > 0 && !(isFirstRight && areThreeRight)),
    )
    .map(({ search, couldBeRight, isFirstRight, wrong, top }) => {
      const what = [...wrong, ...(couldBeRight === 0 ? [] : [isFirstRight ? 'not all three are right' : 'the first is not right'])].join(
        '; ',
      );
      return `${search.market} ${search.text} [${couldBeRight} right within ${nearKm} km]: ${what}\n    ${top.join('\n    ') || 'nothing'}`;
    })
    .join('\n');
