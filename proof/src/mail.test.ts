import { expect, test } from 'vitest';
import { formatNote, parseHead } from './checkpoint.ts';
import { findHeads } from './mail.ts';
import { signTestHead, createTestLeaves } from './testing/test-draw.ts';

const note = signTestHead(createTestLeaves(9));
const older = signTestHead(createTestLeaves(3));
const found = (text: string) => findHeads(text).map(formatNote);
const [origin = '', size = '', root = '', , signed = ''] = note.split('\n');

function quotedPrintable(text: string): string {
  const encoded = [...Buffer.from(text)].map((byte) =>
    byte === 10 ? '\n' : byte === 61 || byte > 126 ? `=${byte.toString(16).toUpperCase()}` : String.fromCharCode(byte),
  );
  const lines: string[] = [''];
  for (const unit of encoded) {
    if (unit === '\n') lines.push('');
    else if ((lines.at(-1) ?? '').length + unit.length > 75) lines.splice(-1, 1, `${lines.at(-1)}=`, unit);
    else lines.splice(-1, 1, `${lines.at(-1)}${unit}`);
  }
  return lines.join('\r\n');
}
const base64 = (text: string) =>
  (
    Buffer.from(text)
      .toString('base64')
      .match(/.{1,76}/g) ?? []
  ).join('\r\n');
const letter = (head: string) => `Hello Mere Kingi,\n\nyou have a ticket. Ngā mihi!\n\n${head}\nHandwise · Wellington\n`;
const source = (encoding: string, body: string) =>
  [
    'Subject: You have a ticket',
    'MIME-Version: 1.0',
    'Content-Type: multipart/alternative; boundary="--_x"',
    '',
    '----_x',
    'Content-Type: text/plain; charset=utf-8',
    `Content-Transfer-Encoding: ${encoding}`,
    '',
    body,
    '----_x--',
    '',
  ].join('\r\n');

test('finds a head in an email’s source in every encoding', () => {
  expect(found(source('8bit', letter(note).replaceAll('\n', '\r\n')))).toEqual([note]);
  expect(found(source('quoted-printable', quotedPrintable(letter(note))))).toEqual([note]);
  expect(found(source('base64', base64(letter(note))))).toEqual([note]);
});

test('finds a head wherever the encoding breaks lines', () => {
  for (let length = 0; length < 80; length += 1) {
    const text = letter(`${'x'.repeat(length)} ${note}`);
    expect(found(source('quoted-printable', quotedPrintable(text))), `${length} in quoted-printable`).toEqual([note]);
    expect(found(source('base64', base64(text))), `${length} in base64`).toEqual([note]);
  }
});

test.each([
  ['as it is', letter(note)],
  ['with the line ends of Windows', letter(note).replaceAll('\n', '\r\n')],
  ['quoted', letter(note).replaceAll(/^/gm, '> ')],
  ['quoted twice, tightly', letter(note).replaceAll(/^/gm, '>> ')],
  ['quoted three times, loosely', letter(note).replaceAll(/^/gm, '> > > ')],
  ['indented', letter(note).replaceAll(/^/gm, '    ')],
  ['with blanks at the ends of lines', letter(note).replaceAll('\n', '  \n')],
  ['without the empty line', letter(note.replace('\n\n', '\n'))],
  ['in one line', letter(note).replaceAll('\n', ' ')],
  ['wrapped at its blanks', `${origin}\n${size}\n${root}\n\n—\n${origin}\n${signed.split(' ')[2]}`],
  ['wrapped within the signature', note.replace(/(\S{40})(\S{40})(\S+)\n$/, '$1\n$2\n$3')],
  ['wrapped and quoted', note.replace(/(\S{40})(\S+)\n$/, '$1\n$2').replaceAll(/^/gm, '> ')],
  ['with another dash', note.replace('—', '--')],
  ['with a dash that lost its encoding', note.replace('—', 'â€”')],
  ['with its addresses written twice', note.replaceAll(origin, `${origin}<http://${origin}>`).replaceAll('<', ' <')],
  ['as HTML', `<p>1 &lt; 2</p>${note.trimEnd().split('\n').join('<br/>')}</p>`],
  ['beside a mark of less', `a < b\n${note}\nb > a`],
])('finds a head in text copied %s', (_, text) => {
  expect(found(text)).toEqual([note]);
});

test('finds every head once in a conversation of several emails', () => {
  expect(found(`${letter(note)}\n${letter(older).replaceAll(/^/gm, '> ')}\n${letter(note)}`).toSorted()).toEqual([note, older].toSorted());
});

test('finds no head in other text', () => {
  for (const text of ['', 'Hello', signed, note.replace(origin, 'elsewhere'), note.replace('/draws/', '/raffles/'), note.slice(0, -8)]) {
    expect(found(text)).toEqual([]);
  }
});

test('finds an altered head, whose signature fails', () => {
  const altered = note.replace(`\n${size}\n`, `\n${Number(size) + 1}\n`);
  expect(parseHead(altered)).not.toBeNull();
  expect(found(altered)).toEqual([altered]);
});

test('searches a large email without a head in linear time', () => {
  // A quadratic search takes minutes here.
  expect(found(`${'x/'.repeat(400_000)}\n${'A'.repeat(400_000)}`)).toEqual([]);
});
