import { createHash } from 'node:crypto';
import { headScript } from './head-script.ts';

/**
 * The hashes of our own scripts: `headScript`, and those that the framework marks with the nonce, which injected scripts lack. The nonces
 * are removed, so that the HTML is always the same.
 */
export function hashOwnScripts(html: string, nonce: string): { html: string; hashes: string[] } {
  const mark = ` nonce="${nonce}"`;
  const own = [...html.matchAll(/<script([^>]*)>([^]*?)<\/script>/g)].filter(
    ([, attributes = '', code]) => code !== '' && (attributes.includes(mark) || code === headScript),
  );
  const hashes = own.map(([, , code = '']) => `'sha256-${createHash('sha256').update(code).digest('base64')}'`);
  return { html: html.replaceAll(mark, ''), hashes: [...new Set(hashes)] };
}
