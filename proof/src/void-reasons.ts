/** Why an entry is void, as written in the ticket log and in proofs. */
export const voidReasons = ['administrator', 'suspended', 'deleted', 'swapped', 'fraud', 'unconfirmed'] as const;
export type VoidReason = (typeof voidReasons)[number];
