import { type Category, type SubCategory, findCategory, findSubCategories } from '../listings/categories.ts';
import { splitWords } from '../text.ts';

/**
 * What households of both countries call a trade, and its categories. `who` are people of the trade, `what` is what they work on or do;
 * both mean the whole group or sub-category. `narrower` is a part of it, whose words are searched as well: listings that have them come first.
 * `apart` are those that most businesses of the category do not do, so that a listing must have the words. A sub-category of two groups, such as window
 * cleaning, has no group and means both.
 *
 * Plurals, compounds, capitals, macrons, -ise and -ize, and the endings -er, -ing and -ation need no entries of their own: "lawn mowing"
 * covers "lawnmowing", "lawn mower" and "Lawn-Mowers".
 */
export type Trade = {
  category: Category | null;
  subCategories: readonly SubCategory[];
  who: readonly string[];
  what: readonly string[];
  narrower: readonly string[];
  apart: readonly string[];
};

const splitList = (text = '') =>
  text
    .split(',')
    .map((one) => one.trim())
    .filter(Boolean);

function createTrade(place: string, words: { who?: string; what?: string; narrower?: string; apart?: string }): Trade {
  const [group = '', sub = ''] = place.split('>').map((name) => name.trim());
  const category = findCategory(group) ?? null;
  const subCategories = sub ? findSubCategories(sub, category ?? undefined) : [];
  if ((group && !category) || (sub && subCategories.length === 0)) throw new Error(`There is no category ${place}`);
  return {
    category,
    subCategories,
    who: splitList(words.who),
    what: splitList(words.what),
    narrower: splitList(words.narrower),
    apart: splitList(words.apart),
  };
}

