import type { z } from 'zod';
import type { Listing } from '@handwise/contract/listings/calls';
import type { CountryCode } from '@handwise/contract/markets';
import type { listingEdit } from '@handwise/contract/selling/forms';
import type { Context } from '../../kit/context.ts';
import { AppError, invalidField } from '../../kit/errors.ts';
import { fileKey, fileUrl } from '../../kit/files/file-store.ts';
import type { UploadedFile } from '../../kit/files/multipart.ts';
import { attachFiles, detachFiles, discardFiles } from '../../kit/files/stored-files.ts';
import type { Viewer } from '../../kit/identity/session-guard.ts';
import { requestBusinessConfirmation } from '../accounts/accounts.service.ts';
import { toFactColumns } from '../facts/facts.service.ts';
import { claimBusinessNumber } from '../referrals/referrals.service.ts';
import { restartCheck, restartLicenceCheck, settleLicence } from '../registers/registers.service.ts';
import { moveAvailability } from './selling.availability.ts';
import { contentColumns, serviceAreaColumns } from './selling.content.ts';
import { getOwnListing, publishListingChange } from './selling.own-listing.ts';
import { arrangePhotos, storeFiles, storedKeys } from './selling.photos.ts';
import { findOwnListing, lockOwnListing, updateListingRow } from './selling.queries.ts';

type Edit = z.output<typeof listingEdit>;

/**
 * Edits the user's own listing. `serviceImageOrder` keeps, removes and orders pictures; without it all stay and new ones come last. Throws
 * `listing_not_found` for another user's listing.
 */
export async function updateListing(
  context: Context,
  viewer: Viewer,
  market: CountryCode | null,
  id: string,
  form: Edit,
  files: readonly UploadedFile[],
): Promise<Listing> {
  const { db, store } = context;
  const before = await findOwnListing(db, id, viewer.id);
  if (!before) throw new AppError('listing_not_found');
  const content = contentColumns(form, market, { before });
  if (content.country !== before.country) {
    throw invalidField('location', 'A listing stays in its country, because its plan is paid in that currency');
  }
  const facts = toFactColumns(form, content.country, context.clock.now());
  await settleLicence(db, { ...before, ...content, ...facts }, facts, before);
  // Validated before anything is stored.
  serviceAreaColumns(form, content, before);
  const photos = files.filter((file) => file.field === 'serviceImages');
  // Validated before anything is stored, and again under lock because a concurrent request may take the last place.
  arrangePhotos(before, form.serviceImageOrder, photos.length);

  const stored = await storeFiles(
    context,
    viewer.id,
    photos,
    files.find((file) => file.field === 'logo'),
    form.serviceTitle,
  );
  try {
    await db.transaction().execute(async (tx) => {
      const listing = await lockOwnListing(tx, id, viewer.id);
      if (!listing) throw new AppError('listing_not_found');
      const pictures = arrangePhotos(listing, form.serviceImageOrder, photos.length).flatMap((one) =>
        typeof one === 'number' ? (stored.pictures[one] ?? []) : one,
      );
      const logo = stored.logo === null ? (form.usingDefaultLogo ? '' : listing.logo) : fileUrl(stored.logo);
      const licence = await settleLicence(tx, { ...listing, ...content, ...facts }, facts, listing);
      const { business_number: number = listing.business_number } = facts;
      // A register check applies only to this number and name.
      const isOther = number !== listing.business_number || content.business_title !== listing.business_title;
      const stated = { ...listing, ...facts };
      const claim = { register: stated.licence_register, number: stated.licence_number, holder: stated.licence_name };
      const isOtherLicence =
        claim.register !== listing.licence_register ||
        claim.number !== listing.licence_number ||
        claim.holder !== listing.licence_name ||
        stated.licence_class !== listing.licence_class;
      // Locked before the listing's counters, in the same order as the register check.
      if (isOther) await restartCheck(context, tx, { listingId: id, country: content.country, number });
      if (isOtherLicence) await restartLicenceCheck(context, tx, { listingId: id, ...claim });
      await updateListingRow(tx, id, {
        ...content,
        ...facts,
        ...licence,
        ...(isOther && { verified: false }),
        ...serviceAreaColumns(form, content, listing),
        ...moveAvailability(listing, listing, content),
        pictures: JSON.stringify(pictures),
        logo,
        logo_color: form.defaultLogoColor ?? listing.logo_color,
      });
      await requestBusinessConfirmation(context, tx, viewer.id, content.business_email);
      if (isOther && number !== null) await claimBusinessNumber(tx, viewer.id, number, context.clock.now());
      const remaining = new Set(pictures.map((picture) => picture.key));
      const oldLogo = logo === listing.logo ? undefined : fileKey(listing.logo);
      const removed = listing.pictures.map((picture) => picture.key).filter((key) => !remaining.has(key));
      await detachFiles(tx, oldLogo ? [...removed, oldLogo] : removed);
      await attachFiles(tx, storedKeys(stored));
    });
  } catch (error) {
    await discardFiles(db, store, storedKeys(stored));
    throw error;
  }
  publishListingChange(context, [id]);
  return getOwnListing(context, id, viewer);
}
