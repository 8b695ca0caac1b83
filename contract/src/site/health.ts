import { z } from 'zod';
import type { Call } from '../call.ts';

export const checkStates = ['ok', 'warn', 'fail'] as const;

const finding = z.object({
  name: z.string(),
  state: z.enum(checkStates).meta({ description: '`warn` also for what could not be checked' }),
  says: z.string().meta({ description: 'What was found' }),
  todo: z.string().nullable().meta({ description: 'What to do about it; null if nothing' }),
});
export type Finding = z.output<typeof finding>;

export const checkHealthCall = {
  method: 'POST',
  url: '/admin/health',
  summary: 'Check the installation',
  details:
    'Checks the database, email, files, payment provider, DNS, certificates and jobs, as `npm run doctor` does. Creates test objects and removes them again.',
  access: 'admin',
  body: z.strictObject({ sendEmail: z.boolean().meta({ description: 'Whether to send a test email to the support address' }) }),
  response: z.object({ checkedAt: z.iso.datetime(), findings: z.array(finding) }),
  errors: [],
} as const satisfies Call;
