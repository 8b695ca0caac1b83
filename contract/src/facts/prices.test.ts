import { expect, test } from 'vitest';
import { formatPrice } from './prices.ts';

const none = { from: null, unit: null, callOut: null, minimumCharge: null, currency: 'NZD' } as const;

test.each([
  [{ ...none, from: 9500, unit: 'hour' }, 'From $95 per hour'],
  [{ ...none, from: 9550, unit: 'square_metre', callOut: 6000 }, 'From $95.50 per m², call-out $60'],
  [{ ...none, from: 123_400, unit: 'job', callOut: 0 }, 'From $1,234 per job, no call-out fee'],
  [{ ...none, callOut: 6050 }, 'Call-out $60.50'],
  [{ ...none, callOut: 0 }, 'No call-out fee'],
  [{ ...none, callOut: 6000, minimumCharge: 12_050 }, 'Call-out $60, minimum charge $120.50'],
  [{ ...none, from: 9500, unit: 'hour', minimumCharge: 0 }, 'From $95 per hour, no minimum charge'],
  [{ ...none, minimumCharge: 12_000 }, 'Minimum charge $120'],
] as const)('%j reads “%s”', (guide, text) => expect(formatPrice(guide)).toBe(text));
