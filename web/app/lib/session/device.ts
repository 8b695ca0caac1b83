import { deviceHeader } from '@handwise/contract/call';
import { deviceKey, readStored, writeStored } from '../browser-storage.ts';

/** Identifies this browser at sign-in, so that guesses from elsewhere cannot lock its user out. */
export function getDeviceHeaders(): { [deviceHeader]?: string } {
  const device = readStored(deviceKey);
  return device !== null && /^[\w-]{43}$/.test(device) ? { [deviceHeader]: device } : {};
}

/** Stores the device id, which survives signing out. */
export const saveDevice = (device: string) => writeStored(deviceKey, device);
