import { randomUUID } from 'node:crypto';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';

const codeOf = (error: unknown) => (error instanceof Error && 'code' in error ? String(error.code) : String(error));

/** Whether a file can be written in the folder of a variable, which is made if need be: undefined, or a line that names the variable. */
export async function folderFault(name: string, dir: string): Promise<string | undefined> {
  const probe = join(dir, `.probe-${randomUUID()}`);
  try {
    await mkdir(dir, { recursive: true });
    await writeFile(probe, '');
    return undefined;
  } catch (error) {
    return `${name} is ${resolve(dir)}, but nothing can be written there (${codeOf(error)}).`;
  } finally {
    await rm(probe, { force: true }).catch(() => {});
  }
}
