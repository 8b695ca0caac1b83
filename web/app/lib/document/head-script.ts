import { useEffect } from 'react';
import { useLocation, useNavigation } from 'react-router';
import { earlyCallsScript } from './early-calls.ts';

// Pages can be read, and their links and menus work, before any script loads. So styles, the font and the first picture load first, and
// modules after the first paint. Form submissions, presses and choices made before that are held and replayed.

/** Disables the scripts of rendered HTML until `afterPaintScript` in the head enables them. */
export const delayScripts = (html: string) =>
  html
    .replaceAll('<link rel="modulepreload"', '<link rel="after-paint"')
    .replace('<script type="module" async="">', '<script type="after-paint">');

/**
 * Enables the scripts at the first paint; for members, whose pages are empty without scripts, and in hidden tabs, which never paint, once
 * the document is parsed. Until `markStarted`, it holds form submissions, presses (each button once) and choices, and replays them after
 * the browser's first render. The enabled script's text is unchanged, so its hash in the security policy matches.
 *
 * If a script fails before that, `startFailed` gives the page back to the browser: held forms are sent, links and forms work as without scripts, and
 * the page says that it could not start.
 */
const afterPaintScript =
  "(function(){var d=document,r=d.documentElement,done=0,form=null,held=new Map();if(!('noModule' in d.createElement('script')))return;function wake(){if(done)return;done=1;" +
  "d.querySelectorAll('link[rel=after-paint]').forEach(function(l){l.fetchPriority='low';l.rel='modulepreload'});" +
  "d.querySelectorAll('script[type=after-paint]').forEach(function(o){var s=d.createElement('script');s.type='module';s.text=o.text;s.onerror=fail;d.head.appendChild(s).remove()})}" +
  "function hold(e){e.preventDefault();form=e.target;d.documentElement.setAttribute('data-loading','')}d.addEventListener('submit',hold,true);" +
  "function press(e){var b=e.target.closest('button[type=button]:not([popovertarget])');if(b){held.set(b,'');b.setAttribute('data-held','')}}d.addEventListener('click',press,true);" +
  "function choose(e){var o=e.target;if(!o.matches('select,[type=radio],[type=checkbox]'))return;held.delete(o);held.set(o,o.localName=='select'?o.value:o.checked)}" +
  "d.addEventListener('change',choose,true);" +
  "function give(v,o){o.removeAttribute('data-held');if(o.localName=='select'){o.value=v;return o.dispatchEvent(new Event('change',{bubbles:true}))}" +
  // React ignores a press that leaves a choice as it is.
  "if(v!=='')o.checked=!v;o.click()}" +
  "function free(){d.removeEventListener('submit',hold,true);d.removeEventListener('click',press,true);d.removeEventListener('change',choose,true);" +
  "removeEventListener('error',heard,true);removeEventListener('unhandledrejection',fail)}" +
  "function fail(){free();if(r.hasAttribute('data-member'))r.setAttribute('data-failed','member');else r.setAttribute('data-failed','');r.removeAttribute('data-member');" +
  "held.forEach(function(v,o){o.removeAttribute('data-held')});held.clear();if(form){r.removeAttribute('data-loading');HTMLFormElement.prototype.submit.call(form)}}" +
  // An element's error counts if it is a script's; a missing picture stops nothing.
  "function heard(e){if(e.target===window||e.target.localName==='script')fail()}addEventListener('error',heard,true);addEventListener('unhandledrejection',fail);" +
  "window.startFailed=fail;window.started=function(){free();if(r.getAttribute('data-failed')==='member')r.setAttribute('data-member','');r.removeAttribute('data-failed');" +
  "if(form){r.removeAttribute('data-loading');form.requestSubmit()}" +
  'setTimeout(function(){held.forEach(give);held.clear()})};' +
  "d.addEventListener('DOMContentLoaded',function(){" +
  "if(d.hidden||d.documentElement.hasAttribute('data-member')||!window.PerformanceObserver)return wake();" +
  "try{new PerformanceObserver(function(l){if(l.getEntriesByName('first-contentful-paint').length)setTimeout(wake)}).observe({type:'paint',buffered:true})}catch(e){wake()}" +
  "setTimeout(wake,3000);d.addEventListener('visibilitychange',wake)})})()";

const mark = 'data-loading';

/**
 * Marks the page from a click on a link until the next page is shown; `base.css` draws the line. The script listens before React, whose
 * navigation state comes late if other parts are loading.
 */
const loadingLineScript =
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

/** Each new history entry removes the mark of the previous one. */
const setMark = (isLoading: boolean, _entry: string) => void document.documentElement.toggleAttribute(mark, isLoading);

/**
 * Sets the colour scheme and the signed-in mark before the first paint, so that neither the wrong colours nor the visitors' page flash, and
 * makes the early calls. The text must be the same for everyone, because the security policy has its hash. Pure, so that the browser's bundle
 * leaves it out.
 */
export const headScript = /* @__PURE__ */ (() =>
  '(function(){var r=document.documentElement,s=null,u=null;' +
  "try{s=localStorage.getItem('mantine-color-scheme-value');u=JSON.parse(localStorage.getItem('user'))}catch(e){}" +
  "var d=s==='dark'||(s!=='light'&&matchMedia('(prefers-color-scheme: dark)').matches);" +
  "r.setAttribute('data-mantine-color-scheme',d?'dark':'light');" +
  "if(u&&u.token||/signed-in=1/.test(document.cookie))r.setAttribute('data-member','');" +
  earlyCallsScript +
  '})();' +
  loadingLineScript +
  afterPaintScript)();
