import { formatLicenceCheck, formatWithoutLicence } from '@handwise/contract/registers/words';
import { paths } from '@handwise/contract/paths';
import { IconRosetteDiscountCheck } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import type { FactsView } from './facts-view.ts';
import styles from './facts-section.module.css';

const newTab = <span className="visually-hidden"> (opens in a new tab)</span>;

/** Facts for customers: a register's first, then the business's own. */
export function FactsSection({ facts: { stated, licence, withoutLicence, verified } }: { facts: FactsView }) {
  if (stated.length === 0 && licence === null && withoutLicence === null && verified.length === 0) return null;
  return (
    <section className={styles.section} aria-labelledby="facts-heading">
      <h2 id="facts-heading">Good to know</h2>
      {verified.map((one) => (
        <div key={one.register} className={`card ${styles.verified}`}>
          <IconRosetteDiscountCheck size={28} stroke={1.75} aria-hidden="true" />
          <div>
            <p>
              <strong>Verified on {one.date}</strong>: the{' '}
              <a href={one.page} rel="nofollow noopener" target="_blank">
                {one.register}
                {newTab}
              </a>{' '}
              lists this business in operation as “{one.name}”, number {one.number}.
            </p>
            <p className={styles.note}>
              {one.notMeant} <Link to={paths.howWeCheck}>How we check</Link>
            </p>
          </div>
        </div>
      ))}
      <dl className={styles.facts}>
        {stated.map(([name, text]) => (
          <Fact key={name} name={name}>
            {typeof text === 'string' ? text : <Lines lines={text} />}
          </Fact>
        ))}
        {licence && (
          <Fact name="Licence">
            {licence.classWords === null ? licence.number : `${licence.number} (${licence.classWords})`}, held by {licence.name}.{' '}
            <strong>{formatLicenceCheck(licence.checkedOn, licence.sandbox)}</strong>: you can look it up with the{' '}
            <a href={licence.page} rel="nofollow noopener" target="_blank">
              {licence.registerName}
              {newTab}
            </a>
            .
          </Fact>
        )}
        {withoutLicence !== null && <Fact name="Licence">{formatWithoutLicence(withoutLicence)}.</Fact>}
      </dl>
    </section>
  );
}

const Fact = ({ name, children }: { name: string; children: ReactNode }) => (
  <div>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
);

/** Also in a comparison. */
export const Lines = ({ lines }: { lines: readonly string[] }) => (
  <ul className={styles.lines}>
    {lines.map((line) => (
      <li key={line}>{line}</li>
    ))}
  </ul>
);
