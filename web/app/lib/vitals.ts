import type { VitalName } from '@handwise/contract/site/vitals';
import { onCLS, onINP, onLCP } from 'web-vitals';
import { breakpoints } from './breakpoints.ts';

// Loaded by the page views that are measured. What was measured is sent once, when the page is hidden or left.
const found = new Map<VitalName, number>();
const path = location.pathname;
const isPhone = innerWidth < breakpoints.tablet;
for (const on of [onLCP, onINP, onCLS]) on(({ name, value }) => found.set(name as VitalName, value));

function send() {
  if (document.visibilityState !== 'hidden' || found.size === 0) return;
  removeEventListener('visibilitychange', send);
  const vitals = [...found].map(([name, value]) => ({ name, value }));
  navigator.sendBeacon('/api/vitals', new Blob([JSON.stringify({ path, isPhone, vitals })], { type: 'application/json' }));
}
// After the library's own listeners, which report the last values at the same event.
addEventListener('visibilitychange', send);
