import { resolve } from 'node:path';
import { root } from './install.mjs';

/**
 * Where nobody says which environment this is, it is a sandbox: then what `npm run stand-ins` left in DATA_DIR is read, for what the environment
 * does not name. In production only the environment counts.
 */
export function staging(environment = process.env) {
  const { NODE_ENV = 'production', SANDBOX = environment.NODE_ENV ? '' : '1', DATA_DIR } = environment;
  const isSandbox = SANDBOX === '1' || (SANDBOX !== '0' && NODE_ENV !== 'production');
  const file = resolve(root, DATA_DIR || '.data', 'stand-ins.env');
  return { env: { NODE_ENV, SANDBOX }, flags: isSandbox ? [`--env-file-if-exists=${file}`] : [] };
}
