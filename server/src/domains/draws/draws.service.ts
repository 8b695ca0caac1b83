export { payPrize, strikeWinner, viewPaymentDetails } from './draws.admin.ts';
export { auditDraws } from './draws.audit.ts';
export { checkWinner, erasePaidClaims, reencryptClaims, submitClaim } from './draws.claims.ts';
export type { DrawContext } from './draws.context.ts';
export { listEntriesWithProofs, getOwnDrawData } from './draws.own-entries.ts';
export { createPack, type ListAudited, readProof } from './draws.proof.ts';
export { closeDueDraws, completeDrawsJob, completeDueDraws, runDraw } from './draws.run.ts';
export { drawsTag, getAdminDraw, getDrawManagement, getPublicDraw, listPublicDraws } from './draws.views.ts';
export { followUpWinners, passOnPrizesOfUser } from './draws.winners.ts';
