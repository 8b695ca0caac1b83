import { useEffect } from 'react';
import { useLocation, useNavigation } from 'react-router';

const mark = 'data-loading';

/**
 * Marks the page from a click on a link until the next page is shown; `base.css` draws the line. The script listens before React, whose
 * navigation state comes late if other parts are loading.
 */
export const loadingLineScript =
  `(function(){var r=document.documentElement;function end(){r.removeAttribute('${mark}')}` +
  "addEventListener('pageshow',end);addEventListener('click',function(e){var a=e.target.closest('a[href]');" +
  "if(!a||a.target||a.origin!==location.origin||a.pathname.indexOf('/api/')===0||a.pathname+a.search===location.pathname+location.search||" +
  'e.metaKey||e.ctrlKey||e.shiftKey)return;setTimeout(function(){if(e.defaultPrevented&&location.href===a.href)return;' +
  `r.setAttribute('${mark}','');setTimeout(end,e.defaultPrevented?8000:30000)})},true)})();`;

/** Marks the page while the router loads the next one. */
export function useLoadingLine(): void {
  const isLoading = useNavigation().state !== 'idle';
  const { key } = useLocation();
  useEffect(() => setMark(isLoading, key), [isLoading, key]);
}

/** Each history entry ends the mark of the previous one. */
const setMark = (isLoading: boolean, _entry: string) => void document.documentElement.toggleAttribute(mark, isLoading);
