import { readFileSync, readdirSync } from 'node:fs';

const read = (id: number, file: string) => readFileSync(`/proc/${id}/${file}`, 'utf8');

/** The child processes whose command contains `program`. Linux only. */
export const startedProcesses = (program: string): number[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((id) => {
      try {
        return read(id, 'status').includes(`\nPPid:\t${process.pid}\n`) && read(id, 'cmdline').includes(program);
      } catch {
        return false;
      }
    });

/** Linux's data of a process. */
export function processFacts(id: number) {
  const fields = read(id, 'stat').replace(/.*\) /s, '').split(' ').map(Number);
  return {
    /** CPU seconds, which do not depend on the machine's load. */
    usedSeconds: ((fields[11] ?? 0) + (fields[12] ?? 0)) / 100,
    peakMegabytes: Number(/VmHWM:\s+(\d+)/.exec(read(id, 'status'))?.[1]) / 1024,
    niceness: fields[16] ?? 0,
    environment: read(id, 'environ').split('\0'),
    maxDataBytes: Number(/Max data size\s+(\d+)/.exec(read(id, 'limits'))?.[1]),
  };
}
