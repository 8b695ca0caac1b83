export { siteName } from '@handwise/contract/site-name';
export const supportAddress = 'support@handwise.example';
