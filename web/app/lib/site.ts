import type { siteName as agreedName } from '@handwise/contract/site';

// The contract's module brings the schemas with it; the type keeps both the same.
export const siteName: typeof agreedName = 'Handwise';
export const supportAddress = 'support@handwise.example';
