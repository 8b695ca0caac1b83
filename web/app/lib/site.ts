export { siteName, supportAddress } from '@handwise/contract/site/name';
