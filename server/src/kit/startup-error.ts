import { randomUUID } from 'node:crypto';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';

/** Errors of the environment that an operator has to fix, one line each. Shown without a stack, because the code is not at fault. */
export class StartupError extends Error {
  readonly lines: readonly string[];

  constructor(...lines: string[]) {
    super(lines.join('\n'));
    this.lines = lines;
  }
}

const ofPort: Record<string, string> = {
  EADDRINUSE: 'something else listens there already',
  EACCES: 'this user may not listen there',
  EADDRNOTAVAIL: 'HOST is none of this machine’s addresses',
  ENOTFOUND: 'HOST is none of this machine’s addresses',
};

/** An error of listening as a line that names the port's variable; any other error unchanged. */
export function toPortError(name: string, port: number, error: unknown): unknown {
  const why = error instanceof Error && 'code' in error ? ofPort[String(error.code)] : undefined;
  return why === undefined ? error : new StartupError(`${name} is ${port}, but ${why}.`);
}

/** Prints the lines of a `StartupError`, and any other error with its stack. */
export function reportStartupError(error: unknown, print: (text: string | Error) => void = console.error): void {
  if (error instanceof StartupError) print(['Not started:', ...error.lines.map((line) => `  ${line}`)].join('\n'));
  else print(error instanceof Error ? error : String(error));
}

const getErrorCode = (error: unknown) => (error instanceof Error && 'code' in error ? String(error.code) : String(error));

/** Undefined if the folder is writable, else a line that names its variable. Creates the folder if it is missing. */
export async function findFolderError(name: string, dir: string): Promise<string | undefined> {
  const probe = join(dir, `.probe-${randomUUID()}`);
  try {
    await mkdir(dir, { recursive: true });
    await writeFile(probe, '');
    return undefined;
  } catch (error) {
    return `${name} is ${resolve(dir)}, but nothing can be written there (${getErrorCode(error)}).`;
  } finally {
    await rm(probe, { force: true }).catch(() => {});
  }
}
