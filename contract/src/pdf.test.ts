import { expect, test } from 'vitest';
import { isPdf } from './pdf.ts';

const bytes = (text: string) => new Uint8Array(Buffer.from(text, 'latin1'));

test.each([
  ['at once', '%PDF-1.7'],
  ['after a byte order mark', '\u00ef\u00bb\u00bf%PDF-1.4'],
  ['after line breaks', '\r\n\r\n%PDF-2.0'],
  ['after a printer’s commands', '\u001b%-12345X@PJL JOB\n@PJL SET RESOLUTION=600\n%PDF-1.3'],
  ['after a kilobyte, all but its own beginning', `${'x'.repeat(1_016)}%PDF-1.7`],
])('a PDF that begins %s is one', (_, text) => {
  expect(isPdf(bytes(text))).toBe(true);
});

test.each(['', '<!doctype html>', '%PDF', '%PDF-x', '<!doctype html><p>%PDF-1.7', `${'x'.repeat(1_024)}%PDF-1.7`])('%j is none', (text) => {
  expect(isPdf(bytes(text))).toBe(false);
});