// Sources of the te reo Māori terms: careers.govt.nz (kaimahi hiko, kaihanga whare, kaipeita) and tahatu.govt.nz (kaitiaki kāri).
export const trades: readonly Trade[] = [
  createTrade('Plumbing', {
    who: 'plumber, plumbing contractor, sanitary plumber, licensed plumber, registered plumber, master plumber',
    what: `tap, faucet, mixer tap, toilet, dunny, loo, cistern, bidet, vanity, basin, sink, kitchen sink, laundry tub, shower plumbing, bathroom plumbing,
      leaking tap, dripping tap, leaking toilet, running toilet, leak, water leak, leak detection, water pressure, low water pressure, water meter,
      stopcock, toby, backflow, backflow prevention, water filter, water filtration, water main, insinkerator, waste disposal`,
    narrower: 'rainwater tank, water tank, water pump, underfloor heating, hydronic heating, solar hot water',
    apart: 'septic tank, bore pump',
  }),
  createTrade('Plumbing > Residential plumbing', { what: 'residential plumbing, domestic plumbing, house plumbing, home plumbing' }),
  createTrade('Plumbing > Commercial plumbing', {
    who: 'commercial plumber',
    what: 'commercial plumbing, industrial plumbing, trade waste, grease trap',
  }),
  createTrade('Plumbing > Emergency plumbing', {
    who: 'emergency plumber, 24 hour plumber, 24/7 plumber, after hours plumber, urgent plumber, weekend plumber',
    what: 'emergency plumbing, burst pipe, flooded house, water everywhere',
  }),
  createTrade('Plumbing > Pipe repairs', {
    what: 'pipe, pipe repair, pipework, leaking pipe, broken pipe, frozen pipe, pipe relining, repipe, water pipe',
  }),
  createTrade('Plumbing > Drain cleaning', {
    who: 'drainlayer, drainie, drain unblocker, drain surgeon',
    what: `drain, drainage, drainlaying, blocked drain, clogged drain, blocked sink, blocked toilet, blocked pipe, blocked shower, drain camera, cctv drain inspection,
      hydro jetting, water jetting, sewer, sewerage, stormwater, soak hole, gully trap, gurgling drain`,
  }),
  createTrade('Plumbing > Water heater services', {
    what: `hot water, hot water cylinder, hot water system, hot water heater, hot water tank, hot water service, water heater, no hot water, califont, gas hot water, infinity,
      tempering valve, cylinder`,
  }),

  createTrade('Electrical & Gas > Electricians', {
    who: 'electrician, sparky, sparkie, sparks, electrical contractor, registered electrician, licensed electrician, master electrician, kaimahi hiko',
    what: `electrical, electrics, electrical work, wiring, rewire, power point, powerpoint, power outlet, light switch, lighting, light, downlight, led light, light fitting, chandelier,
      switchboard, fuse box, fuse, circuit breaker, safety switch, rcd, no power, power cut, ceiling fan, extractor fan, bathroom fan, heated towel rail, smoke alarm, smoke detector,
      test and tag, surge protection, meter box, generator, hiko`,
    narrower: `solar, solar panel, solar installer, solar power, solar battery, ev charger, car charger, heat pump, air conditioning, aircon, air con, ac unit, split system, reverse cycle,
      hvac, ducted heating, ducted air, fridgie, ventilation, home ventilation, data cabling, network cabling, phone line, tv aerial, antenna, aerial installer,
      satellite dish, starlink, spa pool wiring, hot tub wiring, underfloor heating element, electric heater`,
  }),
  createTrade('Electrical & Gas > Gas fitting', {
    who: 'gas fitter, gas plumber, gas man, gas technician, gas engineer',
    what: `gas, gas fitting, gas leak, gas heater, gas cooktop, gas hob, gas bottle, gas line, gas appliance, gas fire, gas fireplace, lpg, bbq gas, boiler, gas boiler, gas certificate`,
  }),
  createTrade('> Appliance repairs', {
    who: 'appliance technician, appliance repairer, appliance repairman, whiteware technician, whitegoods technician',
    what: `appliance, appliance repair, appliance service, whiteware, whitegoods, washing machine, washer, clothes dryer, tumble dryer, dryer, dishwasher, fridge, refrigerator, freezer,
      oven, stove, cooktop, hob, rangehood, microwave, coffee machine, vacuum cleaner repair, oven element, induction cooktop`,
  }),

  createTrade('Building & Construction', {
    who: 'builder, building contractor, building company, construction company, master builder, certified builder, licensed building practitioner, lbp, kaihanga whare',
    what: 'building, construction, building work',
    narrower:
      'garage builder, shed builder, granny flat, minor dwelling, sleepout, carport, insulation, insulation installer, batts, pink batts, underfloor insulation',
    apart: `tiler, tiling, wall tiler, floor tiler, bathroom tiling, waterproofing, brickie, bricklayer, brick layer, brick laying, blocklayer, block laying, stonemason, stone mason, masonry,
      repointing, gib stopper, gib fixer, gib fixing, gibbing, gyprock, gyprocker, plasterboard, drywall, foundations, repiling, re-piling, restumping, underpinning, piling, excavation, excavator, digger, digger driver, bobcat, earthworks, earthmoving, site works,
      scaffolder, scaffolding, steel fabricator, steel framing, welder, welding, cladding, recladding, weatherboard, flooring, floor installer, floor layer, floor sander, floor sanding,
      floor polishing, floorboards, timber floor, laminate flooring, vinyl floor, carpet layer, carpet laying, carpet installer, asbestos removal, garage, shed,
      kitset, tiny house, tiny home, architect, draftsman, draughtsman, architectural designer, building inspector, building inspection, wood burner, log burner, fireplace,
      pre-purchase inspection, damp proofing, rising damp, mould removal, earthquake strengthening, swimming pool builder, pool builder, shopfitter, shop fitter, office fitout, fit out,
      tilt slab, crane hire`,
  }),
  createTrade('Building & Construction > General contractor', {
    who: 'general contractor, main contractor, project manager',
    what: 'project management',
  }),
  createTrade('Building & Construction > Residential', {
    who: 'home builder, house builder, residential builder',
    what: 'house building, home building, residential building, extension, house extension, home extension, second storey, addition',
  }),
  createTrade('Building & Construction > Commercial', { who: 'commercial builder', what: 'commercial building, commercial construction' }),
  createTrade('Building & Construction > Renovation & remodeling', {
    who: 'renovator, reno builder, bathroom renovator, kitchen renovator',
    what: `renovation, reno, renos, house renovation, home renovation, bathroom renovation, bathroom reno, kitchen renovation, kitchen reno, laundry renovation, remodel, remodelling, remodeling,
      bathroom, kitchen, new bathroom, new kitchen, ensuite, alteration, house alteration, villa restoration, wall removal`,
    narrower: 'kitchen designer, kitchen installer, bathroom designer, kitchen fitter, bathroom fitter',
    apart: 'benchtop, wardrobe, built-in wardrobe',
  }),
  createTrade('Building & Construction > Custom homes', {
    what: 'custom home, custom build, new home, new build, architectural build, passive house, dream home',
  }),
  createTrade('Building & Construction > Demolition', {
    who: 'demolition contractor, demolition company, wrecker',
    what: 'demolition, demolish, demolishing, demo work, house removal, strip out, strip-out, knock down, site clearing, pool removal, concrete removal',
  }),

  createTrade('Roofing', {
    who: 'roofer, roofie, roof plumber, roofing contractor, roofing company',
    what: `roof, roofing, roof repair, roof leak, leaking roof, re-roof, reroofing, new roof, roof replacement, roof restoration, roof painting, roof coating, roof inspection, long run iron,
      longrun, corrugated iron, colorsteel, colorbond, metal roof, tile roof, roof tile, roof tiler, slate roof, membrane roof, flat roof, flashing, ridge cap, soffit, fascia`,
    narrower: `gutter, guttering, spouting, downpipe, gutter cleaning, spouting cleaning, gutter guard, gutter vac, skylight, whirlybird, roof ventilation, moss removal, moss treatment, roof cleaning, roof wash`,
    apart: 'chimney, chimney sweep, chimney repair, flue cleaning',
  }),

  createTrade('Painting', {
    who: 'painter, house painter, painter and decorator, decorator, painting contractor, interior painter, exterior painter, kaipeita',
    what: `painting, house painting, interior painting, exterior painting, house paint, repaint, paint, plastering, plasterer, painter and plasterer, interior plastering, exterior plastering, solid plastering,
      skim coat, plaster, render, rendering, wall repair, staining, deck staining, fence painting`,
    narrower:
      'wallpaper, wallpapering, wallpaper hanger, paperhanger, paper hanging, wallpaper removal, spray painter, spray painting, fence staining, cabinet painting, lead paint removal, stopping',
  }),

  createTrade('> Window cleaning', {
    who: 'window cleaner, window washer',
    what: 'window cleaning, window washing, clean windows, glass cleaning, dirty windows',
  }),
  createTrade('Window & Glazing', {
    who: 'glazier, glazing contractor, window company, window man',
    what: 'glazing, window, glass, window repair, window frame, sash window, stuck window, window hinge, window stay',
    apart:
      'window tinting, tinting, flyscreen, fly screen, security screen, security door, insect screen, shutters, blinds, curtains, awning, retractable awning',
  }),
  createTrade('Window & Glazing > Window installation', {
    who: 'window installer, joinery installer',
    what: `double glazing, double glazed window, retrofit double glazing, window replacement, new windows, aluminium joinery, aluminium window, upvc window, secondary glazing,
      bifold door, ranch slider, sliding door, french door`,
  }),
  createTrade('Window & Glazing > Glass repairs', {
    who: 'emergency glazier',
    what: 'glass repair, broken window, broken glass, smashed window, cracked window, window pane, glass replacement, shower screen, shower door, mirror, splashback, pet door, cat door, dog door, balustrade glass',
  }),

  createTrade('Concrete & Driveways', {
    apart:
      'paver, paving, paving stones, asphalt, asphalting, bitumen, hotmix, chip seal, gravel driveway, kerb, kerbing, line marking, brick paving',
  }),
  createTrade('Concrete & Driveways > Concrete work', {
    who: 'concreter, concrete placer, concrete contractor, concrete layer',
    what: 'concrete, concreting, driveway, new driveway, concrete driveway, exposed aggregate, concrete slab, slab, concrete path, footpath, concrete cutting, concrete pump, concrete polishing, concrete repair, coloured concrete, stamped concrete',
  }),
  createTrade('Concrete & Driveways > Fencing & gates', {
    who: 'fencer, fencie, fencing contractor, fence builder, gate maker',
    what: `fence, fencing, fence repair, new fence, boundary fence, paling fence, picket fence, timber fence, colorbond fence, pool fence, aluminium fence, glass fence, rural fence, farm fence,
      gate, driveway gate, automatic gate, electric gate, side gate, letterbox`,
  }),
  createTrade('Concrete & Driveways > Carpentry', {
    who: 'carpenter, chippy, chippie, joiner, cabinet maker, cabinetmaker, deck builder',
    what: `carpentry, joinery, deck, decking, timber deck, deck repair, pergola, gazebo, verandah, veranda, stairs, staircase, balustrade, handrail, skirting, architrave, door hanging, internal door,
      hang a door, shelves, shelving, cabinet, cabinetry, custom furniture, timber work, woodwork`,
    narrower: 'treehouse, cubby house, playhouse',
    apart: 'french polisher, furniture restoration, wood turner',
  }),

  createTrade('> Landscaping', {
    who: 'landscaper, landscape gardener, landscape contractor, landscape designer, landscape architect, hard landscaper',
    what: 'landscaping, landscape, landscape design, garden design, landscape construction, soft landscaping, backyard makeover',
    narrower:
      'retaining wall, retaining, garden wall, rock wall, water feature, pond, artificial grass, fake grass, synthetic turf, artificial turf, outdoor lighting, outdoor kitchen, fire pit',
  }),
  createTrade('Landscape & Lawn Maintenance', {
    who: 'gardener, garden maintenance, grounds keeper, groundskeeper, horticulturist, kaitiaki kāri',
    what: 'gardening, garden, garden care, garden tidy, garden tidy up, garden clean up, yard work, yard clean up, section clearing, overgrown garden, overgrown section, weeding, weed, weed control, weed spraying, mulching, pruning, green waste, rose pruning, grounds maintenance',
  }),
  createTrade('Landscape & Lawn Maintenance > Lawn maintenance', {
    who: 'lawn mowing, lawn mower man, mowing contractor, mower man, lawn care, lawn contractor',
    what: 'lawn, lawn cutting, lawn service, lawn maintenance, mow, mowing, mow the lawn, cut the grass, grass cutting, grass, long grass, edging, weed eating, whipper snipper, whipper snipping, strimming, brush cutting, ride on mowing, slashing, new lawn, instant lawn, ready lawn, turf, turf laying, hydroseeding, lawn seeding, coring, dethatching, lawn aeration, fertilising',
  }),
  createTrade('Landscape & Lawn Maintenance > Tree services', {
    who: 'arborist, tree surgeon, tree lopper, tree feller, tree cutter, tree man',
    what: 'tree, tree service, tree removal, tree felling, tree lopping, tree trimming, tree pruning, tree cutting, tree work, fallen tree, dangerous tree, stump, stump grinding, stump removal, hedge, hedge trimming, hedge cutting, palm removal, wood chipping, firewood, branch',
  }),
  createTrade('Landscape & Lawn Maintenance > Irrigation & sprinkler systems', {
    who: 'irrigation specialist',
    what: 'irrigation, sprinkler, sprinkler system, reticulation, retic, drip irrigation, garden watering, watering system',
  }),
  createTrade('Landscape & Lawn Maintenance > Garden installations', {
    what: 'garden installation, planting, plant, garden bed, raised garden bed, vege garden, veggie garden, vegetable garden, planter box, garden edging, native planting, garden shed',
  }),

  createTrade('Cleaning', {
    who: 'cleaner, cleaning lady, cleaning company, cleaning contractor, cleaning service',
    what: 'cleaning, clean',
    narrower: `carpet cleaning, carpet cleaner, carpet steam cleaning, upholstery cleaning, couch cleaning, sofa cleaning, mattress cleaning, rug cleaning, tile and grout cleaning, grout cleaning, curtain cleaning, blind cleaning, bbq cleaning, oven cleaning, spa cleaning, ironing, laundry service`,
    apart:
      'house wash, house washing, house washer, exterior cleaning, soft wash, soft washing, softwash, pressure washing, pressure cleaning, pressure cleaner, high pressure cleaning, water blasting, waterblaster, water blaster, driveway cleaning, graffiti removal, solar panel cleaning, bin cleaning, pool cleaning, pool cleaner, swimming pool maintenance, duct cleaning, crime scene cleaning',
  }),
  createTrade('Cleaning > Residential', {
    who: 'house cleaner, home cleaner, domestic cleaner, maid, housekeeper, house keeper',
    what: 'house cleaning, home cleaning, domestic cleaning, residential cleaning, maid service, housekeeping, weekly clean, fortnightly clean, regular clean, airbnb cleaning, holiday home cleaning',
  }),
  createTrade('Cleaning > Commercial', {
    who: 'office cleaner, commercial cleaner, janitor',
    what: 'commercial cleaning, office cleaning, shop cleaning, school cleaning, medical cleaning, strata cleaning, body corporate cleaning, warehouse cleaning, gym cleaning',
  }),
  createTrade('Cleaning > Deep cleaning', {
    what: 'deep clean, deep cleaning, spring clean, spring cleaning, end of tenancy clean, end of lease cleaning, bond clean, bond cleaning, vacate clean, exit clean, move out clean, moving out cleaning, builders clean, after builders clean, post construction cleaning, hoarder cleaning',
  }),

  createTrade('> Home security', {
    who: 'locksmith, lock smith, security installer, security company',
    what: `home security, house security, lock, door lock, deadbolt, deadlock, lock change, change locks, rekey, locked out, lost keys, key cutting, smart lock, security light, sensor light, safe`,
  }),
  createTrade('Alarm & Security', {
    who: 'alarm installer, alarm company, alarm technician, security technician',
    what: 'alarm, alarm system, burglar alarm, house alarm, home alarm, security alarm, security system, intruder alarm, security, fire alarm, access control',
    narrower: 'intercom, swipe card',
    apart: 'security guard',
  }),
  createTrade('Alarm & Security > Alarm monitoring', { what: 'alarm monitoring, monitored alarm, back to base alarm, monitoring' }),
  createTrade('Alarm & Security > Security cameras', {
    who: 'cctv installer, camera installer',
    what: 'security camera, cctv, surveillance, surveillance camera, camera, video doorbell, doorbell camera, ring doorbell',
  }),
  createTrade('Alarm & Security > Smart home systems', {
    what: 'smart home, home automation, smart lighting, smart home system, home theatre, home cinema, multi room audio, wifi, home network',
  }),

  createTrade('Home Improvement > Home organization', {
    who: 'declutterer, professional organiser, home organiser',
    what: 'home organisation, decluttering, declutter, home organising, wardrobe organising, garage organising, tidy house, organiser',
  }),
  createTrade('Home Improvement > Pest control', {
    who: 'pest controller, exterminator, bug man, pest man, fumigator, pesty',
    what: `pest control, pest, pest inspection, rat, mouse, mice, rodent, cockroach, ant, flea, spider, spider treatment, spider spray, fly spray, fly control, flies, wasp, wasp nest, bee removal, bed bug, termite, termite inspection, white ant,
      borer, borer treatment, possum, possum removal, silverfish, bird proofing, fumigation`,
  }),
  createTrade('Home Improvement', {
    what: 'home improvement, house improvement',
    apart: 'interior designer, interior design, interior decorator, home stager, home staging, upholsterer, upholstery, curtain maker',
  }),

  createTrade('Handyman', {
    who: 'handyman, handy man, handywoman, handyperson, odd job man, jack of all trades, mr fix it, fix it man',
    what: 'handyman service, odd job, small job, little jobs, home maintenance',
    narrower:
      'garage door, garage door repair, roller door, tv mounting, tv wall mount, picture hanging, curtain rail, curtain installation, blind installation, grab rail',
    apart: 'rubbish removal, junk removal, skip bin, removalist, mover, furniture removal, man with a van, man and van',
  }),
  createTrade('Handyman > Minor home repairs', {
    what: 'minor repair, home repair, house repairs, hole in wall, door repair, sticking door, squeaky door, silicone, sealant, caulking, draught proofing, gap filling, rotten wood',
  }),
  createTrade('Handyman > Furniture assembly', {
    what: 'furniture assembly, assemble furniture, flat pack, flatpack, flat pack assembly, ikea, ikea assembly, flat packer, trampoline assembly, bed assembly, put together furniture',
  }),
  createTrade('Handyman > General maintenance', {
    who: 'caretaker, maintenance man, property maintenance',
    what: 'general maintenance, property maintenance, building maintenance, rental maintenance',
  }),
];

