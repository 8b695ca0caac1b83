/** The settings of a fresh installation. Production refuses the addresses and the legal person. */
export const defaultSite = {
  name: 'Handwise',
  accent: '',
  senderEmail: 'hello@handwise.example',
  supportEmail: 'support@handwise.example',
  legalName: 'Handwise Limited',
  legalAddress: '1 Example Street, Wellington 6011, New Zealand',
  nzbn: '',
  nzGstNumber: '000-000-000',
  abn: '00 000 000 000',
  basicPrice: '15.00',
  basicSlots: '1',
  premiumPrice: '25.00',
  premiumSlots: '5',
  featuredPrice: '35.00',
  featuredSlots: '10',
};
