import { useEffect, useState } from 'react';

const slowAfterMs = 3000;

/** The text of a loading area, whose parent has `role="status"`. After 3 seconds it says that loading continues. */
export function LoadingWords() {
  const [isSlow, setSlow] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setSlow(true), slowAfterMs);
    return () => clearTimeout(timer);
  }, []);
  if (!isSlow) return <span className="visually-hidden">Loading content...</span>;
  return <span className="still-trying">Still trying. Your connection may be slow.</span>;
}

/** A whole page's placeholder while loading. */
export const LoadingView = () => (
  <div className="loading-view" role="status">
    <span className="spinner" aria-hidden="true" />
    <LoadingWords />
    <noscript>
      <p>This page needs JavaScript. Please switch it on in your browser and load the page again.</p>
    </noscript>
  </div>
);
