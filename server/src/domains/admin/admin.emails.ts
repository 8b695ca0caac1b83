import { type DecisionKind, decisionKinds } from '@handwise/contract/admin/report-words';
import { appealMonths } from '@handwise/contract/periods';
import { site } from '@handwise/contract/site/site';
import { type Mail, formatGreeting, headerText } from '../../kit/mail/mail.ts';

type Recipient = { to: string; name: string };
type Decided = { decision: DecisionKind; reason: string; title: string };

const titleLength = 60;
const emailReason = () => `You get this email because of a decision by the moderators of ${site.name}.`;

/** Tells the person concerned what was decided, why, and how to appeal. */
export const decisionEmail = ({ to, name }: Recipient, { decision, reason, title, url }: Decided & { url: string | undefined }): Mail => ({
  to,
  subject: `${decisionKinds[decision].notice.replace(/\.$/, '')}: ${headerText(title, titleLength)}`,
  preview: 'Why, and what you can do about it.',
  greeting: formatGreeting(name),
  blocks: [
    { kind: 'text', text: decisionKinds[decision].notice },
    { kind: 'facts', rows: [{ label: 'About', value: title }] },
    { kind: 'text', text: 'The reason:' },
    { kind: 'quote', text: reason },
    ...(url
      ? [
          {
            kind: 'text' as const,
            text: 'Do you think this is wrong? Tell us why, and somebody else will look at it if possible.',
          },
          { kind: 'button' as const, label: 'See the decision, or object', url },
          { kind: 'note' as const, text: `You can object once, within ${appealMonths} months.` },
        ]
      : []),
  ],
  reason: emailReason(),
});

/** Tells a reporter the outcome. The reason is included only when nothing was done, because others' decisions are private. */
export const reportAnsweredEmail = ({ to, name }: Recipient, { decision, reason, title }: Decided): Mail => ({
  to,
  subject: `Your report: ${headerText(title, titleLength)}`,
  preview: 'Thank you for telling us.',
  greeting: formatGreeting(name),
  blocks: [
    { kind: 'text', text: `Thank you for reporting “${title}”.` },
    ...(decision === 'dismiss'
      ? [
          { kind: 'text' as const, text: decisionKinds.dismiss.notice },
          { kind: 'quote' as const, text: reason },
        ]
      : [{ kind: 'text' as const, text: 'You were right to tell us: we have acted on it.' }]),
  ],
  reason: `You get this email because you reported something on ${site.name}.`,
});

export const appealAnsweredEmail = (
  { to, name }: Recipient,
  { upheld, answer, title }: { upheld: boolean; answer: string; title: string },
  url: string,
): Mail => ({
  to,
  subject: `Your objection: ${headerText(title, titleLength)}`,
  preview: upheld ? 'You were right.' : 'The decision stays.',
  greeting: formatGreeting(name),
  blocks: [
    { kind: 'text', text: upheld ? 'You were right: we have reversed the decision.' : 'We have looked at it again. The decision stays.' },
    { kind: 'facts', rows: [{ label: 'About', value: title }] },
    { kind: 'quote', text: answer },
    { kind: 'button', label: 'See all decisions about you', url },
  ],
  reason: emailReason(),
});
