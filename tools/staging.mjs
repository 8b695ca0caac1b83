import { resolve } from 'node:path';
import { root } from './install.mjs';

/**
 * Without SANDBOX or NODE_ENV this is a sandbox, which takes missing settings from the file that `npm run stand-ins` wrote to DATA_DIR. In
 * production only the environment applies.
 */
export function staging(environment = process.env) {
  const { NODE_ENV = 'production', SANDBOX = environment.NODE_ENV ? '' : '1', DATA_DIR } = environment;
  const isSandbox = SANDBOX === '1' || (SANDBOX !== '0' && NODE_ENV !== 'production');
  const file = resolve(root, DATA_DIR || '.data', 'stand-ins.env');
  return { env: { NODE_ENV, SANDBOX }, flags: isSandbox ? [`--env-file-if-exists=${file}`] : [] };
}
