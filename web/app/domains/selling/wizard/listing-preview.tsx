import type { PlanType } from '@handwise/contract/plans/calls';
import { toShownServiceArea } from '@handwise/contract/listings/service-area-form';
import { formatServiceArea } from '@handwise/contract/listings/service-area-words';
import { locationLine, slug } from '@handwise/contract/text';
import { markets } from '@handwise/contract/markets';
import { getObjectUrl } from '../../../lib/pictures/checked-pictures.ts';
import { getExcerpt } from '../../../lib/format.ts';
import { ListingCard } from '../../listings/listing-card.tsx';
import type { Photo } from '../fields/photo-rules.ts';
import { PlacementNote } from '../../listings/placement-label.tsx';
import type { Draft } from './wizard-checks.ts';
import { counted } from '@handwise/contract/numbers';
import styles from './listing-preview.module.css';

type ListingPreviewProps = { draft: Draft; photos: readonly Photo[]; logo: File | null; plan: PlanType };

const categoryPicture = 'handyman';

function getCover(photo: Photo | undefined) {
  if (!photo) return null;
  const src = 'file' in photo ? getObjectUrl(photo.file) : photo.src;
  return { src, srcSet: '', avifSrcSet: '', width: 400, height: 300, thumbhash: '', alt: '' };
}

/** The listing's card as customers will see it, updated while it is written. */
export function ListingPreview({ draft: { business, listing, logoColor }, photos, logo, plan }: ListingPreviewProps) {
  const { country, region, district } = business;
  const place = [district, region, country && markets[country].name].filter(Boolean).join(', ');
  const cover = getCover(photos[0]);
  return (
    <>
      <ListingCard
        key={cover?.src}
        preview
        card={{
          id: '',
          title: listing.title.trim() || 'Your listing’s title',
          business: { name: business.businessName.trim() || 'Your business', logo: logo ? getObjectUrl(logo) : '', color: logoColor },
          categorySlug: slug(listing.category) || categoryPicture,
          serviceArea: formatServiceArea(toShownServiceArea(listing), district),
          place: district,
          location: place ? locationLine(place) : 'Your area',
          description: getExcerpt(listing.description) || 'The first words of your description appear here.',
          averageRating: 0,
          reviewCount: 0,
          plan,
          facts: { price: null, verified: null, others: [] },
          cover,
        }}
      />
      <PlacementNote />
    </>
  );
}

/** The listing in two lines, beside its price. */
export function ListingLine({ draft: { listing, business }, photos }: { draft: Draft; photos: readonly Photo[] }) {
  const cover = photos[0];
  const { country, region, district } = business;
  const place = [district, region, country && markets[country].name].filter(Boolean).join(', ');
  return (
    <div className={styles.line}>
      {cover && 'file' in cover && <img src={getObjectUrl(cover.file)} alt="" width={72} height={54} />}
      <div>
        <p className={styles.title}>{listing.title}</p>
        <p className={styles.facts}>
          {[listing.category, place && locationLine(place), counted(photos.length, 'photo')].filter(Boolean).join(' · ')}
        </p>
      </div>
    </div>
  );
}
