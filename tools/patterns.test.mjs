// Every pattern of the product against texts that repeat what it looks for. The analysis of patterns.mjs is exact about loops, but takes a word
// boundary for a place that each text has once.
import { expect, test } from 'vitest';
import { allowed, checkPatterns, listPatterns } from './patterns.mjs';

const patterns = listPatterns();

test('finds the patterns of contract, server and web', () => {
  expect(patterns.length).toBeGreaterThan(300);
  for (const part of ['contract/', 'proof/', 'server/', 'web/']) expect(patterns.some(({ file }) => file.startsWith(part))).toBe(true);
});

test('no pattern takes more than linear time, and every exception has its reason', () => {
  expect(checkPatterns(patterns)).toEqual([]);
  expect(Object.values(allowed).flatMap((ofFile) => Object.values(ofFile).filter((reason) => reason.length < 10))).toEqual([]);
});

// Reads what toFixed wrote.
const ofOwnTexts = new Set(['contract/src/numbers.ts']);

const common = [' ', '\t', '\n', '.', '-', '_', '[', '(', ')', '/', '<', '>', '"', ',', ':', '@', '+', '=', '0', 'a', 'A', 'ā'];
const words = ['1-', 'a@', 'a.', 'a-', '1 ', 'ab12 ', '00-', 'a/', '- ', '><', '()', '4242 '];

/** The characters and words of a pattern, which lead furthest into it. */
function listRepeated(source) {
  const plain = source.replace(/\\[pP]\{[^}]*\}|\\[a-zA-Z]|\{[\d,]+\}|\(\?<?[=!:]/g, ' ');
  const own = [...new Set(plain.match(/[\p{L}\p{N}]{2,}/gu) ?? [])].slice(0, 6);
  const characters = [...new Set(plain.match(/[^\s\\()[\]{}|?*+^$]/gu) ?? [])].slice(0, 12);
  return [...new Set([...common, ...words, ...own, ...characters, ...own.map((word) => `${word} `)])];
}

const length = 24_000;
/** Quadratic time takes a second and more for such a text, linear time a millisecond or two. */
const longestMs = 300;

/** The shortest of some runs, because others use the machine too. */
function measure(pattern, text) {
  let shortest = Infinity;
  for (let run = 0; run < 3 && shortest > longestMs; run += 1) {
    const startedAt = performance.now();
    text.replace(pattern, '');
    shortest = Math.min(shortest, performance.now() - startedAt);
  }
  return shortest;
}

const textOf = (repeated) => `${repeated.repeat(length / repeated.length)}\n!`;

function listSlowTexts({ source, flags }) {
  const pattern = new RegExp(source, flags.replace('y', ''));
  return listRepeated(source).filter((repeated) => measure(pattern, textOf(repeated)) > longestMs);
}

test('no pattern is slow on a long text of repeated characters', () => {
  const slow = patterns
    .filter(({ file, dynamic }) => !dynamic && !ofOwnTexts.has(file))
    .flatMap((pattern) => listSlowTexts(pattern).map((repeated) => [`${pattern.file}:${pattern.line}`, repeated]));
  expect(slow).toEqual([]);
});
