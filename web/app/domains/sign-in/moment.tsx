import { momentText, ownTimeZone } from '@handwise/contract/dates';

/** A moment by the clock of whoever reads: it is about their own devices. */
export const Moment = ({ iso }: { iso: string }) => <time dateTime={iso}>{momentText(iso, ownTimeZone())}</time>;
