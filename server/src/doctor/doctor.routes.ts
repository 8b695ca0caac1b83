import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { checkHealthCall, type Finding } from '@handwise/contract/site/health';
import { http } from '../kit/http.ts';

/** Administrators who ask at the same time share one check. */
export const doctorRoutes: FastifyPluginAsyncZod<{ check: (options: { sendEmail: boolean }) => Promise<Finding[]> }> = async (
  app,
  { check },
) => {
  const running = new Map<boolean, Promise<Finding[]>>();
  app.route({
    ...http(checkHealthCall),
    handler: async ({ body: { sendEmail } }) => {
      const findings = running.get(sendEmail) ?? check({ sendEmail }).finally(() => running.delete(sendEmail));
      running.set(sendEmail, findings);
      return { findings: await findings, checkedAt: new Date().toISOString() };
    },
  });
};
