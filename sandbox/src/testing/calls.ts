import { readdir } from 'node:fs/promises';
import type { Call } from '@handwise/contract/call';

const contract = new URL('../../../contract/src/', import.meta.url);

const isCall = (value: unknown): value is Call =>
  typeof value === 'object' && value !== null && 'method' in value && 'url' in value && 'access' in value;

/** Every call of the contract, once each. */
export async function contractCalls(): Promise<readonly Call[]> {
  const files = (await readdir(contract, { recursive: true })).filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'));
  const modules = await Promise.all(files.map((name) => import(new URL(name, contract).href) as Promise<object>));
  const calls = modules.flatMap((module) => Object.values(module) as unknown[]).filter(isCall);
  return [...new Map(calls.map((call) => [`${call.method} ${call.url}`, call])).values()];
}
