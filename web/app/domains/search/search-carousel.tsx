import { browseCategories } from '@handwise/contract/listings/categories';
import { useNavigate } from 'react-router';
import { useRootData } from '../../lib/root-data.ts';
import { CategoryCarousel } from './category-carousel.tsx';
import type { FindData } from './find/find-data.ts';
import { findAddress, spelledOut, withCategory } from './find/find-params.ts';
import styles from './browse.module.css';

/** The categories above a search of members, where there is room: pressing the chosen one gives it up. */
export function SearchCarousel({ data: { params, understood } }: { data: FindData }) {
  const { market } = useRootData();
  const navigate = useNavigate();
  const spelled = spelledOut(params, understood, market);
  const chosen = spelled.category ?? '';
  return (
    <div className={styles.above}>
      <CategoryCarousel
        categories={browseCategories}
        chosen={chosen}
        onToggle={(slug) => void navigate(findAddress(withCategory(spelled, slug === chosen ? undefined : slug)))}
      />
    </div>
  );
}
