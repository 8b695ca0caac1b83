/** Why an entry is void: the words of the ticket log and of a proof's counts. */
export const voidReasons = ['administrator', 'suspended', 'deleted', 'swapped', 'fraud', 'unconfirmed'] as const;
export type VoidReason = (typeof voidReasons)[number];
