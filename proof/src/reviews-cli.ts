import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { verifyReviews } from './reviews.ts';

// npm run --silent reviews:verify -- <reviews.json> [--key <hex>]
// Exits with 0 if the file is as the site signed it, or with 1 and what does not hold. Needs no network.

const usage = 'npm run --silent reviews:verify -- <reviews.json> [--key <the public key in the terms of the site’s draws>]';

async function main(): Promise<0 | 1> {
  const { values, positionals } = parseArgs({ allowPositionals: true, options: { key: { type: 'string' } } });
  const [place, ...more] = positionals;
  if (place === undefined || more.length > 0) throw new Error(usage);
  const text = (await readFile(resolve(process.env['INIT_CWD'] ?? '', place), 'utf8')).replace(/^\u{feff}/u, '');
  const { faults, file } = await verifyReviews(text, values.key);
  if (faults.length > 0 || !file) {
    process.stdout.write(`${faults.map((fault) => `FAILS  ${fault}`).join('\n')}\n`);
    return 1;
  }
  const lines = [
    `ok     ${file.listing.business}, ${file.listing.address}`,
    `ok     ${file.rating.reviews} reviews, ${file.rating.average} stars on average, ${file.removed.length} removed, on ${file.at}`,
    `${values.key === undefined ? '-     ' : 'ok    '} signed with ${file.publicKey}`,
    ...(values.key === undefined
      ? ['       Compare this key with the one in the terms of the site’s draws, or give that one with --key.']
      : []),
    '       Reviews may have been written or removed since.',
  ];
  process.stdout.write(`${lines.join('\n')}\n`);
  return 0;
}

try {
  process.exitCode = await main();
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
