import { isId } from '@handwise/contract/ids';
import { wishOf } from '../../lib/session/wish.ts';

/** The listing that a visitor wants to save. */
export const saveWish = wishOf('save', 'saveWish', isId);
