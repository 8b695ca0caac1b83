import { z } from 'zod';

// What every text that comes from outside is made of. PostgreSQL stores no NUL, a line break in a name would begin another
// line of a mail, and characters that turn the direction of writing make a text look like another one.

const lineBreak = /\r\n|[\r\u2028\u2029]/g;
const notInALine = /[\p{Cc}\u2028\u2029]/u;
const notInLines = /[^\P{Cc}\n\t]/u;
const direction = /[\u202a-\u202e\u2066-\u2069]/;
// What is drawn: no spaces, marks alone, joiners, fillers or the empty Braille cell. Joiners inside of a text are fine: emoji and
// several scripts need them.
const drawn = /(?![\p{Default_Ignorable_Code_Point}\u2800])[\p{L}\p{N}\p{P}\p{S}]/u;

const textProblems = {
  line: 'Use one line of text without control characters',
  lines: 'Use text without control characters',
  direction: 'Use text without characters that change the direction of writing',
  broken: 'This text contains a broken character',
  invisible: 'Use characters that can be seen',
} as const;

const plain = (schema: z.ZodString, control: { characters: RegExp; message: string }) =>
  schema
    .refine((value) => value.isWellFormed(), { error: textProblems.broken, abort: true })
    .refine((value) => !control.characters.test(value), { error: control.message, abort: true })
    .refine((value) => !direction.test(value), { error: textProblems.direction, abort: true })
    .refine((value) => value === '' || drawn.test(value), { error: textProblems.invisible, abort: true });

/** One line: trimmed, composed, of characters that can be seen and do no harm. It may be empty unless `min` says otherwise. */
export const line = (missing?: string) => {
  const schema = missing === undefined ? z.string() : z.string({ error: missing });
  return plain(schema.trim().normalize('NFC'), { characters: notInALine, message: textProblems.line });
};

/** Several lines: as `line`, but line breaks (kept as `\n`) and tabs may stand in it. */
export const lines = (missing: string) =>
  plain(
    z
      .string({ error: missing })
      .overwrite((value) => value.replace(lineBreak, '\n'))
      .trim()
      .normalize('NFC'),
    { characters: notInLines, message: textProblems.lines },
  );

/** A password: composed, so that every keyboard gives the same one, but not trimmed. */
export const secret = (missing: string) =>
  plain(z.string({ error: missing }).normalize('NFC'), { characters: notInALine, message: textProblems.line });

/**
 * How much a field takes at most, with the words for what is beyond it: `line().max(...atMost(60))` refuses with "Use at most 60
 * characters".
 */
export const atMost = (most: number, what = 'characters') => [most, `Use at most ${most} ${what}`] as const;

/** A line that must be there. */
export const requiredLine = (missing: string, max: number, tooLong: string = atMost(max)[1]) =>
  line(missing).min(1, missing).max(max, { error: tooLong, abort: true });

const nameLength = 100;
/** What somebody is called. */
export const personName = () => requiredLine('Name is required', nameLength, `Name must be at most ${nameLength} characters`);

/** Several lines that must be there. */
export const requiredLines = (missing: string, max: number, tooLong: string = atMost(max)[1]) =>
  lines(missing).min(1, missing).max(max, { error: tooLong, abort: true });

/** A mail address, of letters that every mail server takes. */
export const emailAddress = (missing: string, invalid: string) =>
  z.string({ error: missing }).trim().min(1, { error: missing, abort: true }).max(254, invalid).pipe(z.email(invalid));
