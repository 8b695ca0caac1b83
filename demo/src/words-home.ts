import { type Bank, bank } from './bank.ts';

const windowCleaning = bank(['window-clean', 'window-clean', 'house', 'window-clean', 'room-plain'], {
  heads: `Streak-free window cleaning
    House windows inside and out
    Pure-water window cleaning
    Window and screen cleaning
    Sea-spray window washing
    Second-storey window cleaning
    Windows, tracks and flyscreens
    Shop-front window cleaning rounds
    Pre-sale window cleaning`,
  leads: `Salt, pollen and spider webs come off, the view comes back: {b} cleans windows inside and out across {t}.
    We clean windows the slow way in {t}: frames, tracks, sills and screens first, glass last.
    With a pure-water pole we reach three storeys from the ground, so nobody leans a ladder on your gutters.
    {o} has been cleaning glass around {t} for {y} years and still checks every pane from both sides.
    Bright rooms start with clean glass. {b} looks after homes and small shops in {t} and nearby.`,
  facts: `Filtered water dries without spots, so there is no detergent left to attract dust.
    Shoe covers on, drop cloths down, furniture moved and put back where it was.
    Flyscreens are taken out, washed and refitted as part of every full clean.
    We remove paint specks, stickers and silicone with a blade that does not scratch.
    Beach homes usually book every eight weeks; most families in town choose twice a year.
    If it rains within two days and leaves marks, we come back for the outside at no charge.
    Leadlight and old wavy glass is done by hand, never with the pole.`,
  services:
    'Interior windows, Exterior windows, Flyscreens, Tracks and sills, Skylights, Glass balustrades, Solar panel cleaning, Shop fronts, Hard-water stain removal, After-builders glass cleaning',
  praise: `Not a streak left, even on the big sliders facing the sun.
    The tracks were full of years of dirt and are now spotless.
    Did the high stairwell window that nobody else would touch.
    Took the flyscreens out, washed them and put each one back in the right frame.
    The sea view is back. Forgot how blue it was.
    Careful with the garden beds under the windows.
    Removed the paint specks the builders left on the glass.
    The skylights look like there is no glass in them.`,
  asks: `the windows of a two-storey house cleaned inside and out
    our windows and flyscreens done before an open home
    a regular window clean every two months`,
});

const homeSecurity = bank(['keypad', 'camera', 'smart', 'house'], {
  heads: `Home alarms installed
    Burglar alarms and sensor lights
    Home security check and upgrade
    Locks, alarms and lighting
    Pet-friendly alarm systems
    Security upgrades for rentals
    Wireless home alarms
    Whole-home security packages
    Break-in repairs and prevention`,
  leads: `A good alarm is one that the whole family uses. {b} installs simple, reliable systems in {t} homes.
    We start with a walk around your place in {t} and tell you what a burglar would try first.
    Alarms, sensor lights, locks: {b} makes houses around {t} a harder target without making them a fortress.
    {o} fitted alarms for the big firms for {y} years and now does it properly for neighbours in {r}.
    Going away should feel easy. We fit and explain home security across {t}.`,
  facts: `Sensors that ignore pets up to 35 kg, placed so that the cat on the bookshelf stays quiet.
    Every system sends alerts to your phone, with no monthly fee unless you want monitoring.
    Wireless sensors mean no holes in plaster, which suits rentals and older villas.
    Battery back-up keeps the siren and the dialler going for a day without power.
    We hide cables in the ceiling space and leave the rooms as clean as we found them.
    You get a code for each person and a code for the cleaner that works on her day only.
    All our technicians hold a current security licence and carry it with them.`,
  services:
    'Home security check, Wireless alarms, Wired alarms, Sensor lights, Door and window sensors, Smoke and heat alarms, Smart locks, Deadbolts, Video doorbells, Alarm servicing',
  praise: `Showed us the weak spots of the house without trying to scare us.
    The dog no longer sets off the alarm, which was the whole point.
    Cables are invisible and the keypad is where it should be.
    Explained the app to my parents until they were comfortable with it.
    Sensor lights cover the whole side path now.
    Replaced the old keypad and kept the sensors that still worked, which saved us hundreds.
    We sleep better since the break-in.`,
  asks: `a home alarm that works with a large dog
    a security check after a break-in next door
    sensor lights and better locks for our house`,
});

