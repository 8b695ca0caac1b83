import { askingPricesOnly, minSample } from '@handwise/contract/costs/words';
import { counted, inWords } from '@handwise/contract/numbers';
import { paths } from '@handwise/contract/paths';
import { data, Link } from 'react-router';
import { getServiceCostsData, type PriceView, type ServiceCostsData } from '../../domains/costs/costs-data.server.ts';
import { CostTiles, getScaleEnd, PriceRange } from '../../domains/costs/price-range.tsx';
import styles from '../../domains/costs/costs.module.css';
import { findAddress } from '../../domains/search/find/find-params.ts';
import { QuoteRequestHint } from '../../domains/search/quote-requests/quote-request-hint.tsx';
import { pageMeta } from '../../lib/page-meta.ts';
import { useRootData } from '../../lib/root-data.ts';
import { serverContext } from '../../lib/server-context.ts';
import { ButtonLink } from '../../ui/forms/button.tsx';
import { createBreadcrumbList, formatJsonLd, JsonLd } from '../../ui/page/json-ld.tsx';
import { Breadcrumbs, Container } from '../../ui/page/page.tsx';
import type { Route } from './+types/costs-of';

export async function loader({ context, params }: Route.LoaderArgs) {
  const found = await getServiceCostsData(context.get(serverContext), params);
  if (!found) throw data(null, { status: 404 });
  return found;
}

const getTitle = ({ name, place }: ServiceCostsData) => `${name}: what it costs in ${place}`;
// Search engines cut a page's title after some seventy characters, the site's name included.
const longestTitle = 58;
const getPageTitle = (data: ServiceCostsData) => (getTitle(data).length > longestTitle ? `${data.name}: what it costs` : getTitle(data));
const getPath = ({ category, subCategory }: ServiceCostsData) => paths.costsOf(category.slug, subCategory.slug);
const describe = ({ groups }: ServiceCostsData) =>
  [...groups.map(({ prices }) => prices[0]?.sentence), askingPricesOnly].filter(Boolean).join(' ');

export const meta: Route.MetaFunction = ({ matches, loaderData }) =>
  loaderData ? pageMeta(matches, { title: getPageTitle(loaderData), description: describe(loaderData), path: getPath(loaderData) }) : [];

/** The prices for search engines: the distribution of each, of the whole country. */
const toDataset = (costs: ServiceCostsData, origin: string) => ({
  '@type': 'Dataset',
  name: getTitle(costs),
  description: describe(costs),
  url: origin + getPath(costs),
  dateModified: costs.asOf.iso,
  isAccessibleForFree: true,
  creator: { '@type': 'Organization', url: origin },
  variableMeasured: costs.groups.flatMap(({ country, prices }) =>
    prices.map(({ unitText, currency, sample, low, median, high }) => ({
      '@type': 'PropertyValue',
      name: `Asking price ${unitText} in ${country}`,
      unitText: `${currency} ${unitText}`,
      measurementTechnique: `Median and quartiles of the prices that ${counted(sample, 'active listing')} ask`,
      value: { '@type': 'MonetaryAmountDistribution', currency, percentile25: low / 100, median: median / 100, percentile75: high / 100 },
    })),
  ),
});

export default function ServiceCostsPage({ loaderData }: Route.ComponentProps) {
  const { origin, market } = useRootData();
  const { name, category, subCategory, groups, asOf, factors, others } = loaderData;
  const path = getPath(loaderData);
  const trail = [
    { name: 'Home', path: paths.landing },
    { name: 'What it costs', path: paths.costs },
    { name, path },
  ];
  return (
    <Container>
      <div className={styles.page}>
        <Breadcrumbs trail={trail} />
        <header className={styles.head}>
          <h1>{getTitle(loaderData)}</h1>
          <p className={styles.note}>
            {askingPricesOnly} They are where active listings say that their prices start, with GST. Worked out on {asOf.text}.
          </p>
        </header>
        {groups.map((group) => (
          <section key={group.currency} className={styles.section} aria-labelledby={`in-${group.currency}`}>
            <h2 id={`in-${group.currency}`} className={styles.title}>
              {group.country}
            </h2>
            <ul className={styles.prices}>
              {group.prices.map((price) => (
                <li key={price.unit} className={`card ${styles.price}`}>
                  <p>
                    <span className={styles.figure}>{price.medianText}</span> {price.currency} {price.unitText}
                  </p>
                  <PriceRange price={price} end={getScaleEnd([price])} />
                  <p>{price.sentence}</p>
                </li>
              ))}
            </ul>
            <RegionTables group={group} />
          </section>
        ))}
        <section className={styles.section} aria-labelledby="factors">
          <h2 id="factors" className={styles.title}>
            What moves the price
          </h2>
          <ul className={styles.list}>
            {factors.map((factor) => (
              <li key={factor}>{factor}</li>
            ))}
          </ul>
          <div className={styles.actions}>
            <ButtonLink to={findAddress({ category: category.slug, subCategory: subCategory.slug })}>See who does this work</ButtonLink>
            <QuoteRequestHint category={category.slug} subCategory={subCategory.slug}>
              Say these things in your message, and the price you get will be nearer to what you pay.
            </QuoteRequestHint>
          </div>
        </section>
        <section className={styles.section} aria-labelledby="method">
          <h2 id="method" className={styles.title}>
            How this is worked out
          </h2>
          <p className={styles.note}>
            Every night we sort the “from” prices of all active listings for this service, separately for each unit and currency. The bar is
            the range that the middle half of them ask, and the mark is the typical price, with as many above it as below. Fewer than{' '}
            {inWords(minSample)} listings are not shown.
          </p>
        </section>
        {others.length > 0 && (
          <section className={styles.section} aria-labelledby="others">
            <h2 id="others" className={styles.title}>
              Other services in <Link to={paths.servicesIn(category.slug)}>{category.name}</Link>
            </h2>
            <CostTiles services={others} showsCurrency={market === null} />
          </section>
        )}
        <JsonLd
          key={path}
          text={import.meta.env.SSR ? formatJsonLd(createBreadcrumbList(origin, trail), toDataset(loaderData, origin)) : ''}
        />
      </div>
    </Container>
  );
}

type Group = ServiceCostsData['groups'][number];

/** A table for each unit that a region has prices in; all bars of a table have the same scale. */
const RegionTables = ({ group: { prices, regions } }: { group: Group }) =>
  prices.map(({ unit, unitText, currency }) => {
    const rows = regions.flatMap(({ name, prices }) => {
      const price = prices.find((one) => one.unit === unit);
      return price ? [{ name, price }] : [];
    });
    return rows.length === 0 ? null : <RegionTable key={unit} rows={rows} caption={`By region, ${currency} ${unitText}`} />;
  });

function RegionTable({ rows, caption }: { rows: { name: string; price: PriceView }[]; caption: string }) {
  const end = getScaleEnd(rows.map(({ price }) => price));
  return (
    <div className={styles.scroll}>
      <table className={styles.table}>
        <caption>{caption}</caption>
        <thead>
          <tr>
            <th scope="col">Region</th>
            <th scope="col">Typical</th>
            <th scope="col">Usual range</th>
            <th scope="col" className={styles.picture} aria-hidden="true" />
            <th scope="col">Listings</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ name, price }) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              <td>{price.medianText}</td>
              <td>{price.halfText}</td>
              <td className={styles.picture} aria-hidden="true">
                <PriceRange price={price} end={end} />
              </td>
              <td>{price.sample}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
