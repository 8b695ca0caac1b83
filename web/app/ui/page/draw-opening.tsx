import { site } from '@handwise/contract/site/site';

/** The permits of the draw that runs, and to whom it is not open: beside every text that advertises it. */
export const DrawOpening = () => (site.drawOpening ? <p className="muted">{site.drawOpening}</p> : null);
