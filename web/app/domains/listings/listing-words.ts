import type { ListingView } from './listing-view.ts';

/** How a business can be reached until messages open: only by what its page really shows. */
export const untilMessages = ({ name, website }: Pick<ListingView['business'], 'name' | 'website'>) =>
  website
    ? `Messages open soon. Until then you can reach ${name} through its website, ${website.label}.`
    : `Messages open soon, and ${name} names no other way to be reached. Please come back in a little while.`;
