// Training data of the classifier: texts in the words of both countries, one a line, by code of sub-category, or of group if the text does
// not say more. Sentences of `held-out-sentences.ts` must not be added.

export const homeTexts: Record<number, string> = {
  1: `cleaner
    cleaners
    cleaning service
    house is a mess and I need help
    a cleaner who brings her own products
    cleaning company near me
    reliable cleaner with references
    the place is dirty and we have guests coming
    good cleaning lady
    professional cleaners for a quote
    everything is filthy`,
  101: `house cleaning every week
    fortnightly house cleaner
    regular domestic cleaning for a family home
    clean the bathroom, kitchen and floors at home
    cleaner for my flat or unit
    housekeeper two mornings a week
    someone to do the ironing and change the beds
    vacuuming, mopping, dusting and wiping the benches
    home help for an elderly parent, light housework
    maid service
    tidy and clean our townhouse before visitors come
    clean three bedrooms and two bathrooms weekly
    home cleaner on a regular day
    once a month clean of a small house
    my wife and I both work and want a weekly clean
    Airbnb cleaning between guests
    clean the apartment every Thursday
    help with housework, laundry and dishes
    cleaner for my nana, an hour a week
    sweep, vacuum and dust the lounge and bedrooms`,
  102: `office cleaning in the evenings
    commercial cleaner for our business
    clean our shop before customers come
    cleaning of a school, clinic, surgery or gym
    daily cleaning contract for offices
    janitor for a building
    warehouse and factory floors cleaned
    restaurant kitchen cleaning at night
    clean common areas of an apartment block, body corporate
    strata cleaning of stairwells and lobby
    church and community hall cleaning
    staff room and toilets at work cleaned daily
    childcare centre cleaners
    bins emptied and desks wiped in our workplace
    dental practice cleaner after closing
    retail store cleaning every morning
    hotel and motel cleaning staff
    medical rooms, law firm, accountants, showroom cleaned
    after hours cleaner for our company premises
    cafe floors and toilets nightly`,
  103: `end of lease cleaning
    bond clean
    moving out clean for the landlord
    vacate clean and exit clean
    deep clean of kitchen and bathrooms
    oven cleaning, grease everywhere
    carpet cleaning and steam cleaning
    upholstery and sofa cleaning, couch stains
    mattress cleaning
    tile and grout scrubbing
    mould removal on the ceiling and in the bathroom
    spring cleaning of the entire house
    clean up after builders, dust from renovations
    hoarder house clean up
    one off big clean, it has not been done for months
    scrub the shower, soap scum and limescale
    pet stains and smell in the carpet
    curtains and blinds cleaned
    final inspection clean, moving house next week
    clean behind the fridge and inside cupboards
    tenants left the flat disgusting
    pressure cleaning of mouldy walls
    rug shampoo
    new house clean before we move in
    red wine on the carpet
    walls, skirtings and light fittings wiped down
    sanitising and disinfecting after illness
    cigarette smell and nicotine on the walls, needs washing`,
  104: `window cleaning
    window cleaner for a house
    wash the windows inside and out
    dirty windows, spots and cobwebs
    high windows that need a ladder or pole
    clean window frames, sills and tracks
    fly screens cleaned
    exterior window wash
    windows of a two or three storey home
    glass balustrade and sliding door cleaning
    skylight cleaning
    squeegee and streak free
    sea spray and salt on the glass
    pure water window washing
    pollen and dust on every window
    solar panels and windows cleaned`,
  901: `window cleaning
    shop window cleaning every week or month
    commercial window cleaner for glass fronts
    clean all the glass in the house
    rope access window washing on a tower
    glass cleaning, water spots and mineral stains
    louvres and windows cleaned
    french doors and ranch slider glass washed
    mirrors and glass panels polished
    windows too high to reach safely
    office windows cleaned quarterly
    conservatory roof and glass cleaned
    wash glass doors and pool fence panels
    removal of paint splatter from window glass`,

  2: `home improvement
    improvements around our home
    improve the house a bit at a time
    spruce up an old place
    make the home better and more comfortable
    upgrades for our home before selling
    ideas and help to improve the inside of a house`,
  201: `home security
    make the house safer against burglars
    burglary, we were robbed
    break in, door was forced open
    better locks, deadbolts and window locks
    locksmith to change the locks
    locked out of my house
    security door and security screens
    crimsafe doors and grilles
    sensor lights outside to scare off intruders
    safe for valuables bolted to the floor
    peep hole and door chain
    thieves around the neighbourhood
    secure the property, garage and shed
    lost my keys, rekey all the doors
    prowler at night, feeling unsafe
    home alarm and locks
    someone tried to get in through the window
    security for a home that stands empty`,
  202: `appliance repair
    appliance repairs at home
    washing machine repair
    washing machine will not spin, drain or start
    dishwasher not cleaning or leaking
    fridge not cold, freezer not freezing
    refrigerator making noise
    oven not heating, element blown
    stove, hob or cooktop element broken
    clothes dryer not drying
    microwave not working
    rangehood fan broken
    top loader, front loader, drum, belt, pump
    error code on the display
    whiteware fault
    Samsung, LG, Bosch, Miele, Haier, Westinghouse, Electrolux, Simpson
    ice maker not making ice
    coffee machine repair
    seal on the fridge door is torn
    machine stops in the middle of the cycle and beeps`,
  503: `appliance repair
    appliance technician
    whitegoods repair man
    fix my washing machine, dryer, dishwasher, fridge or freezer
    oven door, hinge, seal, thermostat, fan, element replaced
    ceramic or induction cooktop cracked
    electric stove plate does not work
    rangehood and extractor repair
    wall oven dead, clock flashes
    dishwasher leaves water in the bottom
    washing machine bangs and shakes and walks across the floor
    fridge is warm and food goes off
    freezer frosts up
    tumble dryer trips or smells of burning
    waste disposal unit jammed
    vacuum cleaner repair
    heat pump dryer fault
    repair or replace an old appliance
    spare part for an oven, new hinge or handle
    appliance under warranty, service agent`,
  203: `home organisation
    home organization
    professional organiser
    declutter the house
    decluttering and sorting out rooms
    organise my wardrobe, pantry, cupboards and drawers
    garage full of junk, sort and store
    storage ideas and shelving systems
    too much stuff and not enough space
    downsizing and moving to a smaller home
    unpack boxes after moving
    packing and unpacking help
    sort out a deceased estate, a parent's belongings
    file papers and set up a home office
    tidy the kids room and toys
    Marie Kondo my home
    hoarding, need help to let go of things
    label and arrange everything
    clear out the spare room, attic or shed
    clutter is stressing me out
    wardrobe edit, clothes everywhere
    organise photos, paperwork and bills
    help to set up systems that keep the house tidy`,
  204: `pest control
    exterminator
    pest inspection before buying
    ants in the house
    rats and mice in the ceiling or walls
    rodents, scratching noise in the roof
    cockroach treatment
    fleas after the dog
    bed bugs
    wasps, hornets and bees nest removal
    spiders, redbacks and white tails, spray inside and out
    termites and white ants, termite barrier
    borer in the timber floor
    flies, flying insects and mosquitoes
    possum in the roof
    birds nesting under the eaves, pigeons
    fumigation and flea bomb
    silverfish and moths eating clothes
    mouse droppings in the pantry
    poison, bait and traps
    bugs in the kitchen
    something is chewing cables in the attic
    snake catcher
    carpet beetle
    flying ants, swarm
    rabbits, stoats and pests on a lifestyle block
    infestation, creepy crawlies, vermin`,
  205: `painting
    painter and decorator for inside the house
    interior painting of rooms
    paint the bedroom, living room, hallway or stairs
    paint walls and ceilings white
    paint doors, skirting and trims
    new colour for the lounge
    freshen up the paint before selling
    feature wall and wallpaper
    one room to be painted
    kitchen cabinets painted
    house painter for a small job
    two coats over a dark colour
    nursery painting
    touch up paint where furniture scratched it
    colour advice and painting
    paint a bathroom with mould resistant paint
    repaint a flat between tenants
    wallpaper hanging`,
  801: `painting and plastering
    painter
    painters
    plasterer
    gib stopper
    house painting outside and inside
    exterior painting of weatherboard, brick or render
    paint is peeling and flaking off the house
    repaint the outside of the house
    roof and fence painting
    spray painting of a house
    plastering of walls and ceilings
    gib fixing and stopping, level four finish
    plasterboard repair, hole in the wall, gyprock patch
    skim coat over old walls
    cracks in the ceiling and cornice repair
    solid plaster and rendering of brick
    ceiling sagging or water stained plaster
    strip wallpaper, sand, prime and paint
    set and flush plaster joints
    staining the deck and the cedar cladding
    paint weatherboards, window frames and fascia
    textured ceiling, remove popcorn ceiling
    undercoat and two top coats, three coats
    repaint interior walls, ceilings, doors
    dent in the gib, doorknob hole
    lead paint removal, sanding
    feature wall, hallway, bedrooms, lounge painted
    new house to be painted, new extension to be stopped and painted
    paint the front door, gate or garage door
    cupboards and kitchen sprayed in a new colour
    decorator, wallpapering
    dark red walls to be painted in a light colour`,

  12: `handyman
    handyman near me
    handy man for half a day
    handywoman
    hire someone handy
    jack of all trades
    a list of jobs for a handyman
    man with tools and a van
    fix it person
    honey do list
    my husband never gets round to it
    hubby hire`,
  1201: `small repairs around the house
    minor repairs and fixing little things
    odd jobs and small jobs
    hang pictures, mirrors, shelves and curtain rails
    mount a tv on the wall
    fix a door handle, hinge, latch or lock
    sticking door, drawer or window
    silicone around the bath and bench
    patch a small hole
    replace a toilet seat, tap washer or towel rail
    curtain rod and blinds put up
    fix a broken cupboard, drawer runner or shelf
    loose tile, handle, step or board
    re-grout a few tiles
    letterbox, clothesline or house number put up
    fix a leaking gutter joint and a bit of flashing
    draughts under the door, put in weather strips
    screen door repair and fly screens replaced
    wobbly handrail, squeaky hinge
    fix the garage door or shed latch
    cat flap or dog door fitted
    a handful of bits and pieces need mending
    broken this and that at my house
    grab rails for the bathroom
    baby gates and furniture fixed to the wall
    changing light bulbs and batteries in smoke alarms`,
  1202: `furniture assembly
    flat pack assembly
    Ikea furniture put together
    assemble a bed, wardrobe, desk, bookcase, drawers or table
    build flatpack from Kmart, Mitre 10, Bunnings or Fantastic Furniture
    put together outdoor furniture or a barbecue
    trampoline, swing set or playground assembled
    cubby house or garden shed kit put together
    office desks and chairs assembled
    cot and change table put together
    assemble gym equipment or a treadmill
    tv unit and cabinet assembly
    bunk beds for the kids
    instructions make no sense, missing screws
    take apart and reassemble furniture for moving
    ikea kitchen or pax built
    bought furniture online in boxes and need someone to build it
    basketball hoop or table tennis table assembly
    flatpack office chairs`,
  1203: `general maintenance
    property maintenance
    ongoing maintenance of a rental property
    maintenance man for a body corporate
    caretaker for buildings
    regular upkeep of a house
    seasonal maintenance, gutters cleared, filters changed
    maintenance round of a holiday home or bach
    landlord needs a regular maintenance person
    property manager looking for handyman services
    keep a house in good order
    yearly check of the house and repairs as needed
    retirement village or motel maintenance
    healthy homes work and rental compliance
    gutter cleaning, house wash and small repairs
    house washing and water blasting
    general repairs and maintenance of an old building
    look after our property while we are away
    maintenance contract, monthly visits`,
};
