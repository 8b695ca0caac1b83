import { deviceHeader } from '@handwise/contract/call';
import { deviceKey, readStored, writeStored } from '../browser-storage.ts';

/** What this browser shows of earlier sign-ins, so that others who guess cannot lock its user out. */
export function deviceHeaders(): { [deviceHeader]?: string } {
  const device = readStored(deviceKey);
  return device !== null && /^[\w-]{43}$/.test(device) ? { [deviceHeader]: device } : {};
}

/** Stays when the user signs out. */
export const keepDevice = (device: string) => writeStored(deviceKey, device);
