export type HeldOutSentence = { sentence: string; category: number; subCategory: number | null };

// 300 sentences of households in both countries that measure the classifier. They are never training data, which a test checks; to improve the
// classifier, add other sentences to the training files.

/** Sub-categories with nearly the same name in two groups; either counts as right. */
export const interchangeableSubCategories: readonly (readonly number[])[] = [
  [104, 901],
  [201, 301],
  [202, 503],
  [205, 801],
  [1001, 1104],
];

/** Six for each sub-category. */
const ofSubCategories: Record<number, string> = {
  101: `looking for someone to clean my three bedroom house every fortnight
    need a regular cleaner for our apartment in Ponsonby
    can somebody vacuum and mop our place once a week
    weekly housekeeper wanted, two bathrooms and a kitchen
    mum is 84 and needs someone to do her dusting and floors
    how much for a cleaner to come round on Fridays`,
  102: `our office needs to be cleaned after hours
    after a cleaner for a small medical clinic, five nights a week
    quote to clean a warehouse and its lunch room
    need someone to empty bins and vacuum at our accounting firm
    cleaning contract for a preschool
    who cleans shops and cafes before opening`,
  103: `we are moving out on Saturday and need the whole flat scrubbed to get the bond back
    oven is filthy and the bathroom has mould in the grout, need a proper scrub
    end of tenancy clean including carpets
    house needs a spring clean from top to bottom before the baby comes
    builders left dust everywhere, need an after build clean
    steam clean the carpets, the dog has been sick on them`,
  104: `windows are covered in salt spray and I cannot reach the top ones
    need outside windows washed on a two storey house
    streaky glass in the conservatory, want it cleaned
    someone with a pole to wash the high windows
    get the bird poo off our skylights and windows
    windows and fly screens washed before our open home`,
  201: `we got broken into last week and want better locks and an alarm
    want to make mum's house safer, deadlocks and sensor lights
    burglars tried the back door, what can we do to secure the place
    need a home alarm installed before we go on holiday
    want security screens and an alarm on our unit in Logan
    somebody keeps coming onto our property at night, want it secured`,
  202: `my washing machine is leaking water all over the laundry floor
    fridge stopped getting cold yesterday
    dishwasher will not drain and shows an error code
    oven element has gone and it will not heat
    the dryer spins but there is no heat
    Fisher and Paykel dishdrawer keeps beeping and stops halfway`,
  203: `our garage is so full we cannot get the car in, need help sorting it
    need someone to declutter my wardrobe and set up a system
    help downsizing mum's house, thirty years of stuff
    want the pantry and kitchen cupboards organised
    home office is a mess of paper, help me get it in order
    paperwork and kids toys everywhere, need a tidy up expert`,
  204: `there are rats in the roof, I can hear them at night
    ants all through the kitchen
    wasp nest under the deck
    cockroaches in our unit, need a spray
    found what looks like termites in the skirting
    white tail spiders everywhere in the bedroom`,
  205: `want the lounge and hallway painted before Christmas
    freshen up two bedrooms with a new colour
    need a feature wall done in the nursery
    the ceilings have gone yellow and need a couple of coats
    paint our front door and window frames
    can someone repaint the kitchen cupboards white`,
  301: `house alarm wanted with a keypad by the front door
    want sensors on the doors and a siren
    looking for an alarm system for a new build in Papamoa
    the old alarm in the house keeps going off for no reason
    need motion detectors that the cat does not set off
    how much to have an alarm fitted to a four bedroom place`,
  302: `want someone to watch our alarm around the clock and send a guard
    looking for 24 hour monitoring with patrol response
    our monitoring company put the price up, want to switch to another
    need back to base monitoring for the shop
    who gets called when the alarm goes off while we are overseas
    monitored medical pendant and alarm for my dad`,
  303: `want cameras on the driveway that I can see on my phone
    cctv installed around the house, four cameras
    our doorbell camera will not connect, want it put in properly
    someone stole parcels off the porch, need a camera there
    looking for night vision cameras for the farm gate
    replace the old cctv recorder and two dead cameras`,
  304: `want to control lights and blinds from my phone
    help setting up google home with our heating and lights
    looking for home automation in a new build
    smart locks and video intercom for the front gate
    all our smart gadgets use different apps, want one system
    wire the house for automation and multi room audio`,
  401: `need a builder to run the whole project and organise the trades
    want one company to manage everything from the council consent to the keys
    looking for a main contractor for a big job at our place
    who can coordinate plumber, sparky and gib stopper for us
    need a project manager for a build that has stalled
    licensed builder wanted to take over an unfinished job`,
  402: `builder needed to add a second storey on our house
    want a granny flat put up in the back yard
    quote to build a sleepout behind the garage
    extend the lounge by four metres with new foundations
    build a garage next to our house
    need a house builder for an extra bedroom`,
  403: `fit out of a new cafe in Newmarket
    we need partition walls and a reception in our office
    build a warehouse extension for our factory
    shop fitout wanted for a hair salon in Geelong
    strip and refit a retail tenancy
    builder for a new childcare centre`,
  404: `want to redo our 1970s bathroom completely
    kitchen is old and we want it gutted and a new one put in
    knock out the wall between the kitchen and dining room
    renovating a villa in Grey Lynn and need a builder
    our ensuite needs a full makeover
    bring our Queenslander into this century, kitchen and bathrooms`,
  405: `we have bought a section and want to build our own design
    looking for a builder for an architect designed house
    want to build a new home on our land in Rolleston
    new house on a steep block, need someone who does one off designs
    who builds eco homes to your own plan
    house and land, we have our own drawings`,
  406: `need an old garage pulled down and taken away
    knock down the house so that we can rebuild
    get rid of a brick chimney before it falls down
    take out a concrete swimming pool and fill the hole
    asbestos shed needs to be removed
    strip out the old kitchen and bathroom back to the studs`,
  501: `power points in the lounge have stopped working
    the lights keep flickering and the switchboard buzzes
    safety switch trips every time I turn the kettle on
    need an ev charger put in the garage
    want downlights in the kitchen
    half of the house has no power since this morning`,
  502: `I can smell gas near the hob
    need a gas cooktop connected
    swap our bottles over and move the gas line for a new kitchen
    gas heater needs a service and a check for carbon monoxide
    want gas put on for a bbq on the deck
    pilot light will not stay on in the gas fire`,
  503: `stove top has one plate that does not get hot
    microwave went bang and died
    the freezer is icing up and the food is going soft
    rangehood fan makes a terrible noise
    front loader will not spin
    Bosch oven door does not close and needs a new hinge`,
  601: `kitchen tap drips all night
    toilet keeps running after you flush
    need a new vanity and shower mixer put in
    the shower has almost no pressure
    move the laundry tub and put in a new tap at home
    want an outside tap for the garden hose`,
  602: `urinals at our pub keep blocking
    plumber for a new restaurant kitchen with grease trap
    backflow test due at our factory
    need all the toilets in a school block replaced
    plumbing maintenance for an office tower
    body corporate needs a plumber for twenty units`,
  603: `water is pouring through the ceiling right now
    burst pipe, I cannot turn the water off, help
    toilet is overflowing and it is Sunday night
    need a plumber straight away, the kitchen is flooding
    sewage coming up in the shower, urgent
    who can come tonight for a massive leak`,
  604: `water bill doubled, must be a leak under the ground somewhere
    wet patch on the wall and I think a pipe in there is leaking
    there is a pinhole in the copper pipe under the house
    old galvanised pipes are rusty and need replacing
    pipe under the sink is cracked
    frozen pipe split in the wall in Queenstown`,
  605: `drain outside is blocked and smells
    tree roots in the sewer line
    shower drains really slowly
    gully trap overflows when it rains
    need a drain camera to see why it keeps clogging up
    kitchen sink is clogged and plunging does nothing`,
  606: `my hot water cylinder is leaking in the ceiling
    no hot water this morning
    replace the old electric hot water tank with continuous flow
    hot water runs out after one shower
    the hot water system on the side of the house is rusted through
    water is only lukewarm, thermostat maybe`,
  701: `roof leaks when the wind comes from the north
    tiles blew off in the storm
    want our old iron roof replaced with colorsteel
    gutters are rusted and overflow down the wall
    need the ridge caps repointed
    there is moss all over the roof and the paint is flaking`,
  801: `hole in the plasterboard behind the door
    gib stopping for a new extension
    outside of the house needs a repaint, weatherboards are peeling
    strip wallpaper and skim the walls
    crack in the cornice and ceiling plaster
    three coats on a rendered house in Adelaide`,
  901: `need my shop front glass washed every month
    hard water stains on the shower glass and windows
    can you do inside and outside glass on a beach house
    pool fence glass and ranch sliders need a good clean
    wash the panes, the tracks and the sills
    lifestyle block with 40 windows, all dirty`,
  902: `want to put double glazing in our cold bungalow
    replace rotten timber joinery with aluminium
    new ranch slider for the lounge
    put a skylight into the bathroom
    looking for retrofit double glazing in Dunedin
    swap old wooden sashes for new ones that open`,
  903: `kids kicked a ball through the kitchen window
    pane in the front door is smashed and needs replacing today
    cracked glass in the ranchslider
    shower screen shattered
    double glazed unit has gone foggy between the panes
    broken shop window needs boarding up and new glass`,
  1001: `make our front yard nice with a path and some planting
    steep back section needs terraces and steps
    want paving and garden beds around a new house
    retaining wall and levelling so that we can use the lawn
    design and build a courtyard garden
    new driveway edging with plants and pebbles`,
  1002: `want a concrete driveway for two cars
    pour a slab for a shed
    exposed aggregate patio out the back
    cracked driveway needs ripping up and relaying
    concrete path down the side of the house
    footings and a floor for a garage`,
  1003: `fence blew over and the neighbour will go halves
    need an electric gate at the end of the drive
    dog keeps getting out, want a higher fence
    put a pool fence up that meets the rules
    sixty metres of timber paling along the boundary
    gate drags on the ground and will not latch`,
  1004: `want built in shelves beside the fireplace
    deck boards are rotten and need replacing
    door sticks and needs planing
    build a pergola over the deck
    new internal doors and skirting hung
    stairs creak and the handrail is loose`,
  1101: `lawn is up to my knees, need it mown
    someone to cut the grass every two weeks
    hedges need a trim and the edges done
    bare patches in the grass, want it resown
    weeds are taking over, need a garden tidy
    ride on mowing for an acre in Warkworth`,
  1102: `gum tree hanging over the roof, want it taken down
    stump in the lawn needs grinding out
    big branch came down in the storm
    arborist to prune our old oak
    pine trees blocking the view need topping
    palm fronds dropping everywhere, who can clean up the palms`,
  1103: `want an automatic watering system for the veggie patch
    sprinkler in the lawn does not pop up any more
    drip lines for the garden beds on a timer
    reticulation is leaking at the valve box in Perth
    pump for the bore stopped so the garden gets no water
    set up the garden so that it waters itself while we are away`,
  1104: `redesign the whole back yard for entertaining
    native planting plan for a bank
    turn a bare new section into a garden
    get someone to redo our tired garden with low upkeep plants
    stone steps and planting down to the beach
    rock garden and succulents in place of lawn`,
  1105: `raised beds for vegetables wanted
    put up a greenhouse behind the shed
    small pond with a pump and some fish
    roll out instant turf
    artificial grass for the kids play area
    install garden lights along the path`,
  1201: `a few small things to fix around the house
    patch a hole in the wall and rehang a door
    loose tiles and silicone in the shower to redo
    a cupboard hinge broke and a towel rail came off
    squeaky floorboard and a stuck window
    put up some pictures and a mirror`,
  1202: `got a flat pack wardrobe from Ikea and no patience
    put together a trampoline before the birthday
    assemble a bunk bed and two desks
    kmart drawers need building
    we ordered an outdoor setting that comes in forty pieces
    bed frame and bookcase from Freedom need putting together`,
  1203: `need a person for odd jobs at my rental every month
    list of maintenance for an older house, gutters, locks, screens
    caretaker type of person for a block of flats
    annual check over of our bach and fixing whatever is wrong
    landlord wants somebody reliable for ongoing upkeep
    keep our holiday home in good nick through the year`,
};

