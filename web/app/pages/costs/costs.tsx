import { askingPricesOnly } from '@handwise/contract/costs/words';
import { paths } from '@handwise/contract/paths';
import { Link } from 'react-router';
import { getCostsData } from '../../domains/costs/costs-data.server.ts';
import { CostTiles } from '../../domains/costs/price-range.tsx';
import styles from '../../domains/costs/costs.module.css';
import { pageMeta } from '../../lib/page-meta.ts';
import { useRootData } from '../../lib/root-data.ts';
import { serverContext } from '../../lib/server-context.ts';
import { EmptyState } from '../../ui/feedback/empty-state.tsx';
import { ButtonLink } from '../../ui/forms/button.tsx';
import { createBreadcrumbList, formatJsonLd, JsonLd } from '../../ui/page/json-ld.tsx';
import { Breadcrumbs, Container } from '../../ui/page/page.tsx';
import type { Route } from './+types/costs';

const trail = [
  { name: 'Home', path: paths.landing },
  { name: 'What it costs', path: paths.costs },
];

export const loader = ({ context }: Route.LoaderArgs) => getCostsData(context.get(serverContext));

export const meta: Route.MetaFunction = ({ matches, loaderData }) =>
  pageMeta(matches, {
    title: `What home services cost in ${loaderData?.place ?? 'New Zealand and Australia'}`,
    description: `The typical price and the usual range that businesses ask, by service and region. ${askingPricesOnly}`,
    path: paths.costs,
    noIndex: !loaderData || loaderData.categories.length === 0,
  });

export default function CostsPage({ loaderData }: Route.ComponentProps) {
  const { origin, market } = useRootData();
  const { categories, place, asOf } = loaderData;
  return (
    <Container>
      <div className={styles.page}>
        <Breadcrumbs trail={trail} />
        <header className={styles.head}>
          <h1>What home and trade services cost in {place}</h1>
          {asOf && (
            <p className={styles.note}>
              The typical price, and the range most listings fall in. {askingPricesOnly} Worked out on {asOf}.
            </p>
          )}
        </header>
        {categories.length === 0 && (
          <EmptyState title="No prices yet" drawing="search" action={<ButtonLink to={paths.services}>See all services</ButtonLink>}>
            Once enough listings name a price for the same service, what they ask is shown here.
          </EmptyState>
        )}
        {categories.map(({ name, slug, services }) => (
          <section key={slug} className={styles.section} aria-labelledby={`costs-${slug}`}>
            <h2 id={`costs-${slug}`} className={styles.title}>
              <Link to={paths.servicesIn(slug)}>{name}</Link>
            </h2>
            <CostTiles services={services} showsCurrency={market === null} />
          </section>
        ))}
      </div>
      <JsonLd text={import.meta.env.SSR ? formatJsonLd(createBreadcrumbList(origin, trail)) : ''} />
    </Container>
  );
}
