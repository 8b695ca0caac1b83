import { useEffect } from 'react';
import { useNavigation } from 'react-router';

const mark = 'data-loading';

/**
 * Marks the page while one of its links loads another document, as all do until the page's own script has come. `base.css` draws the line.
 * It listens before React, which stops clicks on parts that it has not taken over yet, and looks after it whether the router took the click.
 */
export const loadingLineScript =
  `(function(){var r=document.documentElement;function end(){r.removeAttribute('${mark}')}` +
  "addEventListener('pageshow',end);addEventListener('click',function(e){var a=e.target.closest('a[href]');" +
  "if(!a||a.target||a.origin!==location.origin||a.pathname.indexOf('/api/')===0||a.pathname+a.search===location.pathname+location.search||" +
  `e.metaKey||e.ctrlKey||e.shiftKey)return;setTimeout(function(){if(e.defaultPrevented)return;r.setAttribute('${mark}','');` +
  'setTimeout(end,30000)})},true)})();';

/** Marks the page while the router loads the next one. */
export function useLoadingLine(): void {
  const isLoading = useNavigation().state !== 'idle';
  useEffect(() => {
    if (!isLoading) return undefined;
    document.documentElement.setAttribute(mark, '');
    return () => document.documentElement.removeAttribute(mark);
  }, [isLoading]);
}
