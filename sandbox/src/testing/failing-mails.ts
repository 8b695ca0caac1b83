import type { Context } from '@handwise/server/kit/context';

/** The context of a server that cannot queue emails to this user. */
export function failingMailsTo<T extends Pick<Context, 'jobs'>>(context: T, { email }: { email: string }): T {
  const send = context.jobs.send.bind(context.jobs);
  const jobs = Object.assign(Object.create(context.jobs) as Context['jobs'], {
    send: async (...args: Parameters<typeof send>) => {
      if ((args[2] as { to?: string }).to === email) throw new Error('no mail today');
      return send(...args);
    },
  });
  return { ...context, jobs };
}
