import type Stripe from 'stripe';
import type { World } from '../world.ts';

const founded = 1_760_000_000;

/** The account that the keys belong to, ready to take cards. */
export const readAccount = ({ store, trouble: { statement } }: World): Stripe.Account => ({
  id: store.scope.account,
  object: 'account',
  business_profile: {
    mcc: '1520',
    minority_owned_business_designation: null,
    name: 'Sandbox',
    specified_commercial_transactions_act_url: null,
    support_address: null,
    support_email: null,
    support_phone: null,
    support_url: null,
    url: null,
  },
  business_type: 'company',
  capabilities: { card_payments: 'active', transfers: 'active' },
  charges_enabled: true,
  country: 'NZ',
  created: founded,
  default_currency: 'nzd',
  details_submitted: true,
  email: null,
  metadata: {},
  payouts_enabled: true,
  settings: {
    branding: { icon: null, logo: null, primary_color: null, secondary_color: null },
    card_payments: {
      statement_descriptor_prefix: statement.prefix,
      statement_descriptor_prefix_kana: null,
      statement_descriptor_prefix_kanji: null,
    },
    dashboard: { display_name: 'Sandbox', timezone: 'Pacific/Auckland' },
    payments: {
      statement_descriptor: statement.descriptor,
      statement_descriptor_kana: null,
      statement_descriptor_kanji: null,
      statement_descriptor_prefix_kana: null,
      statement_descriptor_prefix_kanji: null,
    },
  },
  type: 'standard',
});
