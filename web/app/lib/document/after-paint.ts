// A page reads, and its links and menus work, before any script has come. So styles, font and the first picture have the line for
// themselves, and the modules of the page are asked for once it has been painted. A form that is sent, a button that is pressed and a
// choice that is made before they are there wait for them.

/** Puts the scripts of rendered HTML to sleep. `afterPaintScript` in the head wakes them. */
export const holdScripts = (html: string) =>
  html
    .replaceAll('<link rel="modulepreload"', '<link rel="after-paint"')
    .replace('<script type="module" async="">', '<script type="after-paint">');

/**
 * Wakes them at the first paint: for members, whose pages are empty without, as soon as the document is read, and in a hidden tab, which
 * paints nothing, as well. Until `releaseHeld`, it holds back what only a script answers: forms, presses of buttons that open nothing by
 * themselves, each once however often it was pressed, and choices. They are given back behind the first rendering of the browser's own,
 * which knows who is signed in. The text of the woken script is unchanged, so the hash in the security policy still allows it.
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

/** Lets everything go from now on. Call it once React is there to catch it. */
export const releaseHeld = () => window.releaseHeld?.();
