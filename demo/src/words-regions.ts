import type { Trait } from './climates.ts';

/** Facts for sub-categories in places with a trait. */
type RegionalFact = { where: Trait; subs: readonly number[]; text: string };

const factsFor = (where: Trait, texts: Record<string, readonly number[]>): RegionalFact[] =>
  Object.entries(texts).map(([text, subs]) => ({ where, subs, text }));

export const regionalFacts: readonly RegionalFact[] = [
  ...factsFor('frost', {
    'Outside taps and pipes are lagged before the first frost.': [601, 602, 606],
    'After a hard frost we start at six: that is when frozen pipes let go.': [603],
    'Pipes that froze once are moved or lagged, so that it stays at once.': [604],
    'No concrete is poured when frost is forecast for the night.': [1002],
    'Frost-tender plants go under cover in May and come out in October.': [1001, 1104, 1105],
    'Sprinkler lines are blown out before the frosts.': [1103],
  }),
  ...factsFor('quakes', {
    'Cylinders are strapped to the wall for earthquakes, and old straps are checked.': [606, 601],
    'Older homes are bolted and braced to their piles, so that both move together in an earthquake.': [401, 404],
    'Brick chimneys come down to below the ceiling: since the earthquakes nobody misses them.': [406],
    'Concrete tiles are clipped down, so that an earthquake does not send them into the garden.': [701],
    'Bookcases and wardrobes are fixed to the studs, because {r} has earthquakes.': [1202],
    'Ceiling grids and partitions are braced for earthquakes and signed off by an engineer.': [403],
  }),
  ...factsFor('NZ', {
    'Homes from the leaky years are opened carefully, dried out and re-clad over a cavity.': [401, 402],
    'Plaster-clad homes are checked for moisture before a tin is opened: leaky walls are mended first.': [801, 205],
    'Borer in old floors is treated in spring, when the beetles fly.': [204],
    'Boards with borer are cut out and replaced, not painted over.': [1004, 404],
    'Rentals are checked against the healthy homes standards, and you get the form.': [1203, 1201, 501],
    'Mould is mostly a matter of moisture: we measure each room and tell you where it comes from.': [103],
    'Flashings that were left out in the nineties are put in, before the wall behind them rots.': [701, 902],
  }),
  ...factsFor('termites', {
    'Subfloor, roof void and fence line are searched for termites with a thermal camera.': [204],
    'Each slab and each extension gets a termite barrier, and you get the certificate.': [401, 402, 405],
    'Posts stand in steel stirrups, off the ground and away from termites.': [1003, 1004],
    'Garden beds are kept clear of the slab edge, so that termites find no bridge.': [1001, 1104, 1105],
  }),
  ...factsFor('bushfire', {
    'Gutters get ember guards, and valleys are cleared before the bushfire season.': [701],
    'We build to the bushfire attack level of your block, and explain what it means.': [402, 405],
    'Before the bushfire season, gutters, decks and a ring around the house are cleared.': [1203],
    'Dead limbs and low branches near the house come off before the bushfire season.': [1102],
    'For blocks near the bush there are toughened panes and steel mesh against embers.': [902],
  }),
  ...factsFor('tropics', {
    'Roofs are tied down to the cyclone code, screw by screw.': [701],
    'Crowns are thinned and dead fronds taken down before the cyclone season.': [1102],
    'Loose iron, gutters and shutters are checked before the cyclone season.': [1203, 1201],
    'Screens and panes are rated for cyclones.': [902, 903],
    'Pits and pipes are cleared before the wet season, not during it.': [605],
    'Frames and slabs are tied together for cyclones, and an engineer signs for it.': [401, 402, 405],
    'Mould comes with the wet season: we treat it and show you what keeps it away.': [103, 101],
    'Lawns are cut weekly in the wet and monthly in the dry.': [1101],
  }),
  ...factsFor('hard water', {
    'Hard water scales up mixers and heads here: we descale first and replace last.': [601, 606],
    'Hard-water marks come off the glass without scratching it.': [104, 901, 101],
  }),
  ...factsFor('sand', {
    'Sand lets water run through: we add clay and a wetting agent before anything is planted.': [1001, 1104, 1105, 1101],
    'We know the watering days of {r} and set the controller to them.': [1103],
  }),
  ...factsFor('clay', {
    'Clay moves with the seasons here, so slabs and paths get joints in the right places.': [1002],
    'Clay pulls old pipe joints apart: the camera shows which.': [604, 605],
  }),
  ...factsFor('sulphur', {
    'Sulphur in the air eats copper here, so we use fittings that are made for it.': [501, 502, 601, 602, 603, 604, 605, 606, 303],
    'Sulphur eats roof iron and nails here, so we use coatings and screws that last.': [701, 1201, 1203, 1003, 1004],
  }),
  ...factsFor('wind', {
    'Fences are braced for the wind, with posts closer together on the open side.': [1003],
    'Ridge and edges get extra screws: the wind lifts a roof there first.': [701],
    'Sheds and glasshouses are anchored for the wind.': [1105],
  }),
  ...factsFor('Queenslanders', {
    'Tongue-and-groove walls and casement windows of Queenslanders are painted by hand.': [801, 205],
    'Queenslanders are raised, built in below and put back on new stumps.': [401, 404],
  }),
];
