import type { ListingCard } from '@handwise/contract/listings';
import { sql } from 'kysely';
import { prepared, type Reader } from '../../../kit/database/database.ts';
import { runForm } from '../../../kit/database/statements.ts';
import { writeOnce } from '../../../kit/kept/written.ts';
import type { Remembered } from '../../../kit/remembered.ts';
import { type CardRow, asCard, cardColumns } from '../../listings/listings.service.ts';
import { active } from '../orders/search.lists.queries.ts';
import { type FormsOfFields, formsOfFields } from '../words/search.words.rules.ts';

/** What is made of a row for whoever finds it: its card, written for all answers, and the forms of its words. */
export type MadeRow = Pick<CardRow, 'listing_number' | 'plan_rank' | 'base_locality_code' | 'category_code' | 'sub_category_code'> & {
  card: ListingCard;
  /** As it is sent: here so that its bytes count. */
  json: string;
  forms: FormsOfFields;
};

/** What is found: as PostgreSQL has it, or as it was made of that and remembered. */
export type FoundRow = CardRow | MadeRow;

/** A row as a card, which is made once for one that is remembered. */
export const cardOf = (row: FoundRow): ListingCard => ('card' in row ? row.card : asCard(row));

/**
 * The cards of these listings in their order. One that has ended since it was found is left out. Each is remembered until its listing changes: those who
 * stand first in one list stand first in many.
 */
export async function cardsOf(db: Reader, cards: Remembered<MadeRow>, numbers: readonly number[]): Promise<MadeRow[]> {
  const found = new Map<number, MadeRow>();
  const keepers = new Map<number, (row: MadeRow, shows: readonly string[]) => void>();
  for (const number of numbers) {
    const known = cards.peek(String(number));
    if (known) found.set(number, known);
    else keepers.set(number, cards.begin(String(number)));
  }
  for (const row of keepers.size === 0 ? [] : await readRows(db, [...keepers.keys()])) {
    const made = madeOf(row);
    found.set(row.listing_number, made);
    keepers.get(row.listing_number)?.(made, [row.id]);
  }
  return numbers.flatMap((number) => found.get(number) ?? []);
}

function madeOf(row: CardRow): MadeRow {
  const { listing_number, plan_rank, base_locality_code, category_code, sub_category_code } = row;
  const card = asCard(row);
  const forms = formsOfFields(row);
  return { listing_number, plan_rank, base_locality_code, category_code, sub_category_code, card, json: writeOnce(card), forms };
}

const readRows = (db: Reader, numbers: readonly number[]): Promise<CardRow[]> =>
  runForm(db, 'search.numbers', [[...numbers]], (reader) =>
    reader
      .selectFrom('listings')
      .modifyFront(prepared)
      .select(cardColumns)
      .where('listing_number', '=', sql<number>`any(${[...numbers]}::int[])`)
      .where('status', '=', active),
  );
