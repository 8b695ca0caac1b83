import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react';
import { useCallback, useEffect, useRef, useState } from 'react';
import { CategoryIcon } from '../../ui/pictures/category-icon.tsx';
import styles from './category-carousel.module.css';
import { browseCategories } from '@handwise/contract/listings/categories';
import { isTradeShown } from '@handwise/contract/site/open';
import { useNavigate } from 'react-router';
import { useRootData } from '../../lib/root-data.ts';
import type { FindData } from './find/find-data.ts';
import { findAddress, getExplicitParams, withCategory } from './find/find-params.ts';
import browseStyles from './browse.module.css';

type CategoryCarouselProps = {
  categories: readonly { name: string; slug: string }[];
  chosen: string;
  onToggle: (slug: string) => void;
};

/** The top categories in a row that scrolls by touch, by its two buttons or to the focused tile. */
export function CategoryCarousel({ categories, chosen, onToggle }: CategoryCarouselProps) {
  const strip = useRef<HTMLUListElement>(null);
  const [ends, setEnds] = useState({ atStart: true, atEnd: false });

  const measure = useCallback(() => {
    const element = strip.current;
    if (!element) return;
    const left = Math.round(element.scrollLeft);
    setEnds({ atStart: left <= 0, atEnd: left >= element.scrollWidth - element.clientWidth - 1 });
  }, []);

  useEffect(() => {
    const element = strip.current;
    if (!element) return;
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, [measure]);

  // The chosen category may be scrolled out of view.
  useEffect(() => {
    const element = strip.current;
    const tile = element?.children[categories.findIndex(({ slug }) => slug === chosen)];
    if (!element || !(tile instanceof HTMLElement)) return;
    const hidden = tile.offsetLeft < element.scrollLeft || tile.offsetLeft + tile.offsetWidth > element.scrollLeft + element.clientWidth;
    if (hidden) element.scrollTo({ left: tile.offsetLeft - (element.clientWidth - tile.offsetWidth) / 2 });
  }, [categories, chosen]);

  const step = (direction: 1 | -1) => strip.current?.scrollBy({ left: direction * strip.current.clientWidth });

  return (
    <section className={styles.carousel} aria-label="Top categories">
      <button type="button" className={styles.step} aria-label="Previous categories" disabled={ends.atStart} onClick={() => step(-1)}>
        <IconChevronLeft size={22} stroke={1.75} aria-hidden="true" />
      </button>
      <ul ref={strip} className={styles.strip} onScroll={measure}>
        {categories.map(({ name, slug }) => (
          <li key={slug}>
            <button type="button" className={styles.tile} aria-pressed={chosen === slug} onClick={() => onToggle(slug)}>
              <CategoryIcon slug={slug} size={64} />
              <span>{name}</span>
            </button>
          </li>
        ))}
      </ul>
      <button type="button" className={styles.step} aria-label="Next categories" disabled={ends.atEnd} onClick={() => step(1)}>
        <IconChevronRight size={22} stroke={1.75} aria-hidden="true" />
      </button>
    </section>
  );
}

/** The categories above a member's search on wide screens; pressing the chosen one deselects it. */
export function SearchCarousel({ data: { params, understood } }: { data: FindData }) {
  const { market } = useRootData();
  const navigate = useNavigate();
  const explicit = getExplicitParams(params, understood, market);
  const chosen = explicit.category ?? '';
  return (
    <div className={browseStyles.above}>
      <CategoryCarousel
        categories={browseCategories.filter(({ slug }) => isTradeShown(slug))}
        chosen={chosen}
        onToggle={(slug) => void navigate(findAddress(withCategory(explicit, slug === chosen ? undefined : slug)))}
      />
    </div>
  );
}
