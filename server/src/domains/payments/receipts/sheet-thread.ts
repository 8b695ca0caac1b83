import { parentPort } from 'node:worker_threads';
import type { Drawn, ToDraw } from './sheet-drawing.ts';
import { sheetPdf } from './sheet-pdf.ts';

// The thread that sheet-drawing.ts starts: drawing a sheet is some hundredths of a second in which its thread does nothing else.

const port = parentPort;
if (!port) throw new Error('started without anybody to answer');

port.on('message', ({ id, sheet }: ToDraw) => {
  sheetPdf(sheet).then(
    (pdf) => port.postMessage({ id, pdf } satisfies Drawn),
    (error: unknown) => port.postMessage({ id, failed: String(error) } satisfies Drawn),
  );
});
