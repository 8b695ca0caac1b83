import type { ListingCard } from '@handwise/contract/listings';
import { sql } from 'kysely';
import { prepared, type Reader } from '../../../kit/database/database.ts';
import { runForm } from '../../../kit/database/statements.ts';
import type { Remembered } from '../../../kit/remembered.ts';
import { type CardRow, asCard, cardColumns } from '../../listings/listings.service.ts';
import { active } from '../orders/search.lists.queries.ts';
import { type FormsOfFields, formsOfFields } from '../words/search.words.rules.ts';

/** A row with what is made of it for whoever finds it: its card, and the forms of its words. */
export type MadeRow = CardRow & { card: ListingCard; forms: FormsOfFields };

/** A row as a card, which is made once for one that is remembered. */
export const cardOf = (row: CardRow | MadeRow): ListingCard => ('card' in row ? row.card : asCard(row));

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
    const made = { ...row, card: asCard(row), forms: formsOfFields(row) };
    found.set(row.listing_number, made);
    keepers.get(row.listing_number)?.(made, [row.id]);
  }
  return numbers.flatMap((number) => found.get(number) ?? []);
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
