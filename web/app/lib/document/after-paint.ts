// Pages can be read, and their links and menus work, before any script is loaded. So styles, font and the first picture load alone, and
// modules load after the first paint. Forms sent, buttons pressed and choices made before that wait for them.

/** Disables the scripts of rendered HTML until `afterPaintScript` in the head enables them. */
export const holdScripts = (html: string) =>
  html
    .replaceAll('<link rel="modulepreload"', '<link rel="after-paint"')
    .replace('<script type="module" async="">', '<script type="after-paint">');

/**
 * Enables them at the first paint; for members, whose pages are empty without, and in hidden tabs, which paint nothing, once the document
 * is parsed. Until `releaseHeld`, it holds back form submissions, presses (each button once) and choices, and replays them after the
 * browser's first render. The enabled script's text is unchanged, so its hash in the security policy matches.
 */
export const afterPaintScript =
  '(function(){var d=document,done=0,form=null,held=new Map();function wake(){if(done)return;done=1;' +
  "d.querySelectorAll('link[rel=after-paint]').forEach(function(l){l.fetchPriority='low';l.rel='modulepreload'});" +
  "d.querySelectorAll('script[type=after-paint]').forEach(function(o){var s=d.createElement('script');s.type='module';s.text=o.text;d.head.appendChild(s).remove()})}" +
  "function hold(e){e.preventDefault();form=e.target;d.documentElement.setAttribute('data-loading','')}d.addEventListener('submit',hold,true);" +
  "function press(e){var b=e.target.closest('button[type=button]:not([popovertarget])');if(b){held.set(b,'');b.setAttribute('data-held','')}}d.addEventListener('click',press,true);" +
  "function choose(e){if(e.target.matches('select,input[type=radio]'))held.set(e.target,e.target.value)}d.addEventListener('change',choose,true);" +
  "function give(v,o){o.removeAttribute('data-held');if(o.localName!='select')return o.click();o.value=v;o.dispatchEvent(new Event('change',{bubbles:true}))}" +
  "window.releaseHeld=function(){d.removeEventListener('submit',hold,true);d.removeEventListener('click',press,true);d.removeEventListener('change',choose,true);" +
  "if(form){d.documentElement.removeAttribute('data-loading');form.requestSubmit()}" +
  'setTimeout(function(){held.forEach(give);held.clear()})};' +
  "d.addEventListener('DOMContentLoaded',function(){" +
  "if(d.hidden||d.documentElement.hasAttribute('data-member')||!window.PerformanceObserver)return wake();" +
  "try{new PerformanceObserver(function(l){if(l.getEntriesByName('first-contentful-paint').length)setTimeout(wake)}).observe({type:'paint',buffered:true})}catch(e){wake()}" +
  "setTimeout(wake,3000);d.addEventListener('visibilitychange',wake)})})()";

declare global {
  interface Window {
    releaseHeld?: () => void;
  }
}

/** Replays held interactions. Call it once React has hydrated. */
export const releaseHeld = () => window.releaseHeld?.();
