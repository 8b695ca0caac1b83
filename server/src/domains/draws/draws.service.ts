export { lookAtDetails, payPrize, strikeWinner } from './draws.administration.ts';
export { checkWinner, erasePaidClaims, renewSeals, submitClaim } from './draws.claims.ts';
export { closeDueDraws, findRound, runDraw } from './draws.closing.ts';
export { completeDueDraws } from './draws.drawing.ts';
export { listOwn, ownDataOf } from './draws.own-entries.ts';
export { packOf } from './draws.pack.ts';
export { readProof } from './draws.proof.ts';
export { getAdminDraw, getDrawManagement, getPublicDraw, listPublicDraws } from './draws.views.ts';
export { followUpWinners, passOnPrizesOf } from './draws.winners.ts';
