import { parentPort } from 'node:worker_threads';
import { setSite } from '@handwise/contract/site/site';
import type { RenderRequest, RenderResult } from './pdf-renderer.ts';
import { renderPdf } from './pdf.ts';

// Started by pdf-renderer.ts: rendering blocks its thread for some hundredths of a second.

const port = parentPort;
if (!port) throw new Error('must be started as a worker');

port.on('message', ({ id, content, site, logo }: RenderRequest) => {
  setSite(site);
  renderPdf(content, logo).then(
    (pdf) => port.postMessage({ id, pdf } satisfies RenderResult),
    (error: unknown) => port.postMessage({ id, failed: String(error) } satisfies RenderResult),
  );
});
