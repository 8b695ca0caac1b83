import { isPaymentPage } from '@handwise/contract/payments/pages';
import { useEffect, useRef } from 'react';

/**
 * What may run in a document is said once, when it is loaded, and the provider's script may run on pages of payment only. So with real
 * keys a page of payment that a link has led to is loaded as a document of its own; what was typed so far is in the browser's store.
 */
export function usePaymentDocument(pathname: string, realPayments: boolean) {
  const loaded = useRef(pathname);
  useEffect(() => {
    if (realPayments && isPaymentPage(pathname) && !isPaymentPage(loaded.current)) location.reload();
  }, [pathname, realPayments]);
}