// Words for the same work, where listings may use another one than was typed.
const synonyms: readonly (readonly string[])[] = [
  splitList('air conditioning, air conditioner, aircon, air con, ac unit, ducted air, ducted air con, split system, reverse cycle'),
  splitList('heat pump, heatpump'),
  splitList('solar, solar panel, solar power, solar installer'),
  splitList('gutter, guttering, spouting, gutter cleaning, spouting cleaning'),
  splitList('gib stopper, gib fixer, gib fixing, gibbing, plasterboard, gyprock, gyprocker, drywall'),
  splitList('tiler, tiling, wall tiler, floor tiler, bathroom tiling'),
  splitList('brickie, bricklayer, brick layer, brick laying'),
  splitList('insulation, insulation installer, batts, pink batts, underfloor insulation'),
  splitList('ev charger, car charger'),
  splitList('pressure washing, pressure cleaning, pressure cleaner, high pressure cleaning, water blasting, waterblaster'),
  splitList('house wash, house washing, house washer, exterior cleaning, soft wash, soft washing'),
  splitList('carpet cleaning, carpet cleaner, carpet steam cleaning'),
  splitList('pool cleaning, pool cleaner, swimming pool maintenance'),
  splitList('tv mounting, tv wall mount'),
  splitList('retaining wall, retaining'),
  splitList('moss removal, moss treatment'),
  splitList('rubbish removal, junk removal'),
  splitList('data cabling, network cabling'),
  splitList('tv aerial, antenna, aerial installer'),
];

