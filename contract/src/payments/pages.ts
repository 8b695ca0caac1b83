import { paths } from '../paths.ts';

const whole = new Set<string>([paths.addListing, paths.addListingAlias, paths.cards, paths.addCard]);
const ofListings = [paths.updatePlan(''), paths.reactivateListing('')];

/** Whether this page has a card form; only there may the provider's script run. */
export const isPaymentPage = (path: string) => whole.has(path) || ofListings.some((start) => path.startsWith(start) && path !== start);
