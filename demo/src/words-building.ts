import { type Bank, bank } from './bank.ts';

export const buildingWords: Record<number, Bank> = {
  401: bank(['site-frame', 'house-scaffold', 'tools-wood', 'house-van', 'site-frame'], {
    heads: `General builders for homes
      Licensed building practitioner
      Builders for extensions and alterations
      Earthquake strengthening and re-piling
      Small jobs builder
      Project management and building
      Garages, sheds and sleep-outs
      Weathertight repairs and re-cladding
      Builder for rural homes`,
    leads: `One builder from first drawing to final inspection: {b} looks after building projects across {t}.
      We build, alter and repair homes in {t}, and we answer the phone while we do it.
      {o} has been on the tools in {r} for {y} years and still runs every job in person.
      Extensions, garages, re-cladding: a licensed crew of five, based in {t}.
      Clear quotes, tidy sites, finish dates that hold. That is {b} in {t}.`,
    facts: `Quotes list labour, materials and allowances line by line, so you can compare.
      We handle the consent, the inspections and the paperwork for the council.
      You get a weekly message with photos and what comes next.
      Our subcontractors have worked with us for years and are treated as our own.
      Sites are swept every evening and fenced every night.
      All work carries a ten-year guarantee.
      Small jobs are grouped into two days a month so they do not wait.`,
    services:
      'Extensions, Alterations, Garages and sheds, Re-piling, Re-cladding, Foundations, Framing, Insulation, Consents and drawings, Project management',
    praise: `Finished on the date in the contract, to the day.
      The weekly photos were great while we lived elsewhere.
      No surprise costs at the end, every change was agreed first.
      The extension looks as if it had always been there.
      Council inspector had only praise.
      A tidy site and friendly crew, our neighbours asked for their number.
      Solved a foundation problem that worried us for years.`,
    asks: `a quote for a small extension
      a builder to repair rotten framing
      a garage built with a concrete floor`,
  }),
  402: bank(['house', 'site-frame', 'house-scaffold', 'house-van', 'tools-wood'], {
    heads: `New homes and additions
      Residential builders
      Family homes, built to last
      Granny flats and minor dwellings
      Townhouse builders
      Warm, dry, healthy homes
      House and land builds
      Decks, carports and additions
      Residential construction, fixed price`,
    leads: `{b} builds warm, dry family homes in {t}, one or two at a time, never ten.
      A granny flat for the parents, a room for the teenager, a whole new house: residential building in {t}.
      We are a family firm in {t} that has been building family homes for {y} years.
      {o} was born in {r} and knows what wind and sun do to a house here.
      Fixed price, fixed date, and a builder who picks up the phone: homes in {t} by {b}.`,
    facts: `Insulation above code is our standard, because heating costs more than batts.
      You visit every stage with us: frame, pre-line, finish.
      Timber is kept dry and checked for moisture before the lining goes on.
      Granny flats take about fourteen weeks from slab to keys.
      We work with your drawings or with our own designer.
      A defects visit after twelve months is in the contract.
      Most of our clients come from someone whose house we built.`,
    services:
      'New homes, Additions, Minor dwellings, Townhouses, Decks and carports, Design and consents, Foundations, Insulation upgrades, Joinery, Maintenance',
    praise: `The house is so warm that we hardly use the heat pump.
      They listened and changed the plan when we saw the frame.
      Granny flat finished in thirteen weeks.
      Came back after a year and fixed two doors without being asked.
      Quality of the finish is far above what we expected for the price.
      Always knew where we stood with the budget.
      Our children watched the build every day and were made welcome.`,
    asks: `a granny flat of about 60 square metres
      a bedroom and bathroom added to our house
      a carport and a deck built`,
  }),
  403: bank(['site-tower', 'office', 'site-tower', 'site-frame'], {
    heads: `Commercial building and fit-outs
      Office and retail fit-outs
      Shop and café construction
      Warehouses and workshops
      School and community buildings
      Commercial refurbishment
      Tenancy strip-outs and make-good
      Seismic upgrades for commercial buildings
      Medical and dental fit-outs`,
    leads: `{b} builds and fits out workplaces in {t} while the neighbours keep trading.
      Shops, clinics, warehouses: commercial construction across {t} with a programme that holds.
      We have handed over more than eighty tenancies in {r}, most of them on weekends.
      {o} and a team of twelve deliver commercial building work in {t}, from slab to sign-off.
      Every day closed costs you money. We plan fit-outs in {t} by the hour.`,
    facts: `A named site manager is there every day and reports every Friday.
      Noisy work is done at night or before nine, agreed with the landlord.
      Fire, access and seismic reports are arranged in house.
      Health and safety records are open to you at any time.
      We price from drawings within ten working days.
      Long-lead items are ordered before the lease begins.
      Retentions are released only when you are happy with the list.`,
    services:
      'Office fit-outs, Retail fit-outs, Hospitality, Medical centres, Warehouses, Seismic strengthening, Partitions and ceilings, Make-good, Design and build, Maintenance contracts',
    praise: `We opened on the Monday as promised.
      Night work meant that we never closed.
      The Friday report told me everything I needed.
      Snag list was half a page and done in two days.
      Kept the café next door happy, which is not easy.
      Sharp programme and honest pricing.
      Our patients love the new rooms.`,
    asks: `a fit-out for a 120 square metre office
      a café kitchen and counter built
      partitions and ceilings for a clinic`,
  }),
  404: bank(['kitchen', 'bathroom-plumb', 'room-paint', 'site-demolition', 'kitchen-oven'], {
    heads: `Bathroom renovations
      Kitchen renovations
      Whole-house renovations
      Renovations for villas and bungalows
      Bathroom remodels in two weeks
      Open-plan alterations
      Laundry and ensuite renovations
      Renovation and remodelling
      Accessible bathroom renovations`,
    leads: `Kitchens, bathrooms and walls that need to go: {b} renovates homes in {t} with one team and one contract.
      We turn tired bathrooms around {t} into rooms that you want to be in, in about fifteen working days.
      {o} loves old villas and has renovated them in {r} for {y} years without losing what makes them special.
      You live in it while we work, so we keep it clean: renovations in {t} by {b}.
      Open plan, more light, better storage. We remodel family homes across {t}.`,
    facts: `One price covers builder, plumber, electrician, tiler and painter.
      A temporary kitchen with sink and hob is set up before the old one goes.
      Waterproofing is certified and photographed before it is tiled over.
      Old timber is kept and reused wherever it is sound.
      You choose tiles and taps with our designer at trade price.
      Dust walls and an air scrubber keep the rest of the house liveable.
      Asbestos is tested for before anything is opened.`,
    services:
      'Bathrooms, Kitchens, Laundries, Open-plan alterations, Tiling and waterproofing, Villa restoration, Accessible bathrooms, Design and 3D drawings, Flooring, Project management',
    praise: `Fifteen working days, as they said, and a bathroom that we love.
      Kept our native timber floors and made them shine.
      The dust wall really works, we lived here the whole time.
      One contact for all trades made it painless.
      The kitchen layout is so much better than our own idea.
      Tiling is perfect around the window niche.
      They found rot, showed it to us and fixed it at a fair price.`,
    asks: `a small bathroom renovated
      a wall taken out between kitchen and lounge
      a kitchen renovation planned and priced`,
  }),
  405: bank(['house', 'site-frame', 'site-tower', 'house-scaffold'], {
    heads: `Custom homes, architect-designed
      Bespoke home builders
      Passive house builders
      Custom homes on sloping sites
      Coastal and rural custom homes
      Architectural builds
      Timber-frame custom homes
      Off-grid and energy-efficient homes`,
    leads: `{b} builds three homes a year around {t}, each one drawn for its people and its land.
      Steep, windy or far from the road: custom homes in {t} for sites that others decline.
      We work with your architect from the first sketch, so that the house in {t} can be built for the budget.
      {o} was a joiner first and a house builder second, and you see it in every corner.
      Homes that need almost no heating: certified passive house builder in {t} for {y} years.`,
    facts: `A budget is priced at concept, at design and before consent, so it never runs away.
      Airtightness is tested twice and the result is yours.
      Cabinetry, stairs and doors are made in our own workshop.
      We photograph every wall before it is lined and give you the album.
      Orientation, eaves and thermal mass come before gadgets.
      A site diary with photos is online from the first day.
      We live where we build and stay for the maintenance.`,
    services:
      'Custom homes, Architectural builds, Passive house, Sloping sites, Joinery workshop, Feasibility and budgeting, Off-grid systems, Landscape integration, Consents, Aftercare',
    praise: `Our architect says it is the best-built house he has drawn.
      Two degrees outside, twenty-one inside, heater off.
      They made the site that nobody wanted into the view that everybody wants.
      The stairs are a piece of furniture.
      Budget held within two percent over fourteen months.
      The online diary was our evening ritual from overseas.
      Every detail was thought about twice.`,
    asks: `a feasibility budget for a new house
      a builder for an architect's drawings
      advice on a steep section before we buy`,
  }),
  406: bank(['site-demolition', 'site-demolition', 'drive-concrete', 'house-van'], {
    heads: `House demolition and removal
      Demolition and site clearing
      Interior strip-outs
      Concrete cutting and removal
      Asbestos removal and demolition
      Chimney and wall removal
      Garage and shed demolition
      Careful demolition and salvage
      Swimming pool removal`,
    leads: `{b} takes houses, sheds and chimneys down in {t} and takes away every last nail.
      Careful demolition around {t}: native timber and bricks are saved, the rest is recycled.
      From one wall to a whole block, we clear sites across {r} for builders and owners.
      {o} has driven diggers for {y} years and can take a garage from beside your house without a scratch.
      Licensed for asbestos, insured for everything else: demolition in {t}.`,
    facts: `Power, gas and water are disconnected and certified before we start.
      About four fifths of what we take down is reused or recycled.
      Dust is kept down with water, and the street is swept every day.
      Asbestos is removed by our own licensed crew with air monitoring.
      Vibration is measured where neighbours are close.
      The price includes tip fees, permits and traffic management.
      Sites are left level, clean and ready to build.`,
    services:
      'House demolition, Interior strip-out, Asbestos removal, Concrete removal, Chimney removal, Site clearing, Pool removal, Salvage, Excavation, Skip bins and haulage',
    praise: `The garage was gone in a day and the fence beside it untouched.
      Saved the rimu floors for us to reuse.
      Swept the street each evening, the neighbours were impressed.
      Asbestos handled by the book with all the papers.
      Quote included the tip fees, others added them later.
      Chimney out and roof closed before the rain came.
      Left a clean, level site for our builder.`,
    asks: `an old garage demolished and removed
      a chimney taken down inside the house
      a kitchen and two walls stripped out`,
  }),
  1002: bank(['drive-concrete', 'drive-concrete', 'drive-pavers', 'site-frame'], {
    heads: `Concrete driveways
      Exposed aggregate driveways and paths
      House slabs and foundations
      Coloured and stamped concrete
      Concrete cutting and repairs
      Patios and pathways in concrete
      Driveway resurfacing
      Shed and garage slabs
      Retaining walls and steps`,
    leads: `Driveways, patios and slabs poured right the first time: {b}, concrete in {t}.
      Good concrete is nine parts preparation. We dig, box, compact and pour across {t}.
      {o} and crew have poured most of the driveways in their street in {t}, and then the next street.
      Exposed aggregate, coloured or plain: new driveways around {t} from people who do nothing else.
      Cracked, sunken or slippery? {b} has replaced old concrete in {r} for {y} years.`,
    facts: `Base course is compacted in layers and tested before the steel goes down.
      Every pour has reinforcing mesh on chairs, and cuts within a day to control cracks.
      You walk on it after two days and drive on it after seven.
      Levels are set by laser, so that water runs to the street and not to the garage.
      We organise the vehicle crossing permit with the council.
      Old concrete is crushed and recycled locally.
      Sealed twice, so that oil wipes off.`,
    services:
      'Driveways, Exposed aggregate, Coloured concrete, Paths and patios, House slabs, Retaining walls, Steps, Concrete cutting, Resurfacing, Vehicle crossings',
    praise: `Water finally runs away from the garage.
      The exposed aggregate looks better than the photos.
      Not a crack after two winters.
      They dealt with the council crossing for us.
      Edges are dead straight and the lawn was put back.
      Poured around a tricky corner with a steep slope.
      On site at six and finished before the heat.`,
    asks: `a driveway of about 70 square metres
      a patio and path in exposed aggregate
      a slab for a 6 by 4 metre shed`,
  }),
  1003: bank(['fence', 'fence', 'fence', 'tools-wood'], {
    heads: `Timber fences and gates
      Paling and picket fences
      Automatic gates installed
      Pool fences to code
      Boundary fencing
      Aluminium and slat fencing
      Retaining walls and fencing
      Rural and lifestyle-block fencing
      Fence repairs after storms`,
    leads: `Straight lines, deep posts, gates that close with one finger: fencing in {t} by {b}.
      We build fences and gates in {t} that still stand straight after the first storm.
      {o} has dug post holes in every kind of ground in {r} and owns the right auger for yours.
      Privacy, pool, paddock or picket: {b} has fenced {t} for {y} years.
      A good fence makes a garden a room. We build them all over {t}.`,
    facts: `Posts are set 900 mm deep in concrete, more on corners and gates.
      We talk to the neighbour with you and can split the invoice.
      Timber is H4 in the ground and H3.2 above it, nailed with stainless.
      Pool fences are certified and we meet the inspector.
      Gate motors come with battery back-up and two years of warranty.
      Old fence and spoil are taken away.
      Boundaries are checked against the title before we dig.`,
    services:
      'Paling fences, Picket fences, Horizontal slat fences, Aluminium fences, Pool fencing, Gates, Automatic gate motors, Retaining walls, Rural fencing, Repairs',
    praise: `The gate closes with one finger, even in the wind.
      Survived the last storm while the neighbours' fence did not.
      Dealt with next door about the cost, which we dreaded.
      Pool inspector passed it without a word.
      Perfectly level on a sloping section.
      Took the old fence away and left no nails in the lawn.
      The slats give us privacy and still let the light in.`,
    asks: `a 25 metre boundary fence replaced
      a sliding gate with a motor
      a pool fence that meets the rules`,
  }),
  1004: bank(['deck', 'tools-wood', 'deck', 'shelf', 'site-frame'], {
    heads: `Decks and pergolas
      Carpentry for homes
      Custom joinery and shelving
      Doors hung and trim fitted
      Stairs and balustrades
      Hardwood and kwila decks
      Window sashes and villa joinery
      Carpenter for small and large jobs
      Outdoor rooms and pergolas`,
    leads: `Decks, doors, stairs and shelves made by a carpenter who measures twice: {b} in {t}.
      We build decks and pergolas in {t} that become the best room of the house.
      {o} learned the trade in {r} and still sharpens every chisel by hand.
      Villa sashes that open, doors that close, decks that do not bounce. Carpentry around {t} for {y} years.
      From one sticking door to an outdoor room: {b} does carpentry in {t}.`,
    facts: `Deck boards are pre-oiled on all four sides and fixed with stainless screws.
      Joists at 450, so nothing bounces.
      We draw it first, so that you can see the steps and the shade.
      Rotten villa sills are spliced with matching timber, not filled.
      Doors are hung the same day, with new hinges and latches.
      Offcuts are stacked for your fire or taken away.
      Balustrades meet the code, and still look light.`,
    services:
      'Decks, Pergolas, Doors and frames, Stairs, Balustrades, Shelving and cabinetry, Window sashes, Skirting and architraves, Timber floors, Repairs',
    praise: `The deck is where we live now.
      Every board gap is the same, I checked.
      Five doors hung in a day and all close with a click.
      He matched the old villa mouldings exactly.
      The stairs no longer creak.
      Thought of the shade in January, we would not have.
      A real craftsman, a pleasure to watch.`,
    asks: `a deck of about 30 square metres
      four doors hung and trimmed
      shelves built into an alcove`,
  }),
  701: bank(['roof', 'roof', 'house-scaffold', 'house-ladder', 'roof'], {
    heads: `Roof repairs and leak detection
      Re-roofing in long-run steel
      Tile roof repairs and repointing
      Gutter and downpipe replacement
      Roof restoration and painting
      Flat roof and membrane repairs
      Storm damage roof repairs
      Roof inspections with photos
      Skylights and flashings
      Moss treatment and roof cleaning`,
    leads: `Leaks found, roofs repaired, gutters that carry the rain away: {b}, roofing in {t}.
      We re-roof homes across {t} in two to four days and never leave one open overnight.
      {o} has walked roofs in {r} for {y} years and sends you photos of what is wrong with yours.
      Rust, broken tiles, tired flashings: most roofs around {t} need a repair and not a replacement, and we say so.
      When the wind comes from the wrong side, {b} is who {t} calls.`,
    facts: `Every inspection comes with photos from the roof and a written order of what is urgent.
      Scaffold and edge protection are part of the price, always.
      Long-run steel is folded on site to the length of your roof, so there are no joints.
      Ridge tiles are rebedded with flexible pointing that moves with the house.
      Emergency tarps go on within hours, in daylight and when it is safe.
      Old iron is recycled and the section is swept with a magnet.
      Workmanship is guaranteed for ten years, the steel for up to fifty.
      We replace gutters with seamless ones, rolled on your driveway.`,
    services:
      'Leak detection, Roof repairs, Re-roofing, Tile repointing, Gutters and downpipes, Flashings, Skylights, Moss treatment, Roof painting, Storm repairs, Annual inspections',
    praise: `Found the leak in twenty minutes after two years of buckets.
      New roof on in three days and not a nail left on the lawn.
      Sent photos of every step, so we knew what we paid for.
      Told us a repair was enough when another wanted to replace it all.
      Tarp on within two hours in the storm.
      The new gutters have not overflowed once.
      Rain is quiet now.
      Scaffold up and down when they said.`,
    asks: `a leak around the chimney repaired
      a quote to replace an old iron roof
      new gutters on a single-storey house`,
  }),
  902: bank(['window-fit', 'window-fit', 'house-scaffold', 'house'], {
    heads: `Double glazing and new windows
      Retrofit double glazing
      Aluminium windows and doors
      Timber window replacement
      Bifold and sliding doors
      uPVC windows installed
      Skylight installation
      Replacement windows for villas
      Quiet windows for busy streets`,
    leads: `Warmer in July, quieter all year: {b} fits double glazing in {t} homes.
      We replace windows around {t} one room at a time, so that the house is never open to the weather.
      {o} has measured windows in {r} for {y} years and has yet to meet one that is square.
      Keep your timber frames: retrofit double glazing in {t} by people who love old houses.
      New sliders, bifolds and windows across {t}, made locally and fitted by our own team.`,
    facts: `Each window is measured twice and made to a tenth of a millimetre.
      Retrofit keeps your frames and takes about an hour for each window.
      Low-E glass and argon fill are standard with us.
      Flashings and sealing come with a producer statement.
      Old glass and frames are recycled.
      Condensation usually disappears with the first cold night.
      Noise-reducing glass makes a main road sound like a side street.`,
    services:
      'Double glazing, Retrofit glazing, Aluminium joinery, uPVC windows, Timber windows, Bifold doors, Sliding doors, Skylights, Acoustic glass, Flashings and sealing',
    praise: `No more crying windows in the morning.
      The bedroom on the road side is finally quiet.
      Kept our old frames and they look better than before.
      One room a day, swept and sealed each evening.
      Our heating bill fell by a third.
      The bifolds glide with one hand.
      Measured carefully, everything fitted first time.`,
    asks: `double glazing for a three-bedroom house
      a sliding door replaced with bifolds
      two draughty windows replaced`,
  }),
  903: bank(['window-fit', 'bathroom-clean', 'house-van', 'window-clean'], {
    heads: `Emergency glass repairs
      Broken window replacement
      Glass repairs 24 hours
      Shower glass and mirrors
      Shop-front glass replacement
      Pet doors in glass
      Safety glass and splashbacks
      Leadlight repairs
      Table tops, mirrors and balustrades`,
    leads: `Cricket ball, burglar or branch: {b} replaces broken glass in {t}, usually the same day.
      We cut and fit glass across {t}: windows, showers, mirrors, splashbacks and pet doors.
      {o} and two vans are on call around {t} day and night, all year.
      Make it safe first, make it right next. Glass repairs in {r} for {y} years.
      Invoiced straight to your insurer: broken windows in {t} without the paperwork.`,
    facts: `Emergency calls are made safe within two hours in town.
      We carry the common sizes of safety glass in the van.
      Every shard is vacuumed, from the carpet and from the garden.
      We deal with all the main insurers directly.
      Pet doors go into a new pane, which we keep a copy of.
      Showers are measured by laser, because no wall is straight.
      Leadlights are rebuilt in our workshop piece by piece.`,
    services:
      'Emergency glazing, Window repairs, Safety glass, Shower screens, Mirrors, Splashbacks, Pet doors, Shop fronts, Leadlights, Balustrade glass',
    praise: `Here within the hour on a Sunday night.
      Not a splinter left in the carpet.
      Dealt with our insurance, we only signed once.
      The cat uses her door and the pane is perfect.
      Shower glass fits our crooked wall like it was poured.
      Repaired grandma's leadlight so that you cannot see it.
      Fair price for an emergency.`,
    asks: `a broken window replaced
      a pet door put into a glass door
      a shower screen measured and fitted`,
  }),
};
