import { afterPaintScript } from './after-paint.ts';
import { loadingLineScript } from './loading-line.ts';

/**
 * Sets the colour scheme and the signed-in mark before the first paint, so that neither wrong colours nor the visitor's page flash up.
 * The text must be the same for everyone: the security policy has its hash.
 */
export const headScript =
  '(function(){var r=document.documentElement,s=null,u=null;' +
  "try{s=localStorage.getItem('mantine-color-scheme-value');u=JSON.parse(localStorage.getItem('user'))}catch(e){}" +
  "var d=s==='dark'||(s!=='light'&&matchMedia('(prefers-color-scheme: dark)').matches);" +
  "r.setAttribute('data-mantine-color-scheme',d?'dark':'light');" +
  "if(u&&u.token)r.setAttribute('data-member','')})();" +
  loadingLineScript +
  afterPaintScript;
