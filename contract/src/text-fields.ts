import { z } from 'zod';
import { cleanMachineText, cleanReferralCode } from './machine-text.ts';

// Schemas of all incoming texts. PostgreSQL cannot store NUL, a line break in a name would start a new header line in an email, and
// characters that change the direction of writing can make one text look like another.

const lineBreak = /\r\n|[\r\u2028\u2029]/g;
const notInALine = /[\p{Cc}\u2028\u2029]/u;
const notInLines = /[^\P{Cc}\n\t]/u;
const direction = /[\u202a-\u202e\u2066-\u2069]/;
// At least one visible character: not only spaces, combining marks, joiners, fillers or the empty Braille cell. Joiners within a text are
// allowed, because emoji and several scripts need them.
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

/** One line, trimmed and in Unicode form C, without control or direction characters. It may be empty unless it has a `min`. */
export const line = (missing?: string) => {
  const schema = missing === undefined ? z.string() : z.string({ error: missing });
  return plain(schema.trim().normalize('NFC'), { characters: notInALine, message: textProblems.line });
};

/** A value for machines, such as a number, a code or a search: like `line`, but cleaned of what nobody typed before it is checked. */
export const machineLine = (missing?: string, clean: (text: string) => string = cleanMachineText) => {
  const schema = missing === undefined ? z.string() : z.string({ error: missing });
  return plain(schema.overwrite(clean).normalize('NFC'), { characters: notInALine, message: textProblems.line });
};

export const referralCodeText = (missing?: string) => machineLine(missing, cleanReferralCode);

/** Like `line`, but with tabs and line breaks, which become `\n`. */
export const lines = (missing: string) =>
  plain(
    z
      .string({ error: missing })
      .overwrite((value) => value.replace(lineBreak, '\n'))
      .trim()
      .normalize('NFC'),
    { characters: notInLines, message: textProblems.lines },
  );

/** A password: in Unicode form C, so that every keyboard produces the same, but not trimmed. */
export const secret = (missing: string) =>
  plain(z.string({ error: missing }).normalize('NFC'), { characters: notInALine, message: textProblems.line });

/**
 * A maximum length with its message: `line().max(...atMost(60))` rejects longer texts with "Use at most 60 characters".
 */
export const atMost = (most: number, what = 'characters') => [most, `Use at most ${most} ${what}`] as const;

/** A line that must not be empty. */
export const requiredLine = (missing: string, max: number, tooLong: string = atMost(max)[1]) =>
  line(missing).min(1, missing).max(max, { error: tooLong, abort: true });

const nameLength = 100;
/** A person's name. */
export const personName = () => requiredLine('Name is required', nameLength, `Name must be at most ${nameLength} characters`);

/** Lines that must not be empty. */
export const requiredLines = (missing: string, max: number, tooLong: string = atMost(max)[1]) =>
  lines(missing).min(1, missing).max(max, { error: tooLong, abort: true });

/** An email address, in characters that every mail server accepts. One copied from a link loses its `mailto:`. */
export const emailAddress = (missing: string, invalid: string) =>
  z
    .string({ error: missing })
    .overwrite((text) => cleanMachineText(text).replace(/^mailto:/i, ''))
    .min(1, { error: missing, abort: true })
    .max(254, invalid)
    .pipe(z.email(invalid));
