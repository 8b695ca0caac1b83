import type { VitalName } from '@handwise/contract/site/vitals';
import { onCLS, onINP, onLCP } from 'web-vitals';

// Loaded by the page views that are measured. What was measured is sent once, when the page is hidden or left.
const found = new Map<VitalName, number>();
// The page that the browser loaded; the visitor may be on the next one by now.
const path = new URL(performance.getEntriesByType('navigation')[0]?.name ?? location.href).pathname;
const width = innerWidth;
for (const on of [onLCP, onINP, onCLS]) on(({ name, value }) => found.set(name, value));

function send() {
  // A page that was hidden before its largest part was seen says nothing about speed.
  if (document.visibilityState !== 'hidden' || !found.has('LCP')) return;
  removeEventListener('visibilitychange', send);
  const vitals = [...found].map(([name, value]) => ({ name, value }));
  navigator.sendBeacon('/api/vitals', new Blob([JSON.stringify({ path, width, vitals })], { type: 'application/json' }));
}
// After the library's own listeners, which report the last values at the same event.
addEventListener('visibilitychange', send);
