import { expect, test } from 'vitest';
import { webAddress } from './web-address.ts';

const problemOf = (text: string) => webAddress.safeParse(text).error?.issues[0]?.message;

test.each([
  ['', ''],
  ['kingi.example', 'https://kingi.example'],
  [' http://www.kingi.co.nz/about?x=1#top ', 'http://www.kingi.co.nz/about?x=1#top'],
  ['https://kingi.example:443/', 'https://kingi.example:443/'],
  ['https://pūkeko.nz', 'https://pūkeko.nz'],
  ['https://kingi.example/@mere', 'https://kingi.example/@mere'],
  ['https://localhost.kingi.example', 'https://localhost.kingi.example'],
])('stores %j as %j', (text, address) => {
  expect(webAddress.parse(text)).toBe(address);
});

test.each([
  [
    'Invalid URL format',
    [
      'javascript:alert(1)',
      'data:text/html,x',
      'ftp://kingi.example',
      'https://',
      'https:///',
      'https://kingi..example',
      'https://ki ngi.example',
      'https://kingi.example\\x',
      'https:kingi.example',
      `https://${'a'.repeat(300)}.example`,
    ],
  ],
  [
    'Use an address without a username or password',
    [
      'https://mere@kingi.example',
      'https://mere:pw@kingi.example',
      'https://:pw@kingi.example',
      'https://@kingi.example',
      'https://bank.example@kingi.example/',
    ],
  ],
  [
    'Use an address without a port',
    ['https://kingi.example:8080', 'http://kingi.example:22/', 'kingi.example:81', 'http://kingi.example:443'],
  ],
  [
    'Use the address of a website that everybody can reach',
    `localhost https://localhost https://localhost. https://LOCALHOST https://a.localhost https://intranet https://router/ https://printer.local
     https://printer.local. https://db.internal https://nas.lan https://wiki.corp https://x.home.arpa https://x.test
     http://127.0.0.1 http://10.1.2.3 http://192.168.0.1 http://172.16.0.1 http://172.31.255.1 http://169.254.169.254/latest http://0.0.0.0
     http://2130706433 http://0x7f.1 http://0177.0.0.1 http://127.1 http://１２７.0.0.1
     http://[::1] http://[fe80::1] http://[fd00::1] http://[::ffff:127.0.0.1]`.split(/\s+/),
  ],
])('%s: the website is refused', (message, addresses) => {
  expect(addresses.filter((text) => problemOf(text) !== message)).toEqual([]);
});