/** What listings call a work: the words themselves, others for the same and other forms of them. "fence" is "fencing". */
export function listSynonyms(words: string): readonly string[] {
  const apart = splitWords(words);
  const key = toTradeKey(apart);
  const isSame = (one: string) => toTradeKey(splitWords(one)) === key;
  const meant = findTrade(apart);
  const same = synonyms.find((group) => group.some(isSame)) ?? [];
  const forms = meant ? tradeKinds.flatMap((kind) => meant.trade[kind]).filter(isSame) : [];
  return [...new Set([words, ...same, ...forms])];
}

const fewestUses = 2;

/**
 * What a listing of another category says if it does the trade that these words name: what its people are called, "electrician" for "sparky", its own name,
 * and the words of this that its people have in theirs, "gas" or "fence".
 */
export function listPeople(words: string): readonly string[] {
  const meant = findTrade(splitWords(words));
  if (!meant) return [];
  const { who, what, category, subCategories } = meant.trade;
  const names = subCategories.length > 0 ? subCategories.map(({ name }) => name) : category ? [category.name] : [];
  const used = who.flatMap((one) => [...new Set(splitWords(one).map(toStem))]);
  const own = new Set(
    names
      .flatMap(splitWords)
      .map(toStem)
      .filter((stem) => used.filter((one) => one === stem).length >= fewestUses),
  );
  const forms = what.flatMap(splitWords).filter((word) => own.has(toStem(word)) && !isFillerWord(word));
  return [...new Set([...who, ...names, ...forms])];
}

