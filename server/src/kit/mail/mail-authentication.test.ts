import { expect, test } from 'vitest';
import { isAuthenticated } from './mail-authentication.ts';
import { findSender, parseHeaders } from './mail-headers.ts';

const check = (results: string, from = 'Mere <mere@example.org>', more = '') => {
  const headers = parseHeaders(Buffer.from(`Authentication-Results: ${results}\r\n${more}From: ${from}\r\n\r\n`));
  const sender = findSender(headers);
  return sender !== undefined && isAuthenticated(headers, sender, 'mx.handwise.example');
};

test.each([
  'mx.handwise.example; dmarc=pass header.from=example.org',
  'MX.Handwise.Example 1; spf=fail smtp.mailfrom=x.example; DMARC=Pass (p=none; dis=none) header.from=Example.org',
  'mx.handwise.example (our; own); dmarc = pass header.from="example.org"',
  'mx.handwise.example;\r\n dkim=pass (2048-bit key; secure) header.d=example.org header.i=@example.org',
  'mx.handwise.example; dkim/1=pass header.i=mere@example.org',
  'mx.handwise.example; dkim=fail header.d=example.org; dkim=pass reason="good; signature" header.d=example.org',
])('accepts what the trusted server confirms: %s', (results) => {
  expect(check(results)).toBe(true);
});

test.each([
  ['another server', 'mx.other.example; dmarc=pass header.from=example.org'],
  ['a failure', 'mx.handwise.example; dmarc=fail header.from=example.org'],
  ['a result that only begins with pass', 'mx.handwise.example; dmarc=passed header.from=example.org'],
  ['a domain that is not the sender’s', 'mx.handwise.example; dmarc=pass header.from=evil.example'],
  ['no domain', 'mx.handwise.example; dmarc=pass'],
  ['a signature of another domain', 'mx.handwise.example; dkim=pass header.d=evil.example header.i=@example.org'],
  ['a result in quotes', 'mx.handwise.example; spf=pass smtp.mailfrom="x; dmarc=pass header.from=example.org; y"@evil.example'],
  ['a result after an escaped quote', 'mx.handwise.example; spf=pass smtp.mailfrom="\\"; dmarc=pass header.from=example.org"@evil.example'],
  ['a property in quotes', 'mx.handwise.example; dkim=pass header.d=evil.example smtp.mailfrom="a header.d=example.org b"@evil.example'],
  ['a property in a comment', 'mx.handwise.example; dmarc=pass (header.from=example.org) header.from=evil.example'],
  ['a result in a comment', 'mx.handwise.example; spf=fail (helo=x; dmarc=pass header.from=example.org)'],
  ['a result in a nested comment', 'mx.handwise.example; spf=fail (a (b) ; dmarc=pass header.from=example.org)'],
  ['a result behind an escaped bracket', 'mx.handwise.example; spf=fail (a \\); dmarc=pass header.from=example.org)'],
  ['a quote that does not end', 'mx.handwise.example; dmarc=pass header.from=example.org; spf=fail smtp.mailfrom="x'],
  ['a property name within another', 'mx.handwise.example; dmarc=pass x-header.from=example.org'],
])('rejects %s', (_, results) => {
  expect(check(results)).toBe(false);
});

test('rejects a mail with several senders or a topmost header of another server', () => {
  const results = 'mx.handwise.example; dmarc=pass header.from=example.org';
  expect(check(results, 'mere@example.org, rua@example.org')).toBe(false);
  expect(check(results, 'mere@example.org', 'From: rua@example.org\r\n')).toBe(false);
  expect(check('mx.other.example; none', 'mere@example.org', `Authentication-Results: ${results}\r\n`)).toBe(false);
});
