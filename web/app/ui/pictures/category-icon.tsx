import {
  IconBolt,
  IconCrane,
  IconDroplet,
  IconHammer,
  IconHomeCog,
  IconHomeUp,
  IconPaint,
  IconPlant2,
  IconRoad,
  IconShieldLock,
  IconSpray,
  IconTools,
  IconWindow,
} from '@tabler/icons-react';
import type { ComponentType, CSSProperties } from 'react';
import styles from './category-icon.module.css';

type Look = { icon: ComponentType<{ size?: number | string; stroke?: number | string }>; hue: number };

// Keyed by the group's slug, which never changes. Hues are far enough apart that neighbours in the carousel differ.
const looks: Record<string, Look> = {
  cleaning: { icon: IconSpray, hue: 200 },
  'home-improvement': { icon: IconHomeCog, hue: 340 },
  'alarm-security': { icon: IconShieldLock, hue: 265 },
  'building-construction': { icon: IconCrane, hue: 65 },
  'electrical-gas': { icon: IconBolt, hue: 95 },
  plumbing: { icon: IconDroplet, hue: 235 },
  roofing: { icon: IconHomeUp, hue: 25 },
  painting: { icon: IconPaint, hue: 310 },
  'window-glazing': { icon: IconWindow, hue: 180 },
  'concrete-driveways': { icon: IconRoad, hue: 285 },
  'landscape-lawn-maintenance': { icon: IconPlant2, hue: 145 },
  handyman: { icon: IconHammer, hue: 45 },
};
const other: Look = { icon: IconTools, hue: 165 };

/** Attributes that set `var(--tint)`, `var(--tint-strong)` and `var(--on-tint)` of an element to the category's colours. */
export const getCategoryTint = (slug: string): { style: CSSProperties; 'data-hue': '' } => ({
  style: { '--hue': (looks[slug] ?? other).hue } as CSSProperties,
  'data-hue': '',
});

/** The category's icon on its tint. Decorative: the name is beside it. */
export function CategoryIcon({ slug, size = 56 }: { slug: string; size?: number }) {
  const { icon: Icon } = looks[slug] ?? other;
  const tint = getCategoryTint(slug);
  return (
    <span {...tint} className={styles.tile} style={{ ...tint.style, width: size, height: size }} aria-hidden="true">
      <Icon size={Math.round(size * 0.5)} stroke={1.75} />
    </span>
  );
}

const files = import.meta.glob<string>('./art/*.svg', { query: '?url', import: 'default', eager: true });

/** The category's drawing, 4 : 3, for listings without a picture. */
export const CategoryArt = ({ slug, alt = '' }: { slug: string; alt?: string }) => (
  <img
    className={styles.art}
    src={files[`./art/${slug}.svg`] ?? files['./art/handyman.svg']}
    alt={alt}
    width={400}
    height={300}
    loading="lazy"
    decoding="async"
  />
);
