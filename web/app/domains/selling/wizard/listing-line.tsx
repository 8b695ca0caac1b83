import { markets } from '@handwise/contract/markets';
import { counted } from '@handwise/contract/numbers';
import { locationLine } from '@handwise/contract/text';
import { objectUrl } from '../../../lib/pictures/object-url.ts';
import styles from './listing-line.module.css';
import type { Photo } from '../fields/photo-rules.ts';
import type { Draft } from './wizard-draft.ts';

/** The listing in two lines, beside what it costs. */
export function ListingLine({ draft: { listing, business }, photos }: { draft: Draft; photos: readonly Photo[] }) {
  const cover = photos[0];
  const { country, region, district } = business;
  const place = [district, region, country && markets[country].name].filter(Boolean).join(', ');
  return (
    <div className={styles.line}>
      {cover && 'file' in cover && <img src={objectUrl(cover.file)} alt="" width={72} height={54} />}
      <div>
        <p className={styles.title}>{listing.title}</p>
        <p className={styles.facts}>
          {[listing.category, place && locationLine(place), counted(photos.length, 'photo')].filter(Boolean).join(' · ')}
        </p>
      </div>
    </div>
  );
}