/**
 * What the trade that these words name is made of: `parts` are the narrower works that some do alone, "heat pump" of an electrician, and `whole` its people
 * and what they work on.
 */
export function listTradeParts(words: string): { parts: readonly string[]; whole: readonly string[] } {
  const meant = findTrade(splitWords(words));
  if (!meant || meant.kind === 'narrower' || meant.kind === 'apart') return { parts: [], whole: [] };
  const { who, what, narrower, apart } = meant.trade;
  return { parts: [...narrower, ...apart], whole: [...who, ...what] };
}

// Words for people of any trade.
const anyTradeWords = splitList(
  'tradie, tradesman, tradeswoman, tradesperson, tradespeople, trade, pro, professional, contractor, subbie, worker, company, business, expert, specialist, technician, person, guy, bloke, someone, somebody, anyone',
);

// Words that say nothing about the category beside the name of a trade.
const fillerWords =
  splitList(`service, repair, fix, install, installation, replace, replacement, maintenance, work, job, quote, free quote, price, cost, best, good, great, cheap, cheapest, affordable, local, reliable, trusted, top, top rated, licensed, registered,
  qualified, certified, recommended, available, needed, wanted, required, need, want, find, looking, look, hire, get, book, urgent, asap, today, tomorrow, now, please, help, home, house, near, nearby, near me, close, around, in, at, on, for, of, to, from, by, and, or, the, a, an, my, our, me, i, we, us, is, blocked, clogged, leaking, dripping, burst, broken, faulty, damaged,
  are, with, that, can, who, cbd, area, region, city, town, suburb, based, online, rated, review, new`);

