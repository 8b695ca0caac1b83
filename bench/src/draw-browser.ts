import { verifyDraw } from '@handwise/proof/verify';

// What a reader's browser does with a proof and a log: read by main thread as text, checked, timed by the page itself.
declare global {
  // oxlint-disable-next-line no-var
  var check: (evidence: { proof: string; log?: string }) => { ms: number; isValid: boolean };
}

globalThis.check = (evidence) => {
  const begun = performance.now();
  const { isValid } = verifyDraw(evidence);
  return { ms: performance.now() - begun, isValid };
};
