const format = new Intl.DateTimeFormat('en-NZ', { day: 'numeric', month: 'short', year: 'numeric', hour: 'numeric', minute: '2-digit' });

/** A moment by the clock of whoever reads: it is about their own devices. */
export const Moment = ({ iso }: { iso: string }) => <time dateTime={iso}>{format.format(new Date(iso))}</time>;
