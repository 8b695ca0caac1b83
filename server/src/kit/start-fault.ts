/** What whoever starts the product has to mend, a line each. There is no stack to show, because nothing is wrong with the code. */
export class StartFault extends Error {
  readonly lines: readonly string[];

  constructor(...lines: string[]) {
    super(lines.join('\n'));
    this.lines = lines;
  }
}

const ofPort: Record<string, string> = {
  EADDRINUSE: 'something else listens there already',
  EACCES: 'this user may not listen there',
  EADDRNOTAVAIL: 'HOST is none of this machine’s addresses',
  ENOTFOUND: 'HOST is none of this machine’s addresses',
};

/** What listening at the port of a variable failed of, as a line that names the variable; any other error as it is. */
export function portFault(name: string, port: number, error: unknown): unknown {
  const why = error instanceof Error && 'code' in error ? ofPort[String(error.code)] : undefined;
  return why === undefined ? error : new StartFault(`${name} is ${port}, but ${why}.`);
}

/** Says why a start failed: a line for each thing that the environment is to blame for, the stack of what is our own fault. */
export function sayWhyNotStarted(error: unknown, say: (text: string | Error) => void = console.error): void {
  if (error instanceof StartFault) say(['Not started:', ...error.lines.map((line) => `  ${line}`)].join('\n'));
  else say(error instanceof Error ? error : String(error));
}