/** Three for each group with sub-categories, where the sentence does not say more. */
const ofGroups: Record<number, string> = {
  1: `looking for a good honest cleaner
    my place is a pigsty, send help
    cleaning lady wanted in Brunswick`,
  2: `a few things to make our home nicer to live in
    home improvement ideas for a tired unit
    improve an older house before we sell it`,
  3: `security company to look at our property
    alarm technician wanted
    we want to feel safe at night, what do you offer`,
  4: `need a builder
    looking for a chippy and a builder for a project
    tradies for a build in Wanaka`,
  5: `sparky needed in Frankston
    electrician please
    electrical fault at our place`,
  6: `any good plumbers around here
    I need a plumber
    plumbing problem at my rental`,
  9: `glazier near me
    something wrong with our windows
    glass company for a quote`,
  10: `concreter wanted
    what would a new drive cost us
    driveway people for a quote in Toowoomba`,
  11: `gardener wanted
    someone to look after our grounds
    the garden has got away on us`,
  12: `handyman for a day
    hire a hubby
    fix it man needed in Levin`,
};

const linesOf = (text: string) => text.split('\n').map((line) => line.trim());

export const heldOutSentences: readonly HeldOutSentence[] = [
  ...Object.entries(ofSubCategories).flatMap(([code, text]) =>
    linesOf(text).map((sentence) => ({ sentence, category: Math.floor(Number(code) / 100), subCategory: Number(code) })),
  ),
  ...Object.entries(ofGroups).flatMap(([code, text]) =>
    linesOf(text).map((sentence) => ({ sentence, category: Number(code), subCategory: null })),
  ),
];
