import { z } from 'zod';
import type { CountryCode, MarketHosts } from './markets.ts';

export const countryCode = z.enum(['NZ', 'AU'] satisfies CountryCode[]);

export const marketHosts = z.record(z.string(), countryCode).transform((hosts): MarketHosts => new Map(Object.entries(hosts)));
