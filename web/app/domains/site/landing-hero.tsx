import './hero-paints.module.css';
import './hero-scene.module.css';
import { count, counted } from '@handwise/contract/numbers';
import { paths } from '@handwise/contract/paths';
import { Link } from 'react-router';
import { breakpoints } from '../../lib/breakpoints.ts';
import { formatRating } from '../../lib/format.ts';
import { getLoginPath } from '../../lib/session/redirect.ts';
import { ButtonLink } from '../../ui/forms/button.tsx';
import { Container } from '../../ui/page/page.tsx';
import { Picture } from '../../ui/pictures/picture.tsx';
import { RatingLine } from '../../ui/pictures/stars.tsx';
import { SearchForm } from '../search/bar/search-form.tsx';
import { HeroText } from './site-sections.tsx';
import type { LandingData } from './landing-data.server.ts';
import styles from './landing-hero.module.css';
import { lazy, Suspense, useState } from 'react';

function Proofs({ facts }: { facts: LandingData['facts'] }) {
  const proofs = [
    { value: facts.listings, figure: count(facts.listings), text: 'services listed now' },
    { value: facts.reviews, figure: formatRating(facts.averageRating), text: `average of ${counted(facts.reviews, 'review')}` },
    { value: facts.leadsLastMonth, figure: count(facts.leadsLastMonth), text: 'messages to pros last month' },
  ].filter((proof) => proof.value > 0);
  return (
    <dl className={styles.proofs}>
      {proofs.map(({ figure, text }) => (
        <div key={text}>
          <dt>{text}</dt>
          <dd className="tabular">{figure}</dd>
        </div>
      ))}
    </dl>
  );
}

const Fan = ({ featured }: { featured: LandingData['featured'] }) => (
  <ul className={styles.fan} aria-label="Three of the listings">
    {featured.map((one) => (
      <li key={one.id}>
        <Link to={paths.listing(one.id)} className={`card ${styles.fanCard}`}>
          <Picture picture={one.cover} categorySlug={one.categorySlug} sizes={`(min-width: ${breakpoints.tablet}px) 200px, 148px`} alt="" />
          <span className={styles.fanBody}>
            <span className={styles.fanTitle}>{one.title}</span>
            <RatingLine average={one.averageRating} reviews={one.reviewCount} />
            <span className={styles.fanPlace}>{one.place}</span>
          </span>
        </Link>
      </li>
    ))}
  </ul>
);

/** The purpose of the site, what to do, and three listings. */
export const LandingHero = ({ facts, featured }: Pick<LandingData, 'facts' | 'featured'>) => (
  <section className={styles.hero} aria-labelledby="hero-heading">
    <Container>
      <div className={styles.heroGrid}>
        <HeroText
          title="Need a Home Service? Message Pros for Free"
          lead="Plumbers, painters, gardeners and more, near you in New Zealand and Australia. You write, they answer, you decide."
          form={<SearchForm />}
          actions={
            <>
              <ButtonLink to={getLoginPath(paths.browse)} kind="secondary">
                Browse Pros near you
              </ButtonLink>
              <Link to={paths.pros}>I run a business</Link>
            </>
          }
        >
          <Proofs facts={facts} />
        </HeroText>
        <div className={styles.stage}>
          <div className={styles.scene}>
            <HeroPicture />
          </div>
          {featured.length === 3 && <Fan featured={featured} />}
        </div>
      </div>
    </Container>
  </section>
);

const HeroScene = lazy(async () => ({ default: (await import('./hero-scene.tsx')).HeroScene }));
const id = 'hero-picture';

/**
 * The street beside the heading. It is in the server's HTML, so a browser that starts here keeps it and loads no code for it; client-side
 * navigation draws it by script.
 */
function HeroPicture() {
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