const applianceRepairs = bank(['laundry', 'kitchen-oven', 'laundry', 'tools-wires', 'kitchen'], {
  heads: `Washing machine and dryer repairs
    Oven and cooktop repairs
    Dishwasher repairs at your home
    Fridge and freezer repairs
    Appliance repairs, most brands
    Same-week appliance repairs
    Dryer not heating? Repairs
    Heat pump dryer and washer service
    Honest appliance repairs`,
  leads: `Before you buy a new one, let us look at the old one: {b} repairs kitchen and laundry appliances in {t}.
    Nine out of ten machines that we see around {t} go again the same day.
    {o} carries the common pumps, belts and elements in the van, so most repairs in {t} take one visit.
    A fair diagnosis first, a price second, the repair third. That is how {b} has worked for {y} years.
    Oven cold, washer full of water, fridge too warm? We fix household appliances all over {t}.`,
  facts: `If a repair costs more than half of a new machine, we say so and charge only the call-out.
    Parts carry a twelve-month warranty and our work carries the same.
    We repair Fisher & Paykel, Bosch, Miele, LG, Samsung, Westinghouse and most others.
    The old part is left with you, so you can see what failed.
    Integrated dishwashers and ovens are taken out and refitted without marking the joinery.
    Text us the model number and we can often name the fault and bring the part.
    Every electrical repair is tested and tagged before we leave.`,
  services:
    'Washing machines, Dryers, Dishwashers, Ovens, Cooktops, Rangehoods, Fridges and freezers, Microwaves, Heat pump dryers, Warranty repairs',
  praise: `The dryer works again for a third of what a new one costs.
    Found the fault in ten minutes and had the part in the van.
    Told us honestly that the old fridge was not worth fixing.
    Oven heats evenly for the first time in years.
    Rang ahead, arrived on the minute and wiped the floor after.
    Fixed a leak in the dishwasher that two others could not find.
    Showed me how to clean the filter so it does not happen again.`,
  asks: `a washing machine repaired that stops half-way
    an oven looked at that no longer heats
    a dishwasher that leaves water in the bottom fixed`,
});

const painting = bank(['room-paint', 'house-paint', 'tools-paint', 'room-paint', 'house-scaffold'], {
  heads: `Interior painting with tidy edges
    Exterior house painting
    Villa and weatherboard painting
    Roof and exterior repainting
    Painting and plastering
    Gib stopping and painting
    Feature walls and full repaints
    Fence and deck staining
    Painters for rentals and pre-sale
    Low-odour interior painting`,
  leads: `Most of a good paint job is preparation, and {b} takes the time for it in homes across {t}.
    We paint houses around {t} inside and out, with straight lines and clean floors.
    {o} leads a small crew that has painted villas, units and everything between in {r} for {y} years.
    Two coats, sharp edges, no drips on the carpet: painting in {t} by people who care.
    Fresh walls change a house more than anything at the price. {b} paints in {t} and nearby.`,
  facts: `Walls are washed, filled and sanded before a tin is opened, and we show you before we paint.
    We use Resene and Dulux, low-odour inside, and leave you labelled pots for touch-ups.
    Weatherboards are scraped and spot-primed by hand; lead paint is tested for and handled safely.
    Rooms are emptied to the middle, covered, and put back the way they were each evening.
    One colour consultation at your home is part of every full interior.
    Exterior work is booked around the weather, and we do not start what we cannot finish dry.
    Cracks are taped and set, not just filled, so they stay closed.
    Our exterior work is guaranteed for five years.`,
  services:
    'Interior painting, Exterior painting, Plastering and Gib stopping, Ceilings, Doors and trim, Wallpaper removal, Roof painting, Deck and fence staining, Colour advice, Spray painting',
  praise: `The lines between wall and ceiling are perfectly straight.
    They spent three days preparing and it shows.
    You cannot see where the old cracks were.
    Not one drop on the carpet and the furniture back in place.
    Our weatherboards look ten years younger.
    Good advice on colour, we would have chosen far too dark.
    Finished a day early, before the in-laws came.
    The kids' rooms did not smell of paint at all by evening.`,
  asks: `three bedrooms and a hallway painted
    the outside of a weatherboard house painted before winter
    a ceiling plastered and painted after a leak`,
});

