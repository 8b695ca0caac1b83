import { type Bank, bank } from './bank.ts';

const landscaping = bank(['garden-path', 'garden-plants', 'drive-pavers', 'garden-path', 'fence'], {
  heads: `Landscape design and build
    Garden makeovers
    Paving, planting and retaining
    Low-maintenance landscaping
    Native garden landscaping
    Outdoor living and patios
    Section clearing and landscaping
    Landscaping for new builds
    Front garden makeovers`,
  leads: `{b} designs and builds gardens in {t} that people sit in, not only look at.
    Bare section or jungle, we make it a garden: landscaping around {t}.
    {o} draws it, our crew builds it, and we come back in spring to see how it grows. {t} and surrounds.
    Paths, walls, plants and somewhere to sit: landscape work in {r} for {y} years.
    Gardens for dry summers and windy corners, from people who garden in {t} themselves.`,
  facts: `A plan to scale with plants named comes before any digging.
    Plants are grown locally and guaranteed for their first year.
    Retaining walls are drained and engineered where they need to be.
    We grade for water first, because a wet garden grows nothing.
    Natives bring back tūī and fantails and hardly need watering.
    Topsoil is kept, improved and put back.
    Work is done in stages if your budget prefers it.`,
  services:
    'Garden design, Planting, Paving, Retaining walls, Paths and steps, Lawns, Garden lighting, Drainage, Raised beds, Water features',
  praise: `The garden looks as if it had been here for years.
    Every plant survived the dry summer.
    Turned a steep bank into three usable terraces.
    Tūī moved in within a month.
    Tidy, punctual and good with my list of changes.
    The path invites you to walk it.
    They solved the puddle at the back door along the way.`,
  asks: `a front garden made easy to look after
    a plan for a bare section
    paving and planting around a new patio`,
});

