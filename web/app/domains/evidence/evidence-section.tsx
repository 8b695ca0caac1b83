import { formatLicenceCheck, formatWithoutLicence } from '@handwise/contract/evidence/licence-words';
import { paths } from '@handwise/contract/paths';
import { IconRosetteDiscountCheck } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import type { EvidenceView } from './evidence-view.ts';
import styles from './evidence-section.module.css';

const newTab = <span className="visually-hidden"> (opens in a new tab)</span>;

/** Whether there is anything to show. */
const hasContent = ({ price, inTradeSince, hours, emergency, insured, licence, withoutLicence, verified }: EvidenceView) =>
  price !== null ||
  inTradeSince !== null ||
  hours.length > 0 ||
  emergency ||
  insured ||
  licence !== null ||
  withoutLicence !== null ||
  verified.length > 0;

/** Evidence for customers: a register's facts first, then the business's own. */
export function EvidenceSection({ evidence }: { evidence: EvidenceView }) {
  const { price, inTradeSince, hours, emergency, insured, licence, withoutLicence, verified } = evidence;
  if (!hasContent(evidence)) return null;
  return (
    <section className={styles.section} aria-labelledby="evidence-heading">
      <h2 id="evidence-heading">Good to know</h2>
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
        {price !== null && <Fact name="Price guide">{price}. GST is included; the price of your job may differ.</Fact>}
        {inTradeSince !== null && <Fact name="In the trade">Since {inTradeSince}</Fact>}
        {hours.length > 0 && (
          <Fact name="Hours">
            <ul className={styles.hours}>
              {hours.map(({ days, times }) => (
                <li key={days}>
                  {days}, {times}
                </li>
              ))}
            </ul>
          </Fact>
        )}
        {emergency && (
          <Fact name="Emergencies">
            {hours.length > 0 ? 'Also takes emergency call-outs outside these hours' : 'Takes emergency call-outs'}
          </Fact>
        )}
        {insured && <Fact name="Insurance">The business says it has public liability insurance. Ask to see the certificate.</Fact>}
        {licence && (
          <Fact name="Licence">
            {licence.class === null ? licence.number : `${licence.number} (${licence.class})`}, held by {licence.name}.{' '}
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
