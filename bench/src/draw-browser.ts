import { verifyDraw } from '@handwise/proof/verify';

// The check of a proof as a reader's browser does it, bundled and timed by draw.ts.
declare global {
  // oxlint-disable-next-line no-var
  var check: (evidence: { proof: string; log?: string }) => { ms: number; isValid: boolean };
}

globalThis.check = (evidence) => {
  const startedAt = performance.now();
  const { isValid } = verifyDraw(evidence);
  return { ms: performance.now() - startedAt, isValid };
};