export const serviceWords: Record<number, Bank> = {
  501: bank(['switchboard', 'room-lights', 'tools-wires', 'house-van', 'kitchen'], {
    heads: `Registered electrician
      Switchboard upgrades and rewiring
      LED lighting installation
      EV charger installation
      Heat pump wiring and power points
      Emergency electrician
      Electrical safety checks
      Rewiring for villas and older homes
      Solar and battery installation
      Electricians for renovations`,
    leads: `Lights, power points, switchboards and chargers: {b} is the electrician next door in {t}.
      We rewire old houses in {t} without taking the walls apart.
      {o} has been a registered electrician in {r} for {y} years and still answers after hours.
      Something tripping? We find out why before we replace anything. Electrical work across {t}.
      EV charger in the garage, LEDs in the lounge, certificate in your hand: {b}, {t}.`,
    facts: `A certificate of compliance comes with every job, without asking.
      Price agreed before we start; if it takes longer, that is our problem.
      Switchboards get an RCD for every circuit and labels that you can read.
      Chargers are set so that they use the cheap hours or your own solar.
      We hide cables, patch what we cut and vacuum when we are done.
      Emergency calls are answered by {o}, not by a machine.
      Older wiring is tested circuit by circuit and you get the results.`,
    services:
      'Switchboard upgrades, Rewiring, Power points, LED lighting, EV chargers, Heat pump wiring, Smoke alarms, Fault finding, Solar and batteries, Safety inspections',
    praise: `Found the fault that tripped us for months in half an hour.
      The new switchboard is labelled so that even I understand it.
      EV charger in and working in one morning.
      No marks on the walls, no dust on the floor.
      Lights in the kitchen make the room look twice as big.
      Came out on Christmas Eve when the oven circuit failed.
      Explained what was urgent and what could wait.
      Rewired our villa while we lived in it.`,
    asks: `a switchboard upgraded
      an EV charger installed in a garage
      downlights in a kitchen and lounge`,
  }),
  502: bank(['kitchen-gas', 'cylinder', 'kitchen-gas', 'tools-pipes', 'house-van'], {
    heads: `Gas fitting and certification
      Gas hob and oven installation
      Gas hot water installation
      Gas leak detection
      Gas heating and fires
      LPG bottles and conversions
      Certified gas fitter
      Gas califont repairs
      BBQ and outdoor gas points`,
    leads: `Hobs, heaters and hot water connected safely: {b} does certified gas fitting in {t}.
      Smell gas? Turn it off, open a window and call us. Gas fitting across {t}, day and night.
      {o} is a certifying gas fitter with {y} years in homes and kitchens around {r}.
      We connect new gas hobs in {t} within the week and certify on the spot.
      Endless hot water from a box on the wall: {b} installs and repairs gas systems around {t}.`,
    facts: `Each joint is pressure tested and the certificate is lodged for you.
      Burners are tuned for clean combustion, which saves gas.
      Flues and ventilation are checked with every service.
      We convert appliances between natural gas and LPG.
      Bottles are mounted and restrained to the rules.
      Carbon monoxide is measured in the room before and after.
      Most califont repairs are done from parts in the van.`,
    services:
      'Gas hobs and ovens, Gas hot water, Gas fires and heaters, Leak detection, LPG conversions, Outdoor gas points, Certification, Annual servicing, Pipework, Commercial kitchens',
    praise: `The new hob was connected the day it arrived.
      Found a tiny leak that we had smelled for a year.
      Hot water does not run out any more with four teenagers.
      Certificate was in my inbox the same evening.
      Serviced the fire and it burns beautifully.
      Neat copper work, almost a pity it is behind the cupboard.
      Explained carbon monoxide without scaring us.`,
    asks: `a gas hob connected
      a gas hot water system replaced
      a gas fire serviced before winter`,
  }),
  601: bank(['sink-pipes', 'sink-leak', 'bathroom-plumb', 'tools-pipes', 'kitchen', 'house-van'], {
    heads: `Plumber for homes
      Bathroom and kitchen plumbing
      Dripping taps and leaking toilets
      Plumbing for renovations
      Local plumber, fixed prices
      Low water pressure fixed
      Filters, taps and mixers
      Re-piping older homes
      Plumbing maintenance for rentals`,
    leads: `Taps, toilets, showers and everything behind the wall: {b} is a household plumber in {t}.
      We fix the drip today and tell you what the next one will be. Plumbing in {t}.
      {o} has been a registered plumber in {r} for {y} years and still wears shoe covers.
      Renovating? We plumb bathrooms and kitchens across {t} in step with your builder.
      A fixed price before we open the toolbox: {b}, plumbers for homes in {t}.`,
    facts: `The price is agreed before we begin and written down.
      Vans carry parts for all the common taps and cisterns.
      Grey polybutylene pipe is replaced in a day with as few openings as possible.
      Water pressure is measured and balanced, so that the shower stays warm.
      Landlords get photos and one invoice for each property.
      We clean up after ourselves, and often under the sink too.
      Workmanship is guaranteed for five years.`,
    services:
      'Taps and mixers, Toilets and cisterns, Showers, Kitchen plumbing, Bathroom renovations, Re-piping, Water filters, Pressure balancing, Outdoor taps, Dishwasher connections',
    praise: `The tap that had dripped for years took him ten minutes.
      Shower pressure is finally what it should be.
      Turned up when he said and left the bathroom cleaner than before.
      Worked well with our tiler, nobody waited.
      Price was the price.
      Replaced the old grey pipe in one day.
      Good with tenants, sends photos, no fuss.`,
    asks: `a leaking toilet and two taps fixed
      plumbing for a bathroom renovation
      low water pressure in the shower looked at`,
  }),
  602: bank(['sink-pipes', 'tools-pipes', 'cylinder', 'bathroom-plumb', 'site-tower'], {
    heads: `Commercial plumbing and maintenance
      Plumbing for cafés and restaurants
      Backflow testing and certification
      Plumbing for schools and clinics
      Grease traps and commercial kitchens
      Body corporate plumbing
      Commercial hot water systems
      Plumbing for fit-outs
      Preventive plumbing maintenance`,
    leads: `{b} keeps the water running in shops, schools and apartment blocks around {t}.
      A blocked kitchen at noon costs you a lunch service. We are in {t} and we come at once.
      Commercial plumbing for {t}: fit-outs, maintenance, backflow testing and hot water.
      {o} and eight plumbers look after more than a hundred buildings in {r}.
      One number for every pipe in the building: commercial plumbers in {t} for {y} years.`,
    facts: `Each building has a folder: drawings, valves, photos and history.
      Backflow devices are tested, tagged and reported to the council.
      Work is done at night or before opening where trade would suffer.
      Maintenance plans begin with a survey and find the leak before your tenant does.
      Thermostatic valves are set and recorded for childcare and aged care.
      We hold the insurances and site passes that large clients ask for.
      Invoices are split by unit or cost centre as you need.`,
    services:
      'Commercial fit-outs, Maintenance contracts, Backflow testing, Grease traps, Commercial hot water, Urinals and washrooms, Leak detection, Thermostatic valves, Roof drainage, Pumps',
    praise: `Our kitchen was running again before the dinner service.
      Backflow certificates arrive before the council asks.
      Body corporate is happy: one report, one invoice.
      They found the leak between floors without opening the ceiling.
      Night work, no disruption for the clinic.
      Survey saved us from a burst main, I am sure.
      Professional from first call to paperwork.`,
    asks: `a grease trap installed for a café
      a yearly maintenance plan for 14 apartments
      backflow devices tested at two sites`,
  }),
  603: bank(['sink-leak', 'bathroom-plumb', 'tools-pipes', 'sink-leak', 'cylinder', 'house-van'], {
    heads: `Emergency plumber
      24/7 emergency plumbing
      Burst pipes and leaks, day and night
      Blocked toilet emergency
      After-hours plumber
      Same-day plumbing repairs
      Burst hot water cylinder emergency
      Weekend and holiday plumber`,
    leads: `Water where it should not be? {b} is on the road in {t} day and night.
      First we stop the water, then we talk about the price: emergency plumbing in {t}.
      {o} lives in {t} and is usually at the door within the hour.
      Burst pipe, blocked toilet, no hot water on Sunday: call {b}, in {r} for {y} years.
      A plumber who picks up at three in the morning. Emergencies across {t}.`,
    facts: `We tell you on the phone how to turn off the water while we drive.
      You know the call-out fee before we come, and there are no other surprises.
      Vans carry pumps, pipe and dryers.
      We dry what got wet and write the report for your insurer.
      Temporary repairs are made permanent the next working day at day rates.
      No extra charge on public holidays for people over 75.
      You can follow the plumber on a map.`,
    services:
      'Burst pipes, Leaking taps and toilets, Blocked drains, No hot water, Overflowing cisterns, Flood clean-up, Gas leaks, Storm drainage, Insurance reports',
    praise: `Forty minutes from my call to a dry floor.
      Talked me through turning off the main on the phone.
      Came at 2 am with a smile.
      Cheaper than I feared for a Sunday.
      The insurance report was accepted at once.
      Stopped the flood and lent us two dryers.
      Honest: told us it could wait until Monday and saved us the fee.`,
    asks: `someone for a pipe that bursts again and again
      a blocked toilet cleared today
      a leak under the house found and fixed`,
  }),
  604: bank(['trench', 'sink-leak', 'tools-pipes', 'trench', 'bathroom-plumb'], {
    heads: `Pipe repairs and relining
      Leak detection and pipe repair
      Water main repairs
      Pipe relining without digging
      Copper and polybutylene pipe replacement
      Underground pipe repairs
      Frozen and burst pipe repairs
      Earthenware sewer pipe repairs`,
    leads: `{b} finds leaks in {t} with sound and gas, so that we dig one small hole instead of ten.
      Old pipes under {t} can be relined from within, in a day, without touching the garden.
      {o} repairs water, waste and stormwater pipes all around {t}.
      A water bill that doubled is a pipe that leaks. We find it, in {r}, for {y} years now.
      From pinhole to collapsed sewer, pipe repairs across {t} by people with the right gear.`,
    facts: `Leaks are located to within a hand's width before we open anything.
      Relining is guaranteed for fifty years and needs no trench.
      You get the camera footage before and after.
      Lawn is cut in squares and put back.
      Most water suppliers refund part of the bill with our report.
      Copper is repaired with crimped joints, no flame inside old walls.
      Tree roots are cut and a root barrier is laid.`,
    services:
      'Leak detection, Pipe relining, Water mains, Copper repairs, Polybutylene replacement, Sewer repairs, Stormwater, CCTV inspection, Root removal, Pressure testing',
    praise: `Found the leak within half an hour, under the driveway.
      Relined the sewer and our roses did not notice.
      We got a refund on the water bill with their report.
      One small hole in the lawn and now it is gone.
      The camera footage made everything clear.
      No more roots in the pipe since last year.
      Fixed a pinhole behind the tiles without breaking one.`,
    asks: `a leak found, our water bill has doubled
      an old clay sewer pipe relined
      a pipe under the driveway repaired`,
  }),
  605: bank(['trench', 'sink-pipes', 'tools-pipes', 'trench', 'bathroom-plumb', 'house-van'], {
    heads: `Blocked drains cleared
      Drain jetting and CCTV inspection
      Stormwater and sewer drains
      Tree roots in drains removed
      Drain cleaning, same day
      Kitchen and shower drains unblocked
      Pre-purchase drain inspections
      Septic tank drains and soakage
      Drain laying and repairs`,
    leads: `Gurgling, smelling or overflowing: {b} clears drains in {t}, most of them within the hour.
      High-pressure jets for the blockage, a camera for the cause: drain cleaning in {t}.
      {o} has seen what people put down drains in {r} and no longer judges.
      Buying a house in {t}? Let us look into the drains before you sign.
      Roots, fat, wet wipes: {b} has cleaned the drains of {t} for {y} years.`,
    facts: `Fixed price for a standard blockage, day or night.
      We show you the camera picture and keep the recording for you.
      Jets at 5,000 psi cut roots without harming the pipe.
      If it blocks again within three months we come free.
      Drawings of your drains are made as we go.
      Grease is taken away, not pushed down the line to your neighbour.
      Pre-purchase reports within a day.`,
    services:
      'Blocked drains, Drain jetting, CCTV inspection, Root cutting, Stormwater, Gully traps, Drain laying, Septic systems, Soak pits, Pre-purchase reports',
    praise: `Drain cleared in twenty minutes after a weekend of misery.
      Showed me the roots on the screen.
      Fixed price and no lecture about wet wipes.
      The shower drains again like it should.
      The pre-purchase report saved us from a bad house.
      Left the gully cleaner than it has ever been.
      Came back free when it slowed down again.`,
    asks: `a blocked kitchen drain cleared
      a drain inspection before we buy
      tree roots removed from a sewer line`,
  }),
  606: bank(['cylinder', 'cylinder', 'laundry', 'kitchen-gas', 'tools-pipes'], {
    heads: `Hot water cylinder repairs
      Hot water heat pumps installed
      Water heater replacement
      Gas and electric hot water
      Solar hot water service
      No hot water? Same-day repairs
      Low-pressure to mains-pressure upgrades
      Hot water for large families
      Thermostat and element replacement`,
    leads: `No hot water in {t}? {b} has it back today in most cases.
      Repairs first, replacement only when it pays: hot water systems in {t}.
      Hot water heat pumps use a third of the power. We install them around {t} and handle the rebate.
      {o} carries elements, thermostats and valves for nearly every cylinder in {r}.
      From old copper cylinders to new heat pumps, {b} has kept {t} warm for {y} years.`,
    facts: `Cylinders are replaced within a day, with the old one taken away and recycled.
      Tempering valves protect small hands and are checked with every job.
      A cylinder wrap and pipe lagging pay for themselves in a winter.
      We size the system for your family and not for the brochure.
      Seismic straps and safe trays are fitted as standard.
      Heat pumps are placed where neighbours cannot hear them.
      Ten years of warranty on stainless cylinders.`,
    services:
      'Cylinder repairs, Cylinder replacement, Hot water heat pumps, Gas hot water, Solar hot water, Elements and thermostats, Valves, Pressure upgrades, Cylinder wraps, Rebate paperwork',
    praise: `Hot showers again the same afternoon.
      Replaced an element when others wanted to sell us a cylinder.
      Our power bill dropped by forty dollars a month with the heat pump.
      They handled the rebate, we did nothing.
      Mains pressure is a new life.
      Straps, tray, lagging: all done properly.
      Quiet unit, the neighbours have not noticed.`,
    asks: `a hot water cylinder looked at that leaks
      a quote for a hot water heat pump
      a low-pressure cylinder replaced`,
  }),
  1001: landscaping,
  1104: landscaping,
  1101: bank(['lawn-mow', 'lawn-mow', 'garden-path', 'house', 'lawn-mow'], {
    heads: `Lawn mowing and edging
      Fortnightly lawn mowing
      Lawn care and renovation
      Lawn mowing for seniors
      Lawn and garden maintenance
      Large lawns and lifestyle blocks
      New lawns, seeded or rolled
      Lawn mowing and hedge trimming
      Weed and feed lawn treatment`,
    leads: `Straight stripes, sharp edges, clippings gone: {b} mows lawns in {t}.
      We mow in {t} every week in spring and leave it alone in a drought, because that is how grass works.
      {o} has a ute, two mowers and {y} years of lawns in {r}.
      Brown patches, moss, weeds? {b} brings lawns back to life around {t}.
      From pocket lawns to lifestyle blocks: mowing across {t}, paid per cut.`,
    facts: `The same person comes on the same day and closes the gate behind them.
      Blades are sharpened every week, so the grass is cut and not torn.
      You get a photo when it is done and pay by card or bank transfer.
      Edges are trimmed, paths are blown clean.
      Clippings go to compost, or stay as mulch if you like.
      Lawns are fed and oversown in autumn for a thick carpet in spring.
      We slow down for the hedgehogs.`,
    services:
      'Lawn mowing, Edging, Weed control, Fertilising, Lawn renovation, New lawns, Hedge trimming, Green waste removal, Ride-on mowing, Garden tidy-ups',
    praise: `The edges are like drawn with a ruler.
      Always closes the gate, our dog is grateful.
      The lawn has never been this green.
      Turns up every second Thursday like clockwork.
      Moss gone and grass thick after one winter.
      Sends a photo when we are away, very handy.
      Mows Mum's lawn and has a chat with her too.`,
    asks: `a lawn of about 400 square metres mown fortnightly
      a mossy lawn renovated
      mowing and hedge trimming for my mother`,
  }),
  1102: bank(['trees', 'trees', 'trees', 'garden-plants', 'trees'], {
    heads: `Tree removal and pruning
      Qualified arborist
      Stump grinding
      Hedge cutting and shaping
      Storm-damaged tree removal
      Fruit tree pruning
      Tree reports for council consent
      Palm and phoenix removal
      Crown lifting and thinning`,
    leads: `Qualified climbers, clean cuts, everything taken away: {b} cares for trees in {t}.
      We prune first and fell last. Arborists in {t} who would rather keep your tree.
      {o} has climbed in {r} for {y} years and still asks the tree before the saw.
      Storm brought one down? We clear fallen trees in {t} day and night.
      Hedges, fruit trees, giants beside the power line: {b} does tree work across {t}.`,
    facts: `Every climber is qualified and we are insured for ten million.
      Branches are lowered by rope, so that the garden below survives.
      Wood is cut to length for your fire or chipped for your beds.
      We know the council's rules on protected trees and write the report.
      Stumps are ground 300 mm deep, ready for lawn.
      Fruit trees are pruned in winter for a crop that you can reach.
      Nests are checked for before any cut.`,
    services:
      'Tree removal, Pruning, Crown reduction, Stump grinding, Hedge trimming, Storm work, Fruit trees, Palms, Arborist reports, Mulch and firewood',
    praise: `Lowered a huge gum over the glasshouse without breaking a pane.
      Kept the tree that two others wanted to fell.
      The hedge is level for the first time in its life.
      Free mulch for the whole garden.
      Stump gone and grass growing where it was.
      At our place an hour after the storm.
      Apples within reach at last.`,
    asks: `a large tree beside the house pruned
      a stump ground out
      a tall hedge cut back`,
  }),
  1103: bank(['garden-water', 'garden-water', 'garden-plants', 'lawn-mow'], {
    heads: `Irrigation systems designed and installed
      Sprinkler repairs
      Drip irrigation for gardens
      Automatic lawn sprinklers
      Rain tanks and garden pumps
      Smart irrigation controllers
      Irrigation for lifestyle blocks
      Water-wise garden systems
      Bore and pump irrigation`,
    leads: `Green gardens on less water: {b} plans and installs irrigation in {t}.
      We put the water at the roots and not on the footpath. Irrigation for {t} gardens.
      {o} repairs sprinklers of every brand in {t} and carries the heads in the van.
      Away all summer? Your vegetables in {t} will not notice.
      Drip, spray and smart controllers for gardens across {r}, for {y} years.`,
    facts: `Flow and pressure are measured before we draw the zones.
      Pipes are pulled under lawns with a mole, so you hardly see where we were.
      Controllers watch the forecast and skip a day before rain.
      Drip lines save about half of the water of a sprinkler.
      Backflow is protected as the council asks.
      We show you how to run it, and winterise it in May.
      Tanks and pumps are sized for the driest month.`,
    services:
      'System design, Drip irrigation, Lawn sprinklers, Smart controllers, Pumps and tanks, Repairs, Backflow devices, Seasonal service, Vegetable gardens, Rural irrigation',
    praise: `Came home from three weeks away to a green garden.
      Water bill down and lawn better.
      You cannot see where the pipes went in.
      Fixed the old system instead of selling us a new one.
      The controller skipped a day before rain, like magic.
      Vegetables have never been so happy.
      Explained it so that even I can change the times.`,
    asks: `an automatic sprinkler system for a lawn
      drip lines for vegetable beds
      two broken sprinklers repaired`,
  }),
  1105: bank(['garden-plants', 'garden-path', 'garden-plants', 'deck'], {
    heads: `Raised beds and vegetable gardens
      Garden installation and planting
      Native planting
      Water features and ponds
      Garden sheds and glasshouses
      Pergolas, planters and screens
      Artificial grass installation
      Garden lighting installed
      Edible gardens for families`,
    leads: `Raised beds, planters, ponds and pergolas: {b} installs gardens in {t}, ready to grow.
      We bring the soil, the timber and the plants, and leave you a garden in {t} within a week.
      {o} grows vegetables in {t} and can tell you what will grow at your place too.
      From one planter to a whole native garden: installation across {t} by {b}.
      A garden that feeds you starts with good soil. We have built them in {r} for {y} years.`,
    facts: `Beds are made of untreated macrocarpa, safe for food.
      Soil is mixed for each bed: compost, pumice and aged manure.
      Planting plans say what to sow in which month.
      Glasshouses are anchored against the wind.
      Ponds get a shallow side for birds and hedgehogs.
      Low-voltage lights are set on a sensor.
      Seedlings and the first mulch are part of the price.`,
    services:
      'Raised beds, Vegetable gardens, Native planting, Ponds and fountains, Garden sheds, Glasshouses, Pergolas, Garden lighting, Artificial grass, Soil and mulch',
    praise: `We ate our own salad after five weeks.
      The beds are solid and look like furniture.
      Soil so good that everything grows too fast.
      Glasshouse stood through a southerly.
      The pond brought frogs within a month.
      Advice by month on the wall, very useful.
      Kids plant with us now every weekend.`,
    asks: `four raised vegetable beds
      a small glasshouse put up
      native planting along a fence`,
  }),
  1201: bank(['tools', 'house-ladder', 'tools-wood', 'fence', 'kitchen'], {
    heads: `Handyman for small home repairs
      Odd jobs and home repairs
      Sticking doors, loose hinges, holes in walls
      Handyman by the hour
      Home repairs before you sell
      Minor plaster and paint repairs
      Repairs for rentals
      Handyman for seniors
      Weatherboard and deck repairs
      Fix-it list done in a day`,
    leads: `The list on your fridge, done in a day: {b} is a handyman in {t}.
      No job too small. We mean it: we have changed a single light bulb in {t}.
      {o} fixes doors, walls, steps and shelves around {t} and has done so for {y} years.
      Before you call five trades, call one handyman. Home repairs across {t}.
      Landlords, grandparents and busy people in {r} keep our number on the fridge.`,
    facts: `First hour and then by the quarter, so small jobs stay small.
      Send a photo of the list and we bring the right parts.
      What needs a licensed trade we leave to one, and know a good one.
      Holes in plaster are patched, textured and painted so that you forget where they were.
      Grab rails and steps for older people are a favourite of ours.
      Tools are quiet until eight and so are we.
      Police-checked and insured.`,
    services:
      'Door and lock repairs, Plaster patching, Shelves and hooks, Tap washers, Deck and step repairs, Weatherboards, Grab rails, Curtain tracks, Silicone and sealing, Gate repairs',
    praise: `Eleven things off the list in one afternoon.
      Cannot find the hole in the wall any more.
      The door has stuck since we moved in and now it does not.
      Fitted grab rails for Dad and was so kind about it.
      Fair by the quarter hour, no rounding up.
      Said honestly that one job was for an electrician.
      Fixed the gate with a part from his van.
      Back every spring for the next list.`,
    asks: `a list of about ten small repairs
      a sticking door and a hole in the wall fixed
      grab rails fitted in a bathroom`,
  }),
  1202: bank(['shelf', 'shelf', 'organised', 'room-plain', 'tools'], {
    heads: `Flat-pack furniture assembly
      Furniture assembly and wall mounting
      IKEA and Kmart assembly
      Beds, wardrobes and desks assembled
      TV wall mounting
      Outdoor furniture and trampolines
      Office furniture assembly
      Cots and kids' furniture assembled
      Shelves and pictures hung`,
    leads: `Boxes in, furniture up, cardboard gone: {b} assembles flat-packs in {t}.
      We enjoy what others fear: 48 pages of drawings without a word. Furniture assembly across {t}.
      {o} has built more wardrobes in {t} than most shops have sold.
      A cot tonight because the baby is early? We have done it, twice. {b}, {r}.
      Trampolines, TV mounts, bunk beds: assembled and anchored around {t} for {y} years.`,
    facts: `Priced by the item, and you know the price before we come.
      Tall pieces are anchored to the studs, as they should be with children.
      We take the cardboard with us and recycle it.
      Missing screws? We carry a box of four hundred kinds.
      Evenings and weekends cost no more.
      We move the piece to where it belongs and level it.
      Old furniture can be taken apart and taken away.`,
    services:
      'Flat-pack assembly, Wardrobes, Beds and cots, Desks, TV mounting, Shelves and pictures, Trampolines, Outdoor furniture, Office fit-outs, Disassembly for moving',
    praise: `Two wardrobes and a bed in three hours, I had planned a week.
      TV is level and no cable to be seen.
      Had the screw that was missing from the box.
      Bunk bed does not wobble at all.
      Took all the cardboard away.
      Came at seven in the evening, same price.
      Trampoline up before the birthday party.`,
    asks: `two wardrobes and a desk assembled
      a TV mounted on a brick wall
      a trampoline put together before Saturday`,
  }),
  1203: bank(['house-ladder', 'tools', 'house', 'garden-path', 'house-van'], {
    heads: `Property maintenance
      Gutter cleaning and water blasting
      House washing
      Home maintenance plans
      Holiday home maintenance
      Gardens, gutters and repairs
      Maintenance for landlords
      Seasonal home maintenance
      Rubbish removal and odd jobs`,
    leads: `Gutters in autumn, house wash in spring, repairs all year: {b} maintains homes in {t}.
      Own a bach, live in town? We look after houses in {t} while you are away.
      {o} checks forty homes around {t} every season and finds the small things while they are small.
      One visit, one list, one invoice: general maintenance across {t}.
      Houses age slowly if somebody looks. {b} has looked after homes in {r} for {y} years.`,
    facts: `Each visit ends with photos and a list: done, soon, later.
      Soft washing cleans weatherboards without forcing water behind them.
      Gutters are vacuumed from the ground up to two storeys.
      Plans cost less than a single repair that came too late.
      We meet your tradespeople and let them in.
      Smoke alarms are tested with every visit.
      After a storm, homes on a plan are checked first.`,
    services:
      'Gutter cleaning, House washing, Water blasting, Smoke alarm checks, Small repairs, Holiday home checks, Garden tidy, Deck oiling, Rubbish removal, Storm checks',
    praise: `Found a cracked pipe under the bach before winter did.
      Gutters cleared, photos sent, all without us being there.
      The house wash took years off.
      One invoice for everything, my accountant is happy.
      Checked our place the morning after the storm.
      The decking looks new after the oil.
      I no longer lie awake about the rental.`,
    asks: `gutters cleaned and the house washed
      a maintenance plan for a holiday home
      a rental looked over between tenants`,
  }),
};
