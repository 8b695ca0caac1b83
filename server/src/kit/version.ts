import { readFileSync } from 'node:fs';

const { version: number } = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8')) as { version: string };

/** The version of this program, as the changelog numbers it. npm's variable is missing where a supervisor or a container starts it. */
export const version = number;
