import { count } from '@handwise/contract/numbers';
import { formatFromPrice, subscriptionDays } from '@handwise/contract/plans/table';
import { paths } from '@handwise/contract/paths';
import { isTradeOpen } from '@handwise/contract/site/open';
import { Link } from 'react-router';
import { afterTheEnd, reminders } from '../../domains/plans/plan-words.ts';
import { PlanCards } from '../../domains/plans/plan-choice.tsx';
import { HeroText, Steps } from '../../domains/site/site-sections.tsx';
import { getPraiseData } from '../../domains/site/praise-data.server.ts';
import { pageMeta } from '../../lib/page-meta.ts';
import { serverContext } from '../../lib/server-context.ts';
import { ButtonLink } from '../../ui/forms/button.tsx';
import { CategoryArt, CategoryIcon } from '../../ui/pictures/category-icon.tsx';
import { Container, Section } from '../../ui/page/page.tsx';
import { StarsLine } from '../../ui/pictures/stars.tsx';
import type { Route } from './+types/pros';
import styles from './pros.module.css';
import { IconPlayerPause, IconPlayerPlay } from '@tabler/icons-react';
import { type RefObject, useEffect, useRef, useState } from 'react';
import { Avatar } from '../../ui/pictures/avatar.tsx';

const popularServices = 6;

const steps = [
  { title: 'Sign up', text: 'An account is free. You pay only when a listing goes live.' },
  {
    title: 'Build your profile',
    text: 'Photos of your work, what you do and where you do it. You see your listing before you pay for anything.',
  },
  { title: 'Chat and book directly', text: 'Customers write to you and book with you. No middleman, no commission.' },
];

/** 1,642 becomes 1,500, so that "over" stays true until next month. Null if the number is too small to mention. */
function roundedLeads(leads: number): number | null {
  const step = leads >= 500 ? 500 : 50;
  const rounded = Math.floor((leads - 1) / step) * step;
  return rounded > 0 ? rounded : null;
}

export async function loader({ context }: Route.LoaderArgs) {
  const server = context.get(serverContext);
  const { call, market } = server;
  const query = market ? { country: market } : {};
  const [facts, plans, praise] = await Promise.all([call('GET /facts', { query }), call('GET /plan/all', {}), getPraiseData(server)]);
  return {
    plans,
    praise,
    leads: roundedLeads(facts.leadsLastMonth),
    popular: facts.categories
      .filter(({ slug }) => isTradeOpen(slug))
      .toSorted((a, b) => b.reviewCount - a.reviewCount)
      .slice(0, popularServices),
    country: market ?? ('NZ' as const),
    severalMarkets: market === null,
  };
}

export const meta: Route.MetaFunction = ({ matches }) =>
  pageMeta(matches, {
    title: 'Grow your business',
    description: `List your home or trade service for ${subscriptionDays} days, talk to customers direct and pay no commission. Plans from ${formatFromPrice()} / ${subscriptionDays} days.`,
    path: paths.pros,
  });

export default function ProsPage({ loaderData }: Route.ComponentProps) {
  const { plans, praise, leads, popular, country, severalMarkets } = loaderData;
  return (
    <>
      <section className={styles.hero} aria-labelledby="hero-heading">
        <Container>
          <div className={styles.heroGrid}>
            <HeroText
              title="Grow your business"
              lead="People near you are looking for someone who does what you do. Show them your work, answer their messages, and keep every dollar of the job."
              actions={
                <>
                  <ButtonLink to={paths.addListing} size="lg">
                    List your business
                  </ButtonLink>
                  <a href="#subscriptions">See the plans</a>
                </>
              }
            >
              {leads && (
                <p className={styles.claim}>
                  <strong className="tabular">Over {count(leads)}</strong> leads last month
                </p>
              )}
            </HeroText>
            <div className={styles.pictures} aria-hidden="true">
              <CategoryArt slug="building-construction" />
              <CategoryArt slug="plumbing" />
              <CategoryArt slug="painting" />
              <CategoryArt slug="landscape-lawn-maintenance" />
            </div>
          </div>
        </Container>
      </section>

      <Section title="How it works" id="how-it-works" ground="card">
        <Steps steps={steps} />
      </Section>

      {praise.length > 0 && (
        <Section ground="band">
          <h2 className="visually-hidden">What customers say about businesses here</h2>
          <Testimonials testimonials={praise} />
        </Section>
      )}

      <Section
        title="Popular services"
        id="popular-services"
        intro="The kinds of work with the most reviews here, and how customers rate them."
      >
        <ul className={styles.popular}>
          {popular.map(({ name, slug, averageRating, reviewCount }) => (
            <li key={slug}>
              <Link to={paths.servicesIn(slug)} className={`card ${styles.service}`}>
                <CategoryIcon slug={slug} size={60} />
                <div className={styles.serviceText}>
                  <h3>{name}</h3>
                  <StarsLine average={averageRating} reviews={reviewCount} />
                </div>
              </Link>
            </li>
          ))}
        </ul>
      </Section>

      <Section
        title="Subscriptions"
        id="subscriptions"
        ground="card"
        intro={`One plan covers your listings for ${subscriptionDays} days.${severalMarkets ? ' A listing in Australia costs the same amount in AUD.' : ''}`}
      >
        <PlanCards
          plans={plans}
          country={country}
          action={(plan) => (
            <ButtonLink to={`${paths.addListing}?plan=${plan.planType}`} kind={plan.mostPopular ? 'primary' : 'secondary'} wide>
              Choose {plan.name}
            </ButtonLink>
          )}
        />
        <p className={styles.after}>
          {afterTheEnd} {reminders}, and nothing is charged again unless you ask for it.
        </p>
      </Section>
    </>
  );
}