export const homeWords: Record<number, Bank> = {
  101: bank(['room-clean', 'kitchen-clean', 'bathroom-clean', 'room-plain', 'kitchen'], {
    heads: `Weekly house cleaning
      Fortnightly home cleaning
      End-of-tenancy cleaning
      Reliable house cleaners
      Eco-friendly home cleaning
      House cleaning for busy families
      Apartment and townhouse cleaning
      Holiday home and Airbnb cleaning
      Regular cleaning, same cleaner each time
      Move-in and move-out cleaning`,
    leads: `The same cleaner every visit, a written checklist, and a home in {t} that smells of nothing at all.
      {b} cleans family homes around {t} weekly or fortnightly, with our own gear and plant-based products.
      Get your Saturday back: we clean houses, units and holiday homes in {t}.
      {o} started {b} {y} years ago with one mop and three clients in {t}; most of them are still with us.
      We clean homes in {t} as if our own mothers were coming to visit.`,
    facts: `You agree on a checklist with us at the first visit, and the cleaner ticks it off each time.
      Every cleaner is police-checked, insured and paid properly, which is why they stay.
      We bring vacuum, mop and cloths; colour-coded, so the bathroom cloth never sees the kitchen.
      Bond cleans follow the agent's list, and if something is missed we return within three days.
      Keys are kept in a locked safe under a number, never under a name.
      Beds made with fresh linen at no extra cost if you leave it out.
      No contracts: skip a week or stop whenever you like with a text the day before.`,
    services:
      'Regular house cleaning, One-off cleans, End-of-tenancy cleaning, Kitchens and bathrooms, Vacuuming and mopping, Linen change, Oven cleaning, Fridge cleaning, Airbnb turnovers, Ironing',
    praise: `Coming home on cleaning day is the best part of the week.
      We got our full bond back, the agent even commented on the oven.
      Same lovely cleaner each time, and she remembers everything.
      The shower glass has never looked this clear.
      They even wiped the tops of the doors.
      Products hardly smell, which matters with my asthma.
      Our Airbnb guests mention the cleanliness in every review.
      Kitchen gleams. Skirting boards too.`,
    asks: `a fortnightly clean for a three-bedroom house
      an end-of-tenancy clean with the oven included
      a weekly clean, about three hours`,
  }),
  102: bank(['office', 'office', 'kitchen-clean', 'bathroom-clean'], {
    heads: `Office cleaning after hours
      Commercial cleaning contracts
      Medical and dental practice cleaning
      Childcare and school cleaning
      Retail and showroom cleaning
      Nightly office cleaning
      Gym and studio cleaning
      Body corporate cleaning
      Warehouse and factory cleaning`,
    leads: `{b} cleans offices, clinics and shops in {t} before your people arrive or after they have gone.
      A clean workplace nobody has to think about: that is what we do for businesses in {t}.
      We look after more than thirty workplaces around {t}, each with its own plan and its own cleaner.
      {o} checks every site in person once a month and sends you what was found, good or bad.
      From a two-room practice to a full floor, we clean commercial premises across {r}.`,
    facts: `You get a site book, a schedule on the wall and one phone number that is answered.
      Health and safety plans, insurance and data sheets are ready before the first night.
      Consumables are counted and topped up, so nobody runs out of paper towels.
      Touch points are disinfected each visit and recorded.
      Alarm codes and keys are held by two named people only.
      Carpets are deep cleaned twice a year in the price of most contracts.
      We use hospital-grade products in clinics and mild ones in childcare.`,
    services:
      'Office cleaning, Kitchens and staff rooms, Washrooms, Carpet cleaning, Hard floor polishing, Window cleaning, Consumables supply, Medical cleaning, Periodic deep cleans, Rubbish and recycling',
    praise: `Staff noticed the difference on the first morning.
      The monthly check with photos is exactly what I needed as a manager.
      Washrooms are always stocked and always clean.
      They handled our alarm and keys professionally.
      The floors of our showroom shine like the day we opened.
      Our audit found nothing to complain about.
      When our usual cleaner was away, the cover knew the plan.`,
    asks: `an office of 12 people cleaned twice a week
      a dental practice cleaned every evening
      a quote for a shop and its staff room`,
  }),
  103: bank(['bathroom-clean', 'kitchen-oven', 'room-clean', 'kitchen-clean', 'bathroom-clean'], {
    heads: `Deep cleaning top to bottom
      Spring cleaning for whole homes
      After-builders cleaning
      Oven, grout and shower deep clean
      Carpet and upholstery cleaning
      Mould treatment and deep cleaning
      One-off deep clean
      Deep clean before baby arrives
      Smoke and odour cleaning`,
    leads: `Grout, oven, range filters, window tracks: {b} does the jobs in {t} that a weekly clean never reaches.
      One thorough day with a crew of three, and your home in {t} starts afresh.
      We specialise in the deep clean: after builders, before a sale, or when life got in the way.
      No judgement, just results. {o} and team deep clean homes of any condition around {t}.
      Steam, patience and strong arms: {b} has cleaned homes in {r} to the corners for {y} years.`,
    facts: `Steam at 150 degrees lifts grease and kills dust mites without chemicals.
      Builders' dust is vacuumed with HEPA filters from the top down, twice.
      Mould is treated at the cause: we measure moisture and tell you what to fix.
      Ovens are taken apart, soaked outside the kitchen and put back working.
      Carpets are hot-water extracted and dry within six hours.
      Photos before and after are sent for every room.
      We bring everything, including lights for the corners.`,
    services:
      'Whole-home deep clean, Oven and rangehood, Grout and tile, Carpet steam cleaning, Upholstery, Mould removal, After-builders clean, Wall washing, Mattress cleaning, Odour removal',
    praise: `The grout turned out to be white. We had no idea.
      Took our oven apart and it came back like new.
      Mould in the bathroom gone and still gone three months later.
      The crew of three worked a full day without a break in quality.
      After the renovation there was dust in everything, and now there is none.
      Carpet stains from the previous owners have disappeared.
      Kind and discreet with my mum's house, which was in a bad way.`,
    asks: `a deep clean after a renovation
      a bathroom and kitchen deep cleaned, with grout
      mould treated in two bedrooms`,
  }),
  104: windowCleaning,
  201: homeSecurity,
  202: applianceRepairs,
  203: bank(['organised', 'shelf', 'organised', 'room-plain', 'laundry'], {
    heads: `Decluttering and home organising
      Wardrobe and pantry organising
      Garage organising and shelving
      Downsizing help for seniors
      Unpacking and setting up homes
      Home office organising
      Kids' rooms and toy storage
      Calm homes: professional organiser
      Moving house organiser`,
    leads: `{b} helps families in {t} find a place for everything, and a way to keep it there.
      We sort, label and set up: pantries, wardrobes, garages and whole homes around {t}.
      Moving or downsizing? {o} has guided households in {t} through it kindly for {y} years.
      An organised home is not a perfect one. It is one where you find the scissors. We work all over {t}.
      Half a day with {b} and the room in {t} that you avoid becomes the one that you show.`,
    facts: `We work beside you and you decide; nothing leaves the house without your yes.
      Donations are dropped at local charities the same day, with a receipt.
      Systems are made for the people who live there, children included.
      We measure first and buy containers last, often we need hardly any.
      Labels are simple, and a follow-up visit after a month is free.
      Everything we see stays with us. Confidential is confidential.
      For moves we unpack, make the beds and hang the pictures within two days.`,
    services:
      'Decluttering, Wardrobes, Pantries and kitchens, Garages, Home offices, Downsizing, Unpacking, Paperwork, Photo sorting, Shelving and storage advice',
    praise: `Our pantry still looks the same four months later.
      Patient with my mother, who parted with forty years of things.
      I can see the garage floor again and the car fits.
      She saw at once how our mornings go wrong and fixed it with hooks.
      No pressure to throw anything away.
      Unpacked the whole house in two days while we worked.
      The kids put their toys away by themselves now.`,
    asks: `help to declutter a double garage
      a pantry and kitchen organised
      help for my parents who are downsizing`,
  }),
  204: bank(['skirting', 'kitchen', 'skirting', 'house-van', 'house'], {
    heads: `Ant, fly and spider treatment
      Rat and mouse control
      Wasp nest removal
      Whole-home pest control
      Bed bug and flea treatment
      Pre-purchase pest inspections
      Termite inspections and barriers
      Cockroach control for kitchens
      Child-safe pest control`,
    leads: `Ants in the pantry, rats in the roof, wasps under the deck: {b} deals with pests in {t} for good.
      We find out where they come in before we treat. Pest control in {t} with a guarantee.
      {o} is a licensed technician who has been under most of the houses in {t}.
      Safe for children, safe for pets, not safe for cockroaches: {b}, serving {r} for {y} years.
      One treatment before summer keeps flies and spiders out of homes around {t} until autumn.`,
    facts: `Products are approved for homes with children and pets, and we explain each one.
      Entry holes are sealed with steel mesh, not just foam.
      Wasp nests are usually gone within an hour, seven days a week in summer.
      If pests return within the warranty time, so do we, free of charge.
      Bait stations are lockable, numbered and recorded.
      Inspections come with photos and a written report the same day.
      The van is unmarked if you prefer that the neighbours do not know.`,
    services:
      'Ants, Flies and spiders, Cockroaches, Rats and mice, Wasps, Fleas and bed bugs, Borer treatment, Termite inspections, Possum and bird proofing, Commercial contracts',
    praise: `No more scratching in the ceiling at night.
      The ants were back every summer until now.
      Wasp nest gone within an hour of my call.
      Explained what is safe around the baby.
      Found the hole behind the hot water cylinder that others missed.
      Came back for free when we saw one more mouse.
      Spider-free since November, and the house is near bush.`,
    asks: `rats in the ceiling dealt with
      a flies and spiders treatment before summer
      a wasp nest under the deck removed`,
  }),
  205: painting,
  301: homeSecurity,
  302: bank(['keypad', 'camera', 'keypad', 'smart', 'house'], {
    heads: `24/7 alarm monitoring
      Back-to-base alarm monitoring
      Alarm monitoring for small business
      Monitored smoke and medical alarms
      Alarm takeovers and upgrades
      Guard response and monitoring
      4G alarm monitoring
      Low-cost home alarm monitoring`,
    leads: `When your alarm goes off in {t}, a person answers within seconds and knows what to do.
      {b} monitors homes, farms and shops around {t} day and night, from a graded control room.
      We take over almost any existing alarm in {t} and bring it up to date, usually within an hour.
      {o} set up {b} {y} years ago because too many alarms in {r} rang and nobody came.
      Monitoring that costs less than a coffee a week, for households and businesses in {t}.`,
    facts: `Two SIM cards and your broadband: the signal finds a way out when one fails.
      You choose who is called and in which order, and change it by app at any time.
      Guards are local and reach most addresses in under fifteen minutes.
      No lock-in contract. Leave with a month's notice.
      Smoke, flood and medical pendants can be on the same line.
      We test the link every night and tell you if it is down.
      Monthly reports show who armed and disarmed, handy for shops with staff.`,
    services:
      'Alarm monitoring, Guard response, 4G communicators, Alarm takeovers, Medical pendants, Smoke monitoring, Open and close reports, Battery replacement, Annual servicing',
    praise: `They called me before I had even heard the siren.
      Took over our old alarm without replacing a thing.
      A real person answers, at three in the morning too.
      The medical pendant gave Dad the confidence to stay at home.
      Switched from a big company and pay half.
      The guard sent photos of the door within minutes.
      Clear monthly report for our shop.`,
    asks: `our existing alarm monitored
      monitoring for a shop with five staff
      a medical alarm for my father`,
  }),
  303: bank(['camera', 'camera', 'house', 'smart'], {
    heads: `Security camera installation
      CCTV for homes and shops
      4K security cameras
      Farm and driveway cameras
      Doorbell cameras fitted
      Number-plate cameras
      CCTV repairs and upgrades
      Wireless camera systems
      Camera systems without monthly fees`,
    leads: `Cameras that show a face, not a blur: {b} plans and installs CCTV in {t}.
      We install cameras for homes, building sites and farms around {t}, with recordings that stay on your property.
      {o} has hung over a thousand cameras in {r} and can tell you where yours should go.
      See who is at the gate from wherever you are. Camera systems for {t} homes, installed in a day.
      Good cameras in the wrong place are useless. We get the place right, in {t} and nearby.`,
    facts: `We show you the picture at night before a single hole is drilled.
      Recordings are kept for 30 days on a box in your house, no subscription.
      Cables run inside walls and eaves; outside they are in conduit painted to match.
      Cameras are set up so that they respect your neighbours' privacy.
      Person and vehicle detection means your phone stays quiet when the cat walks by.
      Solar and 4G cameras reach gates and sheds without power.
      All settings and passwords are handed to you on paper.`,
    services:
      'Camera design and advice, 4K cameras, Doorbell cameras, Night vision, Recorders, Remote viewing set-up, Solar and 4G cameras, Number-plate recognition, Repairs, Networking',
    praise: `You can read a number plate at night, I tested it.
      Neat cabling, you have to look twice to see it.
      The app only alerts when a person is there.
      Moved our old cameras to where they are useful instead of selling us new ones.
      Patient with the set-up on four family phones.
      The police used our footage the next week.
      Gate camera runs on solar and has not missed a day.`,
    asks: `four cameras around a house and driveway
      a doorbell camera and one for the garage
      cameras for a yard without power`,
  }),
  304: bank(['smart', 'room-lights', 'smart', 'room-plain'], {
    heads: `Smart home set-up
      Smart lighting and blinds
      Home automation that simply works
      Smart locks and doorbells
      Whole-home Wi-Fi and automation
      Smart heating and heat pump control
      Voice control for accessible homes
      Smart home for renovations
      Multi-room audio and lighting`,
    leads: `Lights, blinds, heating and locks on one simple panel: {b} makes {t} homes smart without making them complicated.
      We design smart homes in {t} that a guest can use without an explanation.
      {o} is an electrician first and a programmer second, which is why our systems in {r} keep working.
      New build or old villa, we bring smart lighting and heating to homes around {t}.
      Tired of five apps? {b} joins what you have in {t} into one.`,
    facts: `Every switch still works as a switch, even when the internet is down.
      We use open standards, so you are never tied to one maker, or to us.
      A warm house at seven and cold tanks at peak price: savings are shown month by month.
      Wi-Fi is measured in each room before and after.
      Accessible set-ups by voice or large buttons are a speciality of ours.
      You get all the passwords and a drawing of what is where.
      Changes in the first three months are free, because habits differ from plans.`,
    services:
      'Smart lighting, Automated blinds, Heating control, Smart locks, Video doorbells, Wi-Fi design, Voice control, Energy monitoring, Multi-room audio, System repairs',
    praise: `Even my mother-in-law uses the panel.
      One app instead of six, finally.
      The Wi-Fi reaches the sleep-out now.
      Power bill down by a fifth since the heating is automatic.
      Lights come on softly when the baby wakes us.
      He explained everything and left a drawing.
      The blinds follow the sun and the room stays cool.`,
    asks: `smart lighting for a renovation
      better Wi-Fi and a smart lock
      our heating and blinds automated`,
  }),
  801: painting,
  901: windowCleaning,
  503: applianceRepairs,
};
