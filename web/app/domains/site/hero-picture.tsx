import { lazy, Suspense, useState } from 'react';
import './hero-paints.module.css';
import './hero-scene.module.css';

const HeroScene = lazy(async () => ({ default: (await import('./hero-scene.tsx')).HeroScene }));
const id = 'hero-picture';

/**
 * The street beside the first words. The page comes with it drawn, so a browser that begins here takes it as it stands and
 * loads no code for it; only who comes from another page has it drawn by script.
 */
export function HeroPicture() {
  const [drawn] = useState(() => (typeof document === 'undefined' ? undefined : document.getElementById(id)?.innerHTML));
  if (drawn) return <div id={id} dangerouslySetInnerHTML={{ __html: drawn }} suppressHydrationWarning />;
  return (
    <div id={id}>
      <Suspense fallback={null}>
        <HeroScene />
      </Suspense>
    </div>
  );
}