const shownMs = 5000;

const colors = ['#0EA5E9', '#A855F7', '#10B981'];

/** Whether the pointer or the focus is within. */
function useAttention(element: RefObject<HTMLElement | null>): boolean {
  const [pointed, setPointed] = useState(false);
  const [focused, setFocused] = useState(false);
  useEffect(() => {
    const watched = element.current;
    if (!watched) return;
    const end = new AbortController();
    const { signal } = end;
    watched.addEventListener('pointerenter', () => setPointed(true), { signal });
    watched.addEventListener('pointerleave', () => setPointed(false), { signal });
    watched.addEventListener('focusin', () => setFocused(true), { signal });
    watched.addEventListener('focusout', (event) => setFocused(watched.contains(event.relatedTarget as Node | null)), { signal });
    return () => end.abort();
  }, [element]);
  return pointed || focused;
}

type Testimonial = { text: string; name: string; about: string; to: string };

/** Customers' quotes, each for five seconds. They pause while being read, and for reduced motion. */
function Testimonials({ testimonials }: { testimonials: readonly Testimonial[] }) {
  const [current, setCurrent] = useState(0);
  const [paused, setPaused] = useState(false);
  const carousel = useRef<HTMLDivElement>(null);
  const resting = useAttention(carousel);
  const stillByChoice = useRef(false);

  useEffect(() => {
    if (!stillByChoice.current && matchMedia('(prefers-reduced-motion: reduce)').matches) setPaused(true);
  }, []);
  const running = !paused && !resting;
  useEffect(() => {
    if (!running) return;
    // Restarted by each change, so that a quote chosen by hand is shown for five seconds too.
    const timer = setTimeout(() => setCurrent((current + 1) % testimonials.length), shownMs);
    return () => clearTimeout(timer);
  }, [running, current, testimonials.length]);

  return (
    <div ref={carousel} className={styles.carousel} role="group" aria-roledescription="carousel" aria-label="What customers say">
      <div className={styles.slides} aria-live={running ? 'off' : 'polite'}>
        {testimonials.map((one, index) => (
          <figure key={one.to} className={styles.slide} data-shown={index === current || undefined} inert={index !== current}>
            <blockquote>{one.text}</blockquote>
            <figcaption>
              <Avatar name={one.name} color={colors[index % colors.length]} size={44} />
              <span>
                <strong>{one.name}</strong>
                <Link className={styles.trade} to={one.to}>
                  about {one.about}
                </Link>
              </span>
            </figcaption>
          </figure>
        ))}
      </div>
      <div className={styles.controls}>
        <button
          type="button"
          className={styles.pause}
          aria-label={paused ? 'Play testimonials' : 'Pause testimonials'}
          onClick={() => {
            stillByChoice.current = true;
            setPaused(!paused);
          }}
        >
          {paused ? (
            <IconPlayerPlay size={20} stroke={1.75} aria-hidden="true" />
          ) : (
            <IconPlayerPause size={20} stroke={1.75} aria-hidden="true" />
          )}
        </button>
        {testimonials.map((one, index) => (
          <button
            key={one.to}
            type="button"
            className={styles.dot}
            aria-label={`Testimonial ${index + 1} of ${testimonials.length}`}
            aria-current={index === current || undefined}
            onClick={() => setCurrent(index)}
          />
        ))}
      </div>
    </div>
  );
}
