import { type Bits, both, either, newBits, setBit, without } from './bits.ts';
import { formKey, formOfKey } from './keys.ts';
import type { Stretch } from './forms.ts';
import { addList, addLists, bitsOfKey, lengthOf, placeOf } from './lists.ts';
import type { Segment } from './segment.ts';

/** How many fields have words: title, business name, services. The fourth worth is that a category's name has it. */
const fields = 3;
export const worths = fields + 1;

/** A searched word, its forms as the numbers that the postings know them by. `wide`: so many that lists are gone through instead of looked up. */
export type Word = { forms: readonly number[]; wide: Uint8Array | null; facets: readonly number[]; stretch: Stretch };

const wideFrom = 256;
const nowhere = { from: 0, to: 0 };

/** All forms of `stretch` are meant besides. */
export function wordOf(forms: readonly number[], facets: readonly number[], known: number, stretch: Stretch = nowhere): Word {
  if (forms.length < wideFrom) return { forms, wide: null, facets, stretch };
  const wide = new Uint8Array(known);
  for (const form of forms) wide[form] = 1;
  return { forms, wide, facets, stretch };
}

/** The words of fewest rows first: of what they leave nothing, nobody need look for the others. By one segment, and nearly. */
export function fewestFirst(words: readonly Word[], { lists }: Segment): readonly Word[] {
  if (words.length < 2) return words;
  const rowsOf = ({ forms, facets, stretch }: Word) => {
    const keys = [...facets, ...forms.flatMap((form) => [1, 2, 3].map((field) => formKey(form, field)))];
    const stretches = [1, 2, 3].map((field) =>
      lengthOf(lists, placeOf(lists, formKey(stretch.from, field)), placeOf(lists, formKey(stretch.to, field))),
    );
    const sizes = keys.map((key) => {
      const place = placeOf(lists, key);
      return lists.keys[place] === key ? (lists.sizes[place] as number) : 0;
    });
    return [...stretches, ...sizes].reduce((sum, size) => sum + size, 0);
  };
  const inOrder = words.map((word) => ({ word, rows: rowsOf(word) })).toSorted((one, other) => one.rows - other.rows);
  return inOrder.map(({ word }) => word);
}

/** Adds the rows that the segment has for these keys, as it is now. */
export function addKeys(segment: Segment, keys: readonly number[], to: Bits): void {
  const { lists } = segment;
  for (const key of keys) {
    const place = placeOf(lists, key);
    if (lists.keys[place] === key) addList(lists, place, to);
  }
  if (segment.changes === 0) return;
  withoutChanged(segment, to);
  for (const key of keys) for (const row of segment.added.get(key) ?? []) setBit(to, row);
}

/** Leaves of the rows those that the segment has for any of these keys, and tells how many. */
function keepKeys(segment: Segment, keys: readonly number[], rows: Bits): number {
  const [only] = keys;
  const bits = keys.length === 1 && only !== undefined && segment.changes === 0 ? bitsOfKey(segment.lists, only) : undefined;
  if (bits) return both(rows, rows, bits);
  some.fill(0);
  addKeys(segment, keys, some);
  return both(rows, rows, some);
}

const withoutChanged = ({ changed }: Segment, of: Bits) => without(of, of, changed);

function addField({ lists }: Segment, { forms, wide, stretch }: Word, field: number, to: Bits) {
  if (stretch.to > stretch.from)
    addLists(lists, placeOf(lists, formKey(stretch.from, field)), placeOf(lists, formKey(stretch.to, field)), to);
  if (!wide) {
    for (const form of forms) {
      const key = formKey(form, field);
      const place = placeOf(lists, key);
      if (lists.keys[place] === key) addList(lists, place, to);
    }
    return;
  }
  const end = placeOf(lists, formKey(0, field + 1));
  for (let place = placeOf(lists, formKey(0, field)); place < end; place += 1) {
    if (wide[formOfKey(lists.keys[place] as number)] === 1) addList(lists, place, to);
  }
}

function addedOfField({ added }: Segment, { forms, wide, stretch }: Word, field: number, to: Bits) {
  if (stretch.to > stretch.from) {
    const [from, below] = [formKey(stretch.from, field), formKey(stretch.to, field)];
    for (const [key, rows] of added) if (key >= from && key < below) for (const row of rows) setBit(to, row);
  }
  if (!wide) {
    for (const form of forms) for (const row of added.get(formKey(form, field)) ?? []) setBit(to, row);
    return;
  }
  const [from, below] = [formKey(0, field), formKey(0, field + 1)];
  for (const [key, rows] of added) {
    if (key >= from && key < below && wide[formOfKey(key)] === 1) for (const row of rows) setBit(to, row);
  }
}

/** Whether the segment can have any match of a word: cheaply, and yes where that would take longer. */
function mayHave({ lists, added }: Segment, { forms, wide, facets, stretch }: Word) {
  if (wide || stretch.to > stretch.from) return true;
  const has = (key: number) => lists.keys[placeOf(lists, key)] === key || added.has(key);
  return facets.some(has) || forms.some((form) => [1, 2, 3].some((field) => has(formKey(form, field))));
}

const upTo = Array.from({ length: worths }, newBits);
const some = newBits();

/** The rows that have a word within their first fields: `upTo[0]` in the title, and so on. Without worths only the last is told. */
function findWord(segment: Segment, word: Word, byWorth: boolean) {
  const [last] = upTo.slice(-1);
  if (!last) return;
  last.fill(0);
  for (let field = 1; field <= fields; field += 1) {
    addField(segment, word, field, last);
    if (byWorth) upTo[field - 1]?.set(last);
  }
  if (segment.changes > 0) {
    for (const bits of byWorth ? upTo : [last]) withoutChanged(segment, bits);
    for (let field = 1; field <= fields; field += 1) {
      for (const bits of byWorth ? upTo.slice(field - 1) : [last]) addedOfField(segment, word, field, bits);
    }
  }
  if (word.facets.length === 0) return;
  some.fill(0);
  addKeys(segment, word.facets, some);
  either(last, last, some);
}

type Asked = { words: readonly Word[]; facets: readonly (readonly number[])[]; byWorth: boolean };

/**
 * The active rows of a segment that have all words and facets, into `found`: those whose words all stand in the title, in title or business
 * name, and so on; without worths all are told by the last. Returns how many there are.
 */
export function matchSegment(segment: Segment, { words, facets, byWorth }: Asked, found: readonly Bits[]): number {
  const all = found.at(-1);
  if (!all || !words.every((word) => mayHave(segment, word))) return 0;
  let total = both(all, segment.active, segment.active);
  for (const keys of facets) {
    if ((total = keepKeys(segment, keys, all)) === 0) return 0;
  }
  const last = upTo.at(-1);
  for (const [index, word] of words.entries()) {
    findWord(segment, word, byWorth);
    if (byWorth) {
      for (let worth = 0; worth < fields; worth += 1) {
        const those = found[worth] as Bits;
        both(those, index === 0 ? all : those, upTo[worth] as Bits);
      }
    }
    if (!last || (total = both(all, all, last)) === 0) return 0;
  }
  return total;
}
