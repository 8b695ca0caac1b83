import { expect, test } from 'vitest';
import { findSite, getNetwork } from './network.ts';

test.each([
  ['203.0.113.7', '203.0.113.7'],
  ['::ffff:203.0.113.7', '203.0.113.7'],
  ['::FFFF:cb00:7107', '203.0.113.7'],
  ['::ffff:0.0.3.4', '0.0.3.4'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:0DB8:0001:0002::9', '2001:db8:1:2::/64'],
  ['2001:db8::1', '2001:db8:0:0::/64'],
  ['2001:db8:0:0:1::', '2001:db8:0:0::/64'],
  ['2001:db8:0:1::', '2001:db8:0:1::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['', 'unknown'],
  ['203.0.113.7, 10.0.0.1', 'unknown'],
  ['evil.example', 'unknown'],
])('the address %j belongs to the network %s', (address, network) => {
  expect(getNetwork(address)).toBe(network);
});

test.each([
  ['2001:db8:1:2::9', '2001:db8:1::/48'],
  ['2001:db8::9', '2001:db8:0::/48'],
  ['203.0.113.7', undefined],
  ['', undefined],
])('the address %j belongs to the site %s', (address, site) => {
  expect(findSite(getNetwork(address))).toBe(site);
});
