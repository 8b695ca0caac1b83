import type { ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';

/** A phone's window, as all engines open it. */
export const phone = { width: 390, height: 844 };

/** One tab of a browser: the little that every engine's protocol can do. Elements are named by a selector. */
export type Tab = {
  open(address: string): Promise<void>;
  /** Runs the body of a function in the page and returns its JSON. */
  run<Result>(body: string): Promise<Result>;
  click(selector: string): Promise<void>;
  /** Types into an element, as its keys. */
  type(selector: string, text: string): Promise<void>;
  press(key: Key): Promise<void>;
  chooseFiles(selector: string, paths: string[]): Promise<void>;
};

export type Engine = {
  newTab(): Promise<Tab>;
  /** Errors of the pages, as far as the engine reports them. */
  complaints(): Promise<string[]>;
  close(): Promise<void>;
};

/** WebDriver's code of each key. */
export const keys = { Enter: '\uE007', Escape: '\uE00C', ArrowDown: '\uE015', Tab: '\uE004' } as const;
export type Key = keyof typeof keys;

export const isInstalled = (path: string) => existsSync(path);

/** Ends a process group that was started detached. */
export const endGroup = (child: ChildProcess) =>
  new Promise<void>((done) => {
    if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return done();
    const group = -child.pid;
    const signal = (name: NodeJS.Signals) => {
      try {
        process.kill(group, name);
      } catch {
        // It has ended.
      }
    };
    const hard = setTimeout(() => signal('SIGKILL'), 5_000);
    child.once('exit', () => {
      clearTimeout(hard);
      done();
    });
    signal('SIGTERM');
  });
