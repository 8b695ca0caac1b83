import type { PriceUnit } from '@handwise/contract/facts/prices';
import type { CountryCode } from '@handwise/contract/markets';
import { type Bank, bank } from './bank.ts';

// Kinds of work that people search for and that share a sub-category with others.

export type Specialism = 'heat pumps' | 'tiling' | 'locks';

type Words = {
  words: Record<CountryCode, Bank>;
  names: Record<CountryCode, readonly string[]>;
  price: readonly [PriceUnit, number, number];
};

const inBoth = (...texts: Parameters<typeof bank>): Record<CountryCode, Bank> => {
  const words = bank(...texts);
  return { NZ: words, AU: words };
};

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

/** A unit that heats and cools is a heat pump in New Zealand and an air conditioner in Australia. */
const airWords = (unit: string) =>
  bank(['heat-pump', 'heat-pump', 'switchboard', 'house-van'], {
    heads: `${capital(unit)} installation
    ${capital(unit)} installation and servicing
    ${capital(unit)} cleaning and service
    ${capital(unit)} repairs
    Ducted ${unit} systems
    High-wall ${unit} installers
    Multi-room ${unit}s
    ${capital(unit)} installers for homes
    ${capital(unit)}s supplied and installed`,
    leads: `{b} supplies and installs ${unit}s in {t}, sized for the room and not for the brochure.
    ${capital(unit)} not keeping up? We clean, regas and repair units all over {t}.
    {o} has put in ${unit}s around {r} for {y} years and still measures every room first.
    One ${unit} or ducted through the whole house: {b} fits both in {t}.
    We install ${unit}s in {t} in a day, wired by our own electrician.`,
    facts: `Every ${unit} is sized from floor area, windows and insulation, in writing.
    The electrical certificate and the maker’s warranty come with each installation.
    Outdoor units are placed where neighbours do not hear them.
    A yearly service of filters, coil and drain keeps the running cost down.
    We work with four brands and say which one suits your room.
    Old units are taken away and the gas is recovered.
    Pipes run in neat covers that can be painted.`,
    services: `${capital(unit)} installation, ${capital(unit)} servicing, ${capital(unit)} repairs, Ducted systems, High-wall units, Multi-room systems, Filter and coil cleaning, Regassing, Controls by phone, Ventilation`,
    praise: `The unit was on the wall and running by two in the afternoon.
    They talked us into a smaller model, and it does the job.
    Hardly hear it outside, and neither do the neighbours.
    Explained the settings until even my father was happy.
    Cleaned the old unit and it works like new.
    Neat pipe covers, no mess, fair price.
    Came back after a week to check that we were happy.`,
    asks: `a ${unit} installed in the lounge
    a ${unit} serviced
    a price for ducted heating and cooling`,
  });

export const specialisms: Readonly<Record<Specialism, Words>> = {
  'heat pumps': {
    names: {
      NZ: ['Heat Pumps', 'Heat Pumps & Air', 'Heating & Cooling', 'Air Conditioning'],
      AU: ['Air Conditioning', 'Air', 'Heating & Cooling', 'Cooling & Electrical'],
    },
    price: ['job', 140, 320],
    words: { NZ: airWords('heat pump'), AU: airWords('air conditioner') },
  },
  tiling: {
    names: { NZ: ['Tiling', 'Tilers', 'Tiling & Waterproofing'], AU: ['Tiling', 'Tilers', 'Tiling & Waterproofing'] },
    price: ['square_metre', 65, 120],
    words: inBoth(['tiles', 'tiles', 'bathroom-plumb', 'kitchen'], {
      heads: `Bathroom and floor tiling
        Wall and floor tiler
        Tiler for bathrooms and kitchens
        Tiling and waterproofing
        Splashback and kitchen tiling
        Outdoor and patio tiling
        Large-format tiling
        Shower tiling and waterproofing
        Tile repairs and regrouting`,
      leads: `{b} tiles bathrooms, kitchens and floors in {t}, waterproofing included.
        Straight lines and falls that drain: tiling across {t} by {b}.
        {o} has laid tiles in {r} for {y} years and still draws the pattern before cutting one.
        Cracked or loose tiles? We repair and regrout in {t}, and find out why they moved.
        From a splashback to a whole house, we are tilers for {t}.`,
      facts: `Waterproofing is done by a certified applicator and photographed before tiles cover it.
        We set out the room on paper, so that cuts end up where nobody looks.
        Floors are levelled first, because tiles only follow what is below.
        Large tiles and stone are lifted by two people and never rushed.
        Grout and silicone are matched to the tile and sealed.
        You pay for the square metres that we lay, not for the boxes that you bought.
        Dust is caught at the saw, and the cuts are made outside.`,
      services:
        'Bathroom tiling, Floor tiling, Wall tiling, Splashbacks, Waterproofing, Outdoor tiling, Regrouting, Tile repairs, Mosaics, Stone and large tiles',
      praise: `The niche lines up with the tiles to the millimetre.
        Water runs to the drain and nowhere else.
        Every cut is where you would want it.
        Finished two days early and left the floor spotless.
        Matched tiles from 1998 for the repair.
        Patient when we changed the pattern at the last minute.
        The splashback makes the kitchen.`,
      asks: `a bathroom floor and shower tiled
        a kitchen splashback tiled
        loose tiles repaired and regrouted`,
    }),
  },
  locks: {
    names: { NZ: ['Locksmiths', 'Lock & Key', 'Locks'], AU: ['Locksmiths', 'Lock & Key', 'Locks'] },
    price: ['job', 95, 190],
    words: inBoth(['lock', 'lock', 'keypad', 'house-van'], {
      heads: `Local locksmith
        Locked out? Mobile locksmith
        Locksmith for homes
        Lock changes and rekeying
        Deadbolts and smart locks fitted
        Door and window locks
        Locksmith for rentals and agents
        New locks and keys cut
        Lock repairs and replacement`,
      leads: `Locked out in {t}? {b} opens most doors without a scratch.
        New keys, new locks or one key for all: {b} is the locksmith for {t}.
        {o} has been a locksmith in {r} for {y} years and comes with a workshop on wheels.
        We change locks in {t} the day you move in, so that only you have a key.
        Deadbolts, window locks and smart locks, fitted straight and explained: {b} in {t}.`,
      facts: `The price for a lockout is told on the phone and does not change at the door.
        We ask for proof that the home is yours before we open anything.
        One key can open the house, the garage and the side gate.
        Locks that insurers ask for are in the van.
        Smart locks are set up with you, with a key for the day the battery is flat.
        Doors that stick are adjusted before a lock is blamed.
        Worn locks are rekeyed where that is enough, which costs half.`,
      services:
        'Lockouts, Lock changes, Rekeying, Deadbolts, Smart locks, Window locks, Key cutting, Door closers, Safes, Garage door locks',
      praise: `Back in the house in ten minutes, door undamaged.
        One key for everything, at last.
        Turned up late at night and stayed friendly.
        The price on the phone was the price on the card.
        Fixed the sticky door instead of selling us a lock.
        Rekeyed the whole rental between tenants.
        Set up the smart lock and showed the children.`,
      asks: `the locks changed on a house that we just bought
        a deadbolt fitted to the back door
        a smart lock installed`,
    }),
  },
};
