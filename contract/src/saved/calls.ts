import { z } from 'zod';
import type { Call } from '../call.ts';
import { listingId, listingPage, pageQuery } from '../listings/calls.ts';

export const savedPageSize = 10;
/** Small enough for one call to list all ids. */
export const maxSaved = 1_000;

const isSaved = z.object({ isSaved: z.boolean() });

export const saveListingCall = {
  method: 'POST',
  url: '/listing/saved/:id',
  summary: 'Save an active listing',
  details: 'Saving it again changes nothing.',
  access: 'session',
  params: listingId,
  response: isSaved,
  errors: ['not_authenticated', 'listing_not_found', 'listing_gone', 'too_many_saved'],
} as const satisfies Call;

export const unsaveListingCall = {
  method: 'DELETE',
  url: '/listing/saved/delete/:id',
  summary: 'Remove a listing from your saved ones',
  details: 'It may have ended, or not been saved at all.',
  access: 'session',
  params: listingId,
  response: isSaved,
  errors: ['not_authenticated'],
} as const satisfies Call;

export const checkSavedCall = {
  method: 'GET',
  url: '/listing/saved/check/:id',
  summary: 'Check whether you have saved a listing',
  access: 'session',
  params: listingId,
  response: isSaved,
  errors: ['not_authenticated'],
} as const satisfies Call;

export const listSavedIdsCall = {
  method: 'GET',
  url: '/listing/saved/ids',
  summary: 'List the ids of all your saved listings',
  details: 'This gives all the hearts of a page in one call.',
  access: 'session',
  response: z.object({ ids: z.array(z.uuid()) }),
  errors: ['not_authenticated'],
} as const satisfies Call;

export const listSavedCall = {
  method: 'GET',
  url: '/listing/saved/find',
  summary: 'List your saved listings, last saved first',
  details: 'Ended ones stay in the list with their status.',
  access: 'session',
  query: z.strictObject(pageQuery),
  response: listingPage,
  errors: ['not_authenticated'],
} as const satisfies Call;
