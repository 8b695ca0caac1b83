import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { notReal, type Verdict, verifyDraw } from './verify.ts';

// npm run --silent draw:verify -- <proof.json or address> [--log <log.txt>] [--checkpoint <mail.txt>] [--commitment <earlier.json>]
// Exits with 0 and the winner's entry id on the last line, or with 1 and the checks that failed.

const usage =
  'npm run --silent draw:verify -- <proof.json or address> [--log <log.txt>] [--checkpoint <mail.txt>] [--commitment <earlier.json>]';
const marks = { passed: 'ok    ', failed: 'FAILS ', 'not-checked': '-     ' } as const;

function report({ steps, isValid, isDrawn, chain, winner, limits }: Verdict): { lines: string[]; code: 0 | 1 } {
  const lines = steps.flatMap(({ state, title, details }) => [`${marks[state]} ${title}`, ...details.map((line) => `         ${line}`)]);
  if (!isValid) return { lines: [...lines, '', 'This draw does not hold: see what FAILS above.'], code: 1 };
  lines.push('', 'What this cannot show:', ...limits.map((line) => `  ${line}`), '');
  if (chain === 'sandbox') lines.push(notReal);
  if (!isDrawn) return { lines: [...lines, 'The announced round is not out in this file: nothing is drawn yet.'], code: 1 };
  return { lines: [...lines, winner?.entryId ?? 'Everything that was checked holds. Nobody won.'], code: 0 };
}

/** Reads a file or URL. */
async function readText(place: string): Promise<string> {
  if (!/^https?:\/\//.test(place)) return (await readFile(resolve(process.env['INIT_CWD'] ?? '', place), 'utf8')).replace(/^\u{feff}/u, '');
  const response = await fetch(place, { signal: AbortSignal.timeout(60_000) });
  if (!response.ok) throw new Error(`${place} answered ${response.status}`);
  return response.text();
}

async function main(): Promise<0 | 1> {
  const text = { type: 'string' } as const;
  const { values, positionals } = parseArgs({ allowPositionals: true, options: { log: text, checkpoint: text, commitment: text } });
  const [proof, ...more] = positionals;
  if (proof === undefined || more.length > 0) throw new Error(usage);
  const readOptional = (place: string | undefined) => (place === undefined ? undefined : readText(place));
  const verdict = verifyDraw({
    proof: await readText(proof),
    log: await readOptional(values.log),
    mail: await readOptional(values.checkpoint),
    commitment: await readOptional(values.commitment),
  });
  const { lines, code } = report(verdict);
  process.stdout.write(`${lines.join('\n')}\n`);
  return code;
}

try {
  process.exitCode = await main();
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
