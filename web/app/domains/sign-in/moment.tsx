import { timeWriter } from '@handwise/contract/dates';

const write = timeWriter('en-NZ', { day: 'numeric', month: 'short', year: 'numeric', hour: 'numeric', minute: '2-digit' });

/** A moment by the clock of whoever reads: it is about their own devices. */
export const Moment = ({ iso }: { iso: string }) => <time dateTime={iso}>{write(iso)}</time>;
