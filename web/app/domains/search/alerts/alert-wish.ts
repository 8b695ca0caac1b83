import { wishOf } from '../../../lib/session/wish.ts';

/** The search, as parameters, of whose new listings a visitor wants to hear. */
export const alertWish = wishOf('alert', 'alertWish', (text) => /^[a-zA-Z]+=[\w.*%+=&~-]{1,900}$/.test(text));
