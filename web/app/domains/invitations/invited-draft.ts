import type { InvitationDraft } from '@handwise/contract/invitations/calls';
import { createDraft, saveDraft } from '../selling/wizard/wizard-draft.ts';

/** Stores the draft of an invitation as the wizard's draft, in place of an unfinished one. */
export function storeInvitedDraft(invited: InvitationDraft): void {
  const { businessName, email, country, region, district, website, text, mainCategory, category, subCategory, businessNumber } = invited;
  const draft = createDraft(country);
  saveDraft({
    ...draft,
    begun: true,
    business: {
      businessName,
      businessEmail: email,
      country,
      region,
      district,
      services: subCategory || category,
      aboutBusiness: text,
      website,
    },
    listing: { ...draft.listing, mainCategory, category, subCategory },
    evidence: { ...draft.evidence, businessNumber },
  });
}
