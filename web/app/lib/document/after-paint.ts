// A page reads, and its links and menus work, before any script has come. So styles, font and the first picture have the line for
// themselves, and the modules of the page are asked for once it has been painted. A form that is sent before they are there waits
// for them.

/** Puts the scripts of rendered HTML to sleep. `afterPaintScript` in the head wakes them. */
export const holdScripts = (html: string) =>
  html
    .replaceAll('<link rel="modulepreload"', '<link rel="after-paint"')
    .replace('<script type="module" async="">', '<script type="after-paint">');

/**
 * Wakes them at the first paint: for members, whose pages are empty without, as soon as the document is read, and in a hidden tab, which
 * paints nothing, as well. Until `sendHeldForm`, it holds forms back. The text of the woken script is unchanged, so the hash in the security policy still allows it.
 */
export const afterPaintScript =
  '(function(){var d=document,done=0,form=null;function wake(){if(done)return;done=1;' +
  "d.querySelectorAll('link[rel=after-paint]').forEach(function(l){l.fetchPriority='low';l.rel='modulepreload'});" +
  "d.querySelectorAll('script[type=after-paint]').forEach(function(o){var s=d.createElement('script');s.type='module';s.text=o.text;d.head.appendChild(s).remove()})}" +
  "function hold(e){e.preventDefault();form=e.target}d.addEventListener('submit',hold,true);" +
  "window.sendHeldForm=function(){d.removeEventListener('submit',hold,true);form&&form.requestSubmit()};" +
  "d.addEventListener('DOMContentLoaded',function(){" +
  "if(d.hidden||d.documentElement.hasAttribute('data-member')||!window.PerformanceObserver)return wake();" +
  "try{new PerformanceObserver(function(l){if(l.getEntriesByName('first-contentful-paint').length)setTimeout(wake)}).observe({type:'paint',buffered:true})}catch(e){wake()}" +
  "setTimeout(wake,3000);d.addEventListener('visibilitychange',wake)})})()";

declare global {
  interface Window {
    sendHeldForm?: () => void;
  }
}

/** Lets forms go from now on. Call it once React is there to catch them. */
export const sendHeldForm = () => window.sendHeldForm?.();