const toSingular = (word: string) =>
  word.length <= 3
    ? word
    : word
        .replace(/ies?$/, 'y')
        .replace(/(ss|sh|ch|x|z)es$/, '$1')
        .replace(/([^su])s$/, '$1');

/** "mowers" and "mowing" both have the stem "mow". */
function toStem(word: string): string {
  const bare = toSingular(word)
    .replace(/i[sz](e|er|ing|ation)$/, 'is$1')
    .replace(/^(.{3,}[^aeiou])(?:ations?|ators?|ating|ate)$/, '$1')
    .replace(/^(.{3,})(?:ing|er|e)$/, '$1');
  return bare.replace(/(.)\1$/, '$1');
}

/** The same key for all spellings of a trade: compounds, plurals, endings. */
export const toTradeKey = (words: readonly string[]) => words.map(toStem).join('');

export const tradeKinds = ['who', 'what', 'narrower', 'apart'] as const;
export type TradeWord = { trade: Trade; words: string; kind: (typeof tradeKinds)[number] };

const tradeByKey = new Map<string, TradeWord>();
// Distinguishes words with the same key, such as "fence" and "fencer".
const tradeByWords = new Map<string, TradeWord>();
const toWrittenKey = (words: readonly string[]) => words.map(toSingular).join(' ');
for (const one of trades) {
  for (const kind of tradeKinds) {
    for (const words of one[kind]) {
      const apart = splitWords(words);
      tradeByWords.set(toWrittenKey(apart), { trade: one, words, kind });
      for (const key of [toTradeKey(apart), toTradeKey([apart.join('')])]) {
        if (!tradeByKey.has(key)) tradeByKey.set(key, { trade: one, words, kind });
      }
    }
  }
}

/** The trade that all these words together name. */
export const findTrade = (words: readonly string[]): TradeWord | undefined =>
  tradeByWords.get(toWrittenKey(words)) ?? tradeByKey.get(toTradeKey(words));

/** The single words of all trades, for correcting typing errors. */
export const tradeWords: readonly string[] = [
  ...new Set(trades.flatMap(({ who, what, narrower, apart }) => [...who, ...what, ...narrower, ...apart]).flatMap(splitWords)),
];

const anyTradeKeys = new Set(anyTradeWords.map((words) => toTradeKey(splitWords(words))));
const fillerKeys = new Set(fillerWords.flatMap((words) => splitWords(words)).map((word) => toTradeKey([word])));

export const isAnyTradeWord = (word: string) => anyTradeKeys.has(toTradeKey([word]));
/** Whether a word adds nothing to the name of a trade or a place. */
export const isFillerWord = (word: string) => fillerKeys.has(toTradeKey([word])) || isAnyTradeWord(word);
