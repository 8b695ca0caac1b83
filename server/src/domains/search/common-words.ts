import { readFileSync } from 'node:fs';
import { join } from 'node:path';

let words: ReadonlySet<string> | undefined;

// Loaded on first use, so that a server starts without it.
const load = () =>
  (words ??= new Set(
    readFileSync(join(import.meta.dirname, 'common-words.txt'), 'utf8')
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#')),
  ));

/** Whether a word is ordinary English, so that it is no typing error of another. */
export const isCommonWord = (word: string): boolean => load().has(word);

// Words that say nothing about a job. Words such as "off" and "out" are not among them, because names of work have them.
const least = new Set(
  `not no dont doesnt didnt isnt wont cant cannot never but so if then than as this that these those there here very really quite too
  also just only even still some any every all both each either neither more most much many few less lot lots bit sort kind type thing things stuff something
  anything nothing way be been being am was were will would should could may might must shall do does did doing done have has had having its it he she
  they them their theirs his her hers him your yours you our ours mine myself ourselves whose which what when where why how because since while until unless
  make makes making made come comes coming came go goes going went gone give gives giving gave take takes taking took let lets put puts keep keeps try tries trying say says said
  know knows think thinks like likes use uses used using want wants wanting hi hello hey thanks thank cheers pls plz im ive id ill`.split(
    /\s+/,
  ),
);

/** Whether a word is one of least meaning: without it a text says the same. */
export const isLeastWord = (word: string): boolean => least.has(word);
