import type { RemovalReason } from './words.ts';

/** Reasons for which the photos of a removed review are deleted at once, because nobody may see them also while an objection is possible. */
export const photosGoAtOnce: readonly RemovalReason[] = ['withdrawn', 'private_details', 'legal'];
