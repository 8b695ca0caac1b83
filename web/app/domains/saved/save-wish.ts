import { wishOf } from '../../lib/session/wish.ts';

/** The listing that a visitor wants to save. */
export const saveWish = wishOf('save', 'saveWish', (text) => /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(text));
