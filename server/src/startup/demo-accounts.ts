/** The demo accounts and their public passwords. */
export const demoPasswords = {
  'admin@example.com': 'demo-admin-1',
  'seller@example.com': 'demo-seller-1',
  'buyer@example.com': 'demo-buyer-1',
} as const;
