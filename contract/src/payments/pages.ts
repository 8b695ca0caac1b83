import { paths } from '../paths.ts';

const whole = new Set<string>([paths.addListing, paths.addListingAlias, paths.cards, paths.addCard]);
const ofListings = [paths.updatePlan(''), paths.reactivateListing('')];

/** Whether a card can be typed in on the page of this path: there alone may the payment provider's own script run. */
export const isPaymentPage = (path: string) => whole.has(path) || ofListings.some((start) => path.startsWith(start) && path !== start);
