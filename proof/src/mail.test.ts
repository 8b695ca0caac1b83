import { expect, test } from 'vitest';
import { noteOf, parseHead } from './checkpoint.ts';
import { findHeads } from './mail.ts';
import { headOf, madeLeaves } from './testing/made-draw.ts';

const note = headOf(madeLeaves(9));
const older = headOf(madeLeaves(3));
const found = (text: string) => findHeads(text).map(noteOf);
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

test('a head is found in a mail’s source, however it is encoded', () => {
  expect(found(source('8bit', letter(note).replaceAll('\n', '\r\n')))).toEqual([note]);
  expect(found(source('quoted-printable', quotedPrintable(letter(note))))).toEqual([note]);
  expect(found(source('base64', base64(letter(note))))).toEqual([note]);
});

test('the source of each of many lengths of text before it is decoded, wherever the encoding breaks its lines', () => {
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
])('a head is found in what was copied %s', (_, text) => {
  expect(found(text)).toEqual([note]);
});

test('every head is found once, in a conversation of several mails', () => {
  expect(found(`${letter(note)}\n${letter(older).replaceAll(/^/gm, '> ')}\n${letter(note)}`).toSorted()).toEqual([note, older].toSorted());
});

test('what is no head is not found', () => {
  for (const text of ['', 'Hello', signed, note.replace(origin, 'elsewhere'), note.replace('/draws/', '/raffles/'), note.slice(0, -8)]) {
    expect(found(text)).toEqual([]);
  }
});

test('a head that somebody altered is found as it stands: its signature says so', () => {
  const altered = note.replace(`\n${size}\n`, `\n${Number(size) + 1}\n`);
  expect(parseHead(altered)).not.toBeNull();
  expect(found(altered)).toEqual([altered]);
});

test('a large mail without a head is read in no time that grows with its square', () => {
  // With a search that begins anew at each character this takes minutes.
  expect(found(`${'x/'.repeat(400_000)}\n${'A'.repeat(400_000)}`)).toEqual([]);
});
