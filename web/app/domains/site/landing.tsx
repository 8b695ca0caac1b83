import { maxQuoteRequestReceivers } from '@handwise/contract/messages/limits';
import { counted, inWords } from '@handwise/contract/numbers';
import { subscriptionDays } from '@handwise/contract/plans/table';
import { paths } from '@handwise/contract/paths';
import { Link } from 'react-router';
import { ButtonLink } from '../../ui/forms/button.tsx';
import { CategoryArt, CategoryIcon, getCategoryTint } from '../../ui/pictures/category-icon.tsx';
import { Section } from '../../ui/page/page.tsx';
import { StarsLine } from '../../ui/pictures/stars.tsx';
import { CostTiles } from '../costs/price-range.tsx';
import { QuoteRequestHint } from '../search/quote-requests/quote-request-hint.tsx';
import { LandingHero } from './landing-hero.tsx';
import styles from './landing.module.css';
import type { LandingData } from './landing-data.server.ts';
import { Steps } from './site-sections.tsx';
import bathroom from './projects/bathroom.svg?url';
import deck from './projects/deck.svg?url';
import garden from './projects/garden.svg?url';
import kitchen from './projects/kitchen.svg?url';
import warmHome from './projects/warm-home.svg?url';

const popularServices = 6;

const projects = [
  {
    title: 'A deck for the long evenings',
    text: 'From footings and consent to the last coat of oil.',
    image: deck,
    slug: 'building-construction',
  },
  { title: 'A warm, dry home', text: 'Heat pumps and wiring before winter.', image: warmHome, slug: 'electrical-gas' },
  { title: 'A bathroom you stay in', text: 'Tapware, drains and a bath that fits.', image: bathroom, slug: 'plumbing' },
  { title: 'A kitchen in new colours', text: 'Cabinets sanded, sprayed and back in days.', image: kitchen, slug: 'painting' },
  {
    title: 'A garden that feeds you',
    text: 'Raised beds, irrigation and a lawn that drains.',
    image: garden,
    slug: 'landscape-lawn-maintenance',
  },
];

const steps = [
  { title: 'Search pros', text: 'Pick a service and your area. Ratings and photos of their work are on the listing.' },
  {
    title: 'Message free',
    text: 'Say what needs doing and when. Your message goes straight to the business, with no fee and no middleman.',
  },
  { title: 'Hire and review', text: 'Agree on the job between the two of you. Afterwards, tell the next person how it went.' },
];

/** The front page of visitors. */
export function Landing({ facts, featured, costs, isOneMarket }: LandingData) {
  const popular = facts.categories.toSorted((a, b) => b.reviewCount - a.reviewCount).slice(0, popularServices);
  return (
    <div className={styles.landing}>
      <LandingHero facts={facts} featured={featured} />

      <Section title="What needs doing?" id="categories">
        <ul className={styles.tiles}>
          {facts.categories.map(({ name, slug, listings }) => (
            <li key={slug} {...getCategoryTint(slug)}>
              <Link to={paths.servicesIn(slug)} className={styles.tile}>
                <CategoryIcon slug={slug} size={52} />
                <span className={styles.tileText}>
                  <span className={styles.tileName}>{name}</span>
                  <span className="tabular">{counted(listings, 'listing')}</span>
                </span>
              </Link>
            </li>
          ))}
        </ul>
      </Section>

      <Section title="Popular services" intro="The average of all reviews that members have written here, good and bad." ground="card">
        <ul className={styles.popular}>
          {popular.map(({ name, slug, averageRating, reviewCount }) => (
            <li key={slug}>
              <Link to={paths.servicesIn(slug)} className={`card ${styles.service}`}>
                <CategoryArt slug={slug} />
                <div className={styles.serviceBody}>
                  <h3>{name}</h3>
                  <StarsLine average={averageRating} reviews={reviewCount} />
                </div>
              </Link>
            </li>
          ))}
        </ul>
      </Section>

      <Section title="How it works" id="how-it-works">
        <Steps steps={steps} />
        <div className={styles.quotes}>
          <QuoteRequestHint>
            Rather not look through listings? Describe the job once, and up to {inWords(maxQuoteRequestReceivers)} businesses answer you.
          </QuoteRequestHint>
        </div>
      </Section>

      <Section title="Popular home projects" intro="Start with the result you want. We show who does that work." ground="card">
        <ul className={styles.projects}>
          {projects
            .filter(({ slug }) => facts.categories.some((one) => one.slug === slug))
            .map(({ title, text, image, slug }) => (
              <li key={title}>
                <Link to={paths.servicesIn(slug)} className={styles.project}>
                  <img src={image} alt="" width={400} height={300} loading="lazy" decoding="async" />
                  <div className={styles.projectText}>
                    <h3>{title}</h3>
                    <p>{text}</p>
                  </div>
                </Link>
              </li>
            ))}
        </ul>
      </Section>

      {costs.length > 0 && (
        <Section title="What it costs" id="costs" intro="What businesses here ask, from the listings that name a price.">
          <div className={styles.costs}>
            <CostTiles services={costs} showsCurrency={!isOneMarket} />
          </div>
          <p className={styles.quotes}>
            <Link to={paths.costs}>See what all services cost</Link>
          </p>
        </Section>
      )}

      <Section ground="band">
        <div className={styles.business}>
          <div>
            <h2>Good at what you do? Let the neighbourhood know.</h2>
            <p>
              List your business for {subscriptionDays} days, talk to customers direct and keep every dollar of the job. No commission,
              ever.
            </p>
          </div>
          <ButtonLink to={paths.pros} kind="on-band" size="lg">
            Grow your business
          </ButtonLink>
        </div>
      </Section>
    </div>
  );
}
