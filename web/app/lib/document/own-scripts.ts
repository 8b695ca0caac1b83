import { createHash } from 'node:crypto';
import { headScript } from './head-script.ts';

/**
 * The hashes of the scripts that we put into a page ourselves: our own, and those that the framework marks with the nonce. A script
 * that somebody got into the page by its texts is none of them. The marks are taken out, so that the HTML is the same each time.
 */
export function ownScripts(html: string, nonce: string): { html: string; hashes: string[] } {
  const mark = ` nonce="${nonce}"`;
  const own = [...html.matchAll(/<script([^>]*)>([^]*?)<\/script>/g)].filter(
    ([, attributes = '', code]) => code !== '' && (attributes.includes(mark) || code === headScript),
  );
  const hashes = own.map(([, , code = '']) => `'sha256-${createHash('sha256').update(code).digest('base64')}'`);
  return { html: html.replaceAll(mark, ''), hashes: [...new Set(hashes)] };
}
