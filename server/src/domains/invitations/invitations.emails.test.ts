import { expect, test } from 'vitest';
import { invitationEmail } from './invitations.emails.ts';

const invitation = {
  draft: {
    businessName: 'Kingi Plumbing',
    email: 'office@kingi.example',
    country: 'NZ',
    region: 'Waikato',
    district: 'Taupō',
    base: '',
    mainCategory: 'trade',
    category: 'Plumbing',
    subCategory: '',
    phone: '',
    website: '',
    businessNumber: '',
    text: '',
    source: 'kingi.example/contact, 20 Nov 2026',
  },
  basis: 'published_address',
  token: 'secret',
  end: { oneClick: 'https://handwise.example/1', page: 'https://handwise.example/2' },
  mailboxKey: 'key',
  isReminder: false,
  appUrl: 'https://handwise.example',
} satisfies Parameters<typeof invitationEmail>[0];
const textsOf = ({ blocks }: ReturnType<typeof invitationEmail>) => blocks.flatMap((block) => ('text' in block ? [block.text] : []));

test('an invitation says why and whence, what is free, and what follows without an answer', () => {
  const mail = invitationEmail(invitation);
  expect(mail).toMatchObject({
    to: 'office@kingi.example',
    subject: 'List Kingi Plumbing on Handwise',
    preview: 'Your first 30 days are free. Nothing is public until you publish it.',
    onlyIf: { check: 'invitation_open', key: 'key' },
    end: { ...invitation.end, label: 'Never invite me again' },
    reason: 'You get this email because you publish this address for enquiries about your business.',
  });
  expect(textsOf(mail)).toEqual([
    expect.stringMatching(/ We write to Kingi Plumbing because you publish this address for enquiries about your business\.$/),
    expect.stringContaining('Your first 30 days are free. Nothing is public until you publish it.'),
    'We have your details from kingi. example/contact, 20 Nov 2026.',
    'If you do not answer, we remind you once, and delete what we prepared after 60 days.',
  ]);
  expect(mail.blocks).toContainEqual({
    kind: 'button',
    label: 'See the invitation',
    url: 'https://handwise.example/invitation?token=secret',
  });
});

test('the reminder says that it is one and the only one; without a source none is named', () => {
  const mail = invitationEmail({ ...invitation, draft: { ...invitation.draft, source: '' }, basis: 'consent', isReminder: true });
  expect([mail.subject, mail.reason]).toEqual([
    'Reminder: list Kingi Plumbing on Handwise',
    'You get this email because you agreed to hear from us.',
  ]);
  expect(textsOf(mail)).toEqual([expect.any(String), expect.any(String), 'This is our only reminder.']);
});
