export type { Business, EvidenceAsks, SharedNumber } from './evidence.asks.ts';
export type { EvidenceContext } from './evidence.context.ts';
export { beginCheck } from './evidence.checks.ts';
export { evidenceColumnsOf } from './evidence.columns.ts';
export { deleteChecks, registerCheck, verifiedBy } from './evidence.queries.ts';
export { asEvidence, asOwnCheck } from './evidence.views.ts';
