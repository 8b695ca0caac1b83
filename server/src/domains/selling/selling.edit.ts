import type { Listing } from '@handwise/contract/listings/calls';
import type { CountryCode } from '@handwise/contract/markets';
import type { listingEdit } from '@handwise/contract/selling/forms';
import type { z } from 'zod';
import type { Context } from '../../kit/context.ts';
import { AppError, invalidField } from '../../kit/errors.ts';
import { fileKey, fileUrl } from '../../kit/files/files.ts';
import type { UploadedFile } from '../../kit/files/multipart.ts';
import type { Viewer } from '../../kit/identity/session-guard.ts';
import { attachFiles, detachFiles, discardFiles } from '../../kit/files/stored-files.ts';
import { beginCheck, evidenceColumnsOf } from '../evidence/evidence.service.ts';
import { contentOf } from './selling.content.ts';
import { arrangeWithinPlan, keysOf, storeFiles } from './selling.photos.ts';
import * as queries from './selling.queries.ts';
import { serviceAreaOf } from './selling.service-area.ts';
import { askBusinessAddress } from '../accounts/accounts.service.ts';
import { noteBusinessNumber } from '../referrals/referrals.service.ts';
import { showOwn, tell } from './selling.answer.ts';

type Edit = z.output<typeof listingEdit>;

/**
 * Changes one's own listing. Pictures stay, go and move as `serviceImageOrder` says; without it they all stay and new ones
 * come last. Throws `listing_not_found` for somebody else's.
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
  const before = await queries.findOwn(db, id, viewer.id);
  if (!before) throw new AppError('listing_not_found');
  const content = contentOf(form, market);
  if (content.country !== before.country) {
    throw invalidField('location', 'A listing stays in its country, because its plan is paid in that currency');
  }
  const evidence = evidenceColumnsOf(form, content.country, context.clock.now());
  // Seen before anything is stored.
  serviceAreaOf(form, content, before);
  const photos = files.filter((file) => file.field === 'serviceImages');
  // Seen before anything is stored, and again under lock: another request may take the last place meanwhile.
  arrangeWithinPlan(before, form.serviceImageOrder, photos.length);

  const stored = await storeFiles(
    context,
    viewer.id,
    photos,
    files.find((file) => file.field === 'logo'),
    form.serviceTitle,
  );
  try {
    await db.transaction().execute(async (tx) => {
      const listing = await queries.lockOwn(tx, id, viewer.id);
      if (!listing) throw new AppError('listing_not_found');
      const pictures = arrangeWithinPlan(listing, form.serviceImageOrder, photos.length).flatMap((one) =>
        typeof one === 'number' ? (stored.pictures[one] ?? []) : one,
      );
      const logo = stored.logo === null ? (form.usingDefaultLogo ? '' : listing.logo) : fileUrl(stored.logo);
      const { business_number: number = listing.business_number } = evidence;
      // What a register said, it said of another number or another name.
      const isOther = number !== listing.business_number || content.business_title !== listing.business_title;
      // Before the listing is counted anew, as whoever writes down what a register said does.
      if (isOther) await beginCheck(context, tx, { listingId: id, country: content.country, number });
      await queries.updateListing(tx, id, {
        ...content,
        ...evidence,
        ...(isOther && { verified: false }),
        ...serviceAreaOf(form, content, listing),
        pictures: JSON.stringify(pictures),
        logo,
        logo_color: form.defaultLogoColor ?? listing.logo_color,
      });
      await askBusinessAddress(context, tx, viewer.id, content.business_email);
      if (isOther && number !== null) await noteBusinessNumber(tx, viewer.id, number, context.clock.now());
      const kept = new Set(pictures.map((picture) => picture.key));
      const oldLogo = logo === listing.logo ? undefined : fileKey(listing.logo);
      const gone = listing.pictures.map((picture) => picture.key).filter((key) => !kept.has(key));
      await detachFiles(tx, oldLogo ? [...gone, oldLogo] : gone);
      await attachFiles(tx, keysOf(stored));
    });
  } catch (error) {
    await discardFiles(db, store, keysOf(stored));
    throw error;
  }
  tell(context, [id]);
  return showOwn(context, id, viewer);
}
