import { adminPaths } from '@handwise/contract/admin/paths';
import { paths } from '@handwise/contract/paths';
import { pageMeta } from '../../lib/page-meta.ts';
import type { Route } from './+types/admin-payment';
import type { PaymentLedger } from '@handwise/contract/admin/payments';
import { money } from '@handwise/contract/money';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { Link } from 'react-router';
import { useSession } from '../../lib/session/session.ts';
import { Button } from '../../ui/forms/button.tsx';
import styles from '../../domains/admin/desk/admin.module.css';
import { Loaded, Scroll, formatTime } from '../../domains/admin/desk/list-parts.tsx';
import { DisputeTable, WarningTable, EventTable, PaperTable, RefundTable } from '../../domains/admin/money/payment-tables.tsx';
import { listFlags, purposes, isGift } from '../../domains/admin/money/money-words.ts';
import { paymentPage } from '../../domains/admin/desk/admin-queries.ts';
import { getRefundableCents, mustTransfer } from '../../domains/admin/money/refund-consequences.ts';
import { RefundDialog } from '../../domains/admin/money/refund-dialog.tsx';

export const meta: Route.MetaFunction = ({ matches, params }) =>
  pageMeta(matches, {
    title: 'A payment',
    description: 'One payment, its refunds and disputes.',
    path: adminPaths.payment(params.id),
    noIndex: true,
  });

export default function AdminPaymentPage({ params }: Route.ComponentProps) {
  return <PaymentPage key={params.id} id={params.id} />;
}

/** One payment: its money, plan, refunds, disputes and actions. */
const PaymentPage = ({ id }: { id: string }) => (
  <Loaded query={useQuery(paymentPage(id))}>{(ledger) => <Payment ledger={ledger} />}</Loaded>
);

function Payment({ ledger }: { ledger: PaymentLedger }) {
  const { currency, payer, refunds, disputes, warnings, events, invoice, notes } = ledger;
  const sum = (minor: number) => money(minor, currency);
  return (
    <div className={styles.stack}>
      <header className={styles.stack}>
        <h1>
          Payment of {sum(ledger.amountMinor)} by {payer.name}
        </h1>
        <p className={styles.actions}>
          {listFlags(ledger).map(({ name, isBad }) => (
            <span key={name} className={styles.state} data-bad={isBad || undefined}>
              {name}
            </span>
          ))}
        </p>
        <dl className={styles.facts}>
          <Fact name="Payer">
            <Link to={adminPaths.user(payer._id)}>{payer.name}</Link>
          </Fact>
          <Fact name="For">
            {purposes[ledger.purpose]}, {ledger.planName}, {ledger.country}
          </Fact>
          <Fact name="Begun">{formatTime(ledger.createdAt)}</Fact>
          <Fact name="Paid">{ledger.succeededAt ? formatTime(ledger.succeededAt) : '–'}</Fact>
          <Fact name="At the provider">
            <span className={styles.hash}>{ledger.intentId ?? '–'}</span>
            {ledger.livemode === false && ' (test: no card was charged)'}
          </Fact>
          <Fact name="Here">
            <span className={styles.hash}>{ledger._id}</span>
          </Fact>
        </dl>
        <Link to={`${adminPaths.audit}?subject=${ledger._id}`}>In the audit log</Link>
      </header>
      <section className={styles.section}>
        <h2>Where the money is</h2>
        <dl className={styles.facts}>
          <Fact name="Taken">{sum(ledger.capturedMinor)}</Fact>
          <Fact name="Pays for the plan">{sum(ledger.boughtMinor)}</Fact>
          <Fact name="Went back, or is on its way">{sum(ledger.refundedMinor)}</Fact>
          <Fact name="Owed: a refund did not arrive">{sum(ledger.owedMinor)}</Fact>
        </dl>
        <Refunding ledger={ledger} />
      </section>
      <section className={styles.section}>
        <h2>What it bought</h2>
        <Bought ledger={ledger} />
      </section>
      <Rows title="Refunds" count={refunds.length}>
        <RefundTable refunds={refunds} currency={currency} />
      </Rows>
      <Rows title="Disputes" count={disputes.length}>
        <DisputeTable disputes={disputes} />
      </Rows>
      <Rows title="Fraud warnings" count={warnings.length}>
        <WarningTable warnings={warnings} />
      </Rows>
      <Rows title="Tax invoice and adjustment notes" count={notes.length + (invoice ? 1 : 0)}>
        <PaperTable invoice={invoice} notes={notes} currency={currency} />
      </Rows>
      <Rows title="What the provider has sent" count={events.length}>
        <EventTable events={events} />
      </Rows>
    </div>
  );
}

/** The refund button, or why there is none. */
function Refunding({ ledger }: { ledger: PaymentLedger }) {
  const { user } = useSession();
  const [open, setOpen] = useState(false);
  if (ledger.status !== 'succeeded') return null;
  if (getRefundableCents(ledger) === 0) return <p className="muted">Nothing of it is left to refund.</p>;
  if (user?._id === ledger.payer._id) return <p className="muted">This is your own payment. Another administrator refunds it.</p>;
  return (
    <>
      {mustTransfer(ledger) && (
        <p>The bank is deciding about this payment, so nothing can be refunded to the card. You can only book a transfer you have made.</p>
      )}
      <div className={styles.actions}>
        <Button kind="secondary" onClick={() => setOpen(true)}>
          Refund
        </Button>
      </div>
      <RefundDialog ledger={ledger} open={open} onClose={() => setOpen(false)} />
    </>
  );
}

const Fact = ({ name, children }: { name: string; children: ReactNode }) => (
  <div>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
);

const Rows = ({ title, count, children }: { title: string; count: number; children: ReactNode }) => (
  <section className={styles.section}>
    <h2>{title}</h2>
    {count > 0 ? <Scroll label={title}>{children}</Scroll> : <p className="muted">None.</p>}
  </section>
);

const listingStates = { active: 'active', inactive: 'inactive', expired: 'expired', hidden: 'hidden' } as const;

/** The plan that a payment bought, its state, and its listings. */
function Bought({ ledger }: { ledger: PaymentLedger }) {
  const { bought, status } = ledger;
  if (!bought) {
    const why =
      status !== 'succeeded'
        ? 'Nothing: it was not paid.'
        : isGift(ledger)
          ? 'Its owner kept the plan, as a gift.'
          : 'Nothing: it goes back.';
    return <p className="muted">{why}</p>;
  }
  return (
    <>
      <p>
        <strong>{bought.planName} plan</strong>, {formatTime(bought.startsAt)} to {formatTime(bought.endsAt)}. {standing(bought)}
      </p>
      {bought.listings.length === 0 ? (
        <p className="muted">No listing is published under it.</p>
      ) : (
        <ul className={styles.lines}>
          {bought.listings.map((listing) => (
            <li key={listing._id}>
              <Link to={paths.listing(listing._id)}>{listing.serviceTitle}</Link>, #{listing.listingNumber}, {listingStates[listing.status]}
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

function standing({ isReturned, isReplaced, isDisputed, isRunning }: NonNullable<PaymentLedger['bought']>): string {
  if (isReturned) return 'It ended because nothing of its payment pays for it any more.';
  if (isReplaced) return 'Another plan has replaced it.';
  if (isDisputed && isRunning)
    return 'It is paused while the bank decides: what is live stays live, but nothing new can be published under it.';
  return isRunning ? 'It is running.' : 'It is over.';
}
