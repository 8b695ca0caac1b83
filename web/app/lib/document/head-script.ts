import { afterPaintScript } from './after-paint.ts';
import { loadingLineScript } from './loading-line.ts';

/**
 * Runs before the first paint: the colour scheme, and whether somebody is signed in, so that neither the wrong colours nor
 * the visitor's page flash up. The text must stay the same for everybody: the security policy carries its hash.
 */
export const headScript =
  '(function(){var r=document.documentElement,s=null,u=null;' +
  "try{s=localStorage.getItem('mantine-color-scheme-value');u=JSON.parse(localStorage.getItem('user'))}catch(e){}" +
  "var d=s==='dark'||(s!=='light'&&matchMedia('(prefers-color-scheme: dark)').matches);" +
  "r.setAttribute('data-mantine-color-scheme',d?'dark':'light');" +
  "if(u&&u.token)r.setAttribute('data-member','')})();" +
  loadingLineScript +
  afterPaintScript;
