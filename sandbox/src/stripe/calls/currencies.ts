import { invalid } from './errors.ts';
import { integer, type Params, required, text } from './form.ts';

const supported = new Set(
  (
    'usd aed afn all amd ang aoa ars aud awg azn bam bbd bdt bgn bhd bif bmd bnd bob brl bsd bwp byn bzd cad cdf chf clp cny cop crc cve ' +
    'czk djf dkk dop dzd egp etb eur fjd fkp gbp gel gip gmd gnf gtq gyd hkd hnl hrk htg huf idr ils inr isk jmd jod jpy kes kgs khr kmf ' +
    'krw kwd kyd kzt lak lbp lkr lrd lsl mad mdl mga mkd mmk mnt mop mur mvr mwk mxn myr mzn nad ngn nio nok npr nzd omr pab pen pgk php ' +
    'pkr pln pyg qar ron rsd rub rwf sar sbd scr sek sgd shp sle sos srd std szl thb tjs tnd top try ttd twd tzs uah ugx uyu uzs vnd vuv ' +
    'wst xaf xcd xof xpf yer zar zmw'
  ).split(' '),
);

/** The smallest charge, in the currency's smallest unit. Every other one has that of 50 cents. */
const smallest: Record<string, number> = {
  aed: 200,
  bgn: 100,
  czk: 1500,
  dkk: 250,
  gbp: 30,
  hkd: 400,
  huf: 17_500,
  jpy: 50,
  mxn: 1000,
  myr: 200,
  nok: 300,
  pln: 200,
  ron: 200,
  sek: 300,
  thb: 1000,
};

export function currencyOf(params: Params) {
  const currency = required(text(params, 'currency'), 'currency').toLowerCase();
  if (supported.has(currency)) return currency;
  const list = [...supported].join(', ');
  throw invalid(`Invalid currency: ${currency.slice(0, 50)}. Stripe currently supports these currencies: ${list}`, { param: 'currency' });
}

export function amountOf(params: Params, currency: string) {
  const amount = required(integer(params, 'amount'), 'amount');
  const least = smallest[currency] ?? 50;
  const details = (code: string) => ({ param: 'amount', code });
  if (amount < 1) throw invalid('This value must be greater than or equal to 1.', details('parameter_invalid_integer'));
  if (amount < least) throw invalid(`Amount must be at least $${(least / 100).toFixed(2)} ${currency}`, details('amount_too_small'));
  if (amount > 99_999_999) throw invalid(`Amount must be no more than $999,999.99 ${currency}`, details('amount_too_large'));
  return amount;
}
