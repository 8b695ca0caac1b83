import { readFileSync } from 'node:fs';
import { StartupError } from '../kit/startup-error.ts';

type Source = Record<string, string | undefined>;

const problems: Record<string, string> = {
  ENOENT: 'does not exist',
  EACCES: 'may not be read',
  EISDIR: 'is a folder: a mount whose source is missing becomes one',
};

/** The text of a file without a byte order mark and the line break that editors and `echo` add. Other white space may belong to a secret. */
function readSecret(name: string, path: string): string {
  let text: string;
  try {
    text = readFileSync(path, 'utf8')
      .replace(/^\uFEFF/, '')
      .replace(/\r?\n$/, '');
  } catch (error) {
    const { code = '' } = error as { code?: string };
    throw new StartupError(`${name}_FILE is ${path}, which ${problems[code] ?? `could not be read (${code})`}.`);
  }
  if (text.trim() === '') throw new StartupError(`${name}_FILE is ${path}, which is empty.`);
  if (/[\r\n]/.test(text.trim()) && !text.trimStart().startsWith('{'))
    throw new StartupError(`${name}_FILE is ${path}, which has several lines: it must hold the value alone.`);
  return text;
}

/**
 * The variables with those read that `NAME_FILE` names files for, as container platforms provide secrets. Throws one `StartupError` with a line for each
 * that cannot be used; the lines never contain what a file says.
 */
export function withFiles(source: Source, names: readonly string[]): Source {
  const read: Source = {};
  const faults: string[] = [];
  for (const name of names) {
    const path = source[`${name}_FILE`];
    if (!path) continue;
    try {
      if (source[name]) throw new StartupError(`${name} and ${name}_FILE are both set: keep one.`);
      read[name] = readSecret(name, path);
    } catch (error) {
      if (!(error instanceof StartupError)) throw error;
      faults.push(...error.lines);
    }
  }
  if (faults.length > 0) throw new StartupError(...faults);
  return { ...source, ...read };
}
