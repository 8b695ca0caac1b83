// Training data as in `training-home.ts`: security, building, electricity, gas, plumbing, roofs, windows and concrete.

export const buildingTexts: Record<number, string> = {
  3: `security company
    alarm and security
    alarm technician
    security installer
    security system for house or business
    security quote
    access control and intercom
    protect our premises
    security guard or patrol company
    upgrade of a security system`,
  301: `home security
    burglar alarm installed at home
    house alarm system with sensors
    wireless alarm with app
    alarm keypad, siren and motion detectors
    alarm keeps beeping or going off
    false alarms at night
    alarm code forgotten, panel shows a fault
    alarm battery needs replacing
    door and window contacts
    security alarm for a new house
    pet friendly motion sensors
    alarm service and repair
    install an alarm in our unit, townhouse or apartment
    protect the family at home from intruders
    old alarm panel to be upgraded
    panic button by the bed
    garage and sleepout alarm zone
    security system at home, how much`,
  302: `alarm monitoring
    monitored alarm
    24 hour monitoring
    24/7 monitoring centre
    back to base alarm
    monitoring contract, monthly fee
    patrol response when the alarm goes off
    guard attends alarm activations
    change of monitoring company
    alarm dialler after the phone line became fibre or nbn
    medical alarm monitored, pendant
    fire alarm monitoring
    monitoring of a business alarm at night
    who responds if my alarm is triggered
    alarm monitoring while away on holiday
    self monitored or professionally monitored
    open and close reports for our shop`,
  303: `security cameras
    cctv
    cctv installation
    surveillance camera
    camera system with recording
    cameras around the house, front door and driveway
    video doorbell, ring doorbell
    nvr, dvr, recorder, hard drive
    night vision, infrared, ip camera, ptz
    watch the cameras from my phone
    camera at the gate, yard, farm or building site
    wireless cameras and solar powered camera
    camera footage is blurry
    cameras for a shop against theft
    hidden camera, nanny cam
    number plate camera
    cameras have stopped recording
    package theft, see who was at the door
    arlo, eufy, hikvision, dahua, swann
    security camera cabling`,
  304: `smart home
    smart home system
    home automation
    automated lights, blinds, heating and music
    voice control with alexa, google home or siri
    smart switches, smart bulbs and dimmers
    control everything from an app
    smart lock, smart doorbell and intercom
    control4, loxone, philips hue, c-bus, knx, sonos
    connected home, wifi devices and hub
    automate the garage door, gate and irrigation from the phone
    smart thermostat
    whole house audio, speakers in the ceiling, home theatre
    wifi does not reach all rooms, mesh network
    internet of things at home
    scenes and schedules for lights
    motorised blinds and curtains`,

  4: `builder
    builders
    building company
    building and construction
    builder for a quote
    licensed builder, lbp, registered builder
    tradie
    tradesman
    good builder with references
    construction firm
    builder near me
    small building job
    bricklayer, brickie
    builder and carpenter for work at our place`,
  401: `general contractor
    head contractor for the whole job
    project management of a build
    manage all the trades and subcontractors
    main contractor from start to finish
    building consent, council plans and inspections handled
    turnkey, one point of contact
    oversee construction
    coordinate trades on site
    construction manager
    finish what another builder left undone
    builder went bust or walked off
    leaky building repair, recladding
    insurance repairs after an earthquake or flood
    foundations repiled, relevelling, underpinning
    tender for building work
    schedule, budget and supervise the building work
    earthquake strengthening
    large project with many trades`,
  402: `residential building
    home extension
    house extension, add a room
    second storey addition
    build a garage, carport, sleepout or shed
    granny flat, minor dwelling, tiny home
    residential builder for a family home
    build a house for a family
    extra bedroom and bathroom built on
    loft or attic conversion
    raise the house and build underneath
    house framing
    extend the kitchen out to the deck
    conservatory or sunroom addition
    new bedroom over the garage
    builder for houses, homes and units
    build two townhouses
    duplex
    addition at the back of our house
    kitset home put up
    new foundations for an extension
    garage conversion into a room`,
  403: `commercial building
    commercial builder
    office fit out
    shop fitting and retail fit out
    restaurant, cafe and bar fit out
    warehouse, factory and industrial building
    school, clinic or childcare building work
    office partitions, suspended ceilings and reception desks
    refurbishment of commercial premises
    make good at the end of the lease
    salon, gym or surgery fit out
    tenancy works
    farm buildings and steel sheds
    tilt slab
    motel or hotel refurbishment
    church hall alterations
    shop counter and display shelving
    disabled access ramp for a public building
    workplace alterations`,
  404: `renovation
    renovations
    remodeling
    renovate the bathroom or kitchen
    bathroom renovation from start to finish
    kitchen renovation, new kitchen installed
    bathroom makeover with new shower, vanity and tiles
    laundry renovation
    remove a wall, open plan living
    load bearing wall taken out and beam put in
    modernise a dated house
    gut and redo the interior
    villa, bungalow or Queenslander restoration
    do up an old house
    old kitchen ripped out
    wet area, waterproofing and tiling
    tiler to tile bathroom floor and walls
    splashback and bench tops
    whole home renovation
    reno
    remodel our ensuite
    refresh a 1960s, 1970s or 1980s house
    flat to be renovated before renting
    new bathtub and tiles in the family bathroom
    change the layout of rooms
    interior alterations
    new flooring, tiles and cabinets
    heritage home renovation`,
  405: `custom homes
    custom built house
    build a new home on our section
    new home builder
    architectural house
    architecturally designed home
    build our dream home
    own plans, one off design
    design and build a new house
    house and land package
    knock down and rebuild with a new house
    build on a sloping or difficult site
    passive house, eco house, off grid home
    new build on our land, block or lifestyle property
    bespoke home builder
    luxury home
    builder for a house from an architect's drawings
    we bought land and want to build
    holiday home, bach or beach house to be built
    straw bale, rammed earth or timber home
    new four bedroom house with garage`,
  406: `demolition
    demolish a house
    pull down an old shed, garage or building
    knock down a wall or chimney
    remove a chimney
    asbestos removal
    concrete breaking and removal
    take away rubble and rubbish
    strip out the interior
    pool removal and fill in
    tear down a deck, carport or fence
    soft demolition
    site clearing and excavation
    demolition contractor with digger
    house to be removed from the site
    take out a bathroom or kitchen, skip bin included
    bricks, slab and footings removed
    old sleepout has to go
    condemned building
    rip out the old`,

  5: `electrical and gas
    electrical work
    electrical and gas quote
    something electrical is faulty
    electrician or gasfitter
    registered electrician and gas fitter
    electrical contractor
    electrical company`,
  501: `electrician
    sparky
    sparkie
    electricians near me
    power point installed or broken
    no power in one room
    power outlet sparks
    power keeps tripping, rcd, safety switch or circuit breaker
    fuse blown, fuse box
    switchboard upgrade
    lights flicker or do not work
    light switch broken or buzzing
    downlights, led lights, pendant and ceiling light installed
    outdoor and security light wiring
    rewire an old house
    ceiling fan or bathroom extractor fan installed
    ev charger, car charger
    solar panels and battery
    heat pump or air conditioning installed
    heat pump not heating, aircon not cooling
    heated towel rail and underfloor heating wired
    smoke alarms installed and tested
    oven and hob wired in
    data, phone, tv point and aerial
    electrical safety certificate and inspection
    burning smell from the wall socket
    got a shock from the tap or switch
    three phase power for a workshop
    wire up the shed, spa pool or hot tub
    generator and power to a new building
    electric hot water element tested
    meter box, mains cable and pole
    lost power, electricity out
    extra sockets in the kitchen, usb sockets
    dimmer switch, sensor light
    split system, ducted air conditioner`,
  502: `gas fitting
    gasfitter
    gas plumber
    smell of gas, gas leak
    gas cooktop, hob or oven connected
    gas heater service, repair or install
    gas bottles, lpg regulator
    gas line to a barbecue
    gas fire or fireplace installed
    pilot light goes out
    gas hot water and califont
    move the gas meter
    natural gas connection to the house
    gas certificate
    carbon monoxide check
    boiler and gas central heating
    caravan gas certification
    disconnect and cap the gas
    gas appliance conversion lpg to natural gas
    gas pipe run to the kitchen
    bayonet fitting
    gas burner flame is yellow or weak
    gas log fire service
    patio heater on gas`,

  6: `plumber
    plumbers
    plumbing
    plumbing company
    registered plumber, licensed plumber
    plumber near me
    local plumber
    cheap plumber
    plumbing quote
    plumbing work`,
  601: `residential plumbing
    leaking tap, dripping tap
    tap washer and mixer replaced
    toilet leaking, running or not flushing
    cistern fills slowly
    new toilet, basin, vanity, bath or shower installed
    shower mixer or shower head replaced
    low water pressure in the house
    washing machine or dishwasher plumbed in
    kitchen sink and tap installed
    outside tap
    laundry tub
    water filter under the sink
    bathroom plumbing for our home
    move the kitchen or bathroom pipes for a renovation
    rainwater tank connected to the house
    water hammer, noisy pipes
    toilet seat and flush button
    dunny is broken, loo will not flush
    bath or shower leaking
    insinkerator installed
    fridge water connection
    tap is stiff and will not turn off
    house plumber for small jobs
    brown water from the taps
    bidet installed
    replace taps in the ensuite
    hose tap in the back yard`,
  602: `commercial plumbing
    commercial plumber
    plumber for a restaurant, cafe, pub, hotel, school or office
    grease trap service
    backflow prevention testing
    urinal repair
    plumbing maintenance contract for a building
    trade waste
    body corporate and strata plumbing
    factory and industrial plumbing
    plumbing for a new commercial building
    toilets at our workplace
    hospital, gym or shopping centre plumber
    thermostatic mixing valves tested at an aged care home
    commercial kitchen sinks and dishwashers plumbed
    fire hydrant and hose reel
    multi storey building pipework
    plumber for our shop or business`,
  603: `emergency plumbing
    emergency plumber
    plumber now, urgent
    24 hour plumber, after hours
    burst water pipe flooding the house
    water everywhere
    water coming through the ceiling or the light
    flood in the bathroom or laundry
    toilet overflowing
    cannot turn off the water
    need help tonight, on a weekend or a public holiday
    sewage overflow emergency
    plumber today as soon as possible
    pipe burst, ceiling about to come down
    massive water leak, gushing
    come straight away
    basement is filling with water
    urgent leak at two in the morning
    no water in the house at all, emergency`,
  604: `pipe repairs
    leaking pipe
    pipe burst or cracked and needs repair
    hidden leak detection
    water leak under the floor, in the wall or under the slab
    high water bill, meter keeps turning
    repipe the house, replace galvanised or copper pipes
    dux quest or polybutylene pipes replaced
    pipe relining
    water main from the street leaks
    underground water pipe
    frozen pipes, lagging
    rusty pipes and corroded joints
    damp patch from a leaking pipe
    drip from a joint below the basin or under the sink
    pinhole leak in copper
    pipe under the house is dripping
    pipework insulation
    broken pvc waste pipe
    soggy lawn over the water line
    digger hit a water pipe
    pipes banging in the wall`,
  605: `drain cleaning
    blocked drain
    blocked toilet, sink, shower or bath
    drain unblocked with a jetter or snake
    drainlayer
    drain smells, bad smell from the drain
    sewer blocked by tree roots
    stormwater drain overflows, flooding in the yard
    water will not go down the sink
    slow draining shower or basin
    cctv drain camera inspection
    gully trap overflowing
    clogged pipe, grease or hair
    gurgling toilet and drains
    septic tank emptied
    soak pit, soak hole, field tiles
    hydro jetting
    drain clearing and relining
    downpipe blocked
    broken sewer pipe, drain collapsed
    new drains laid for a house
    wet wipes down the toilet, it backs up
    manhole full
    sink blocked, plunger does not help
    drainage problem, puddles`,
  606: `hot water
    hot water cylinder leaking, burst or replaced
    hot water system repair
    water heater installation
    no hot water
    not enough hot water, runs out quickly
    water not hot, lukewarm, too hot
    cylinder element or thermostat gone
    gas califont, infinity, continuous flow or instantaneous heater
    solar hot water
    heat pump water heater
    tempering valve
    low pressure to mains pressure cylinder
    relief valve drips
    hot water tank rusty
    Rheem, Rinnai, Bosch, Dux hot water unit
    electric storage hot water
    cold showers
    anode replaced
    hot water service leaking outside
    cylinder in the roof space or cupboard overflowing
    pressure relief overflow keeps running
    wetback
    upgrade the hot water for a bigger family`,

  7: `roofing company
    roofer
    roof quote
    re-roof`,
  701: `roofing
    roofer
    roof leak, leaking roof
    water stain on the ceiling when it rains
    roof replacement, re-roofing
    colorbond, coloursteel, long run iron roof
    corrugated iron rusted
    concrete and terracotta tiles broken
    slipped or cracked roof tiles
    ridge capping, repointing and rebedding
    roof restoration and painting
    moss, lichen treatment on the roof
    gutter replacement, spouting and downpipes
    gutter guard, leaves in the gutter
    flashing around the chimney leaks
    roof inspection
    storm damage, wind lifted the iron
    membrane roof, butynol, flat roof
    asphalt shingles, slate
    skylight leaking
    fascia and soffit
    roof nails coming up, screws replaced
    whirlybird and roof ventilation
    hail damage
    new roof for a garage or veranda
    leak in the valley, rain gets in
    spouting is full and spills over
    roof insulation and building paper
    tin roof noisy in the wind
    dripping in the attic during rain`,
  8: `painters and plasterers
    painter for a quote
    plasterers
    painting contractor`,

  9: `window company
    windows and glass
    glazier
    glazing company
    glass and window quote
    windows need attention
    window problem
    joinery and glass`,
  902: `window installation
    new windows
    replacement windows
    double glazing
    double glazed windows installed
    retrofit double glazing into timber frames
    aluminium joinery, upvc and timber windows
    sliding door, bifold, french door or ranch slider installed
    replace old wooden windows
    skylight or roof window installed
    secondary glazing to keep noise out
    draughty, cold windows and condensation
    bay window
    louvre windows
    bigger window in the kitchen, cut a new opening
    window frames rotten and to be replaced
    window winder, stay or catch replaced
    windows for a new house supplied and fitted
    sash window restoration and cords
    soundproof windows on a busy road
    conservatory windows
    insect screens and window film installed
    single glazed to double glazed
    put a window into a wall`,
  903: `glass repair
    broken window
    smashed window replaced
    cracked pane of glass
    emergency glazier, board up
    glass door shattered
    shower screen or shower door glass replaced
    mirror cut and installed
    glass replaced in a front door or cat door
    foggy double glazing, failed seal
    ball, stone or bird hit the window
    splashback and glass table top cut to size
    safety glass, toughened glass
    glass balustrade panel broke
    chip in the glass
    shop window vandalised
    leadlight repair
    putty falling out of the window
    sliding door glass broken
    storm broke our window
    wardrobe mirror door broken
    pool fence panel shattered`,

  10: `concrete and driveways
    concreter
    concreters near me
    driveway
    new driveway price
    driveway quote
    drive and paths
    concrete contractor
    driveways company
    asphalt or gravel drive`,
  1001: `landscaping
    landscape gardener and paver
    paving of a patio or path
    pavers laid
    retaining wall of blocks, stone or sleepers
    garden steps and terraces on a slope
    front garden makeover
    paths, edges and planting
    level the section
    driveway entrance with stone and plants
    courtyard and outdoor room
    hard landscaping
    rock walls
    gabion baskets
    pebbles, gravel and edging
    excavation and levelling of the back yard
    brick path
    paved area around the pool
    timber sleepers steps`,
  1002: `concrete work
    concreting
    concrete driveway
    concrete slab for a shed, garage or house
    concrete path or patio
    exposed aggregate
    coloured, stamped or stencilled concrete
    resurface the driveway
    cracked concrete repaired or replaced
    concrete cutting and grinding
    polished concrete floor
    footings, foundation and block work
    boxing, reinforcing and pouring
    concrete steps and ramp
    crossing and kerb
    concrete pump
    concrete sealing
    uneven concrete is a trip hazard
    concrete pad for a spa or water tank
    asphalt, hot mix and chip seal driveway
    driveway widened for a second car
    shotcrete, retaining in concrete
    concrete floor levelled
    pool surrounds in concrete
    pour a base`,
  1003: `fencing and gates
    fence builder
    new fence along the boundary
    fence fell over in the wind
    timber paling fence
    colorbond or aluminium fence
    pool fence, glass or aluminium
    automatic gate, sliding gate, electric gate motor
    gate repair, hinges, latch
    farm fencing, post and wire
    retaining wall and fence
    picket fence
    dog proof fence
    privacy screen and trellis
    fence posts rotten
    share cost of a fence with the neighbour
    brick fence and letterbox pillar
    temporary fencing
    driveway gates with remote
    chain link, brush fence, bamboo screen
    railing and post and rail
    gate for the side of the house
    fence palings replaced`,
  1004: `carpentry
    carpenter
    chippy
    joiner
    deck built or repaired
    decking boards replaced
    pergola, gazebo or veranda built
    built in wardrobe, shelves, bookcase or cupboards
    doors hung, door frames and architraves
    skirting boards
    staircase, handrail and balustrade
    timber floor repair
    window sill and rotten timber replaced
    custom made furniture, bench seat
    kitchen cabinets and joinery
    wooden steps
    framing and lining
    timber stairs to the deck
    cladding and weatherboards replaced
    planter boxes and outdoor seat in wood
    tree house and play house
    barn door, cavity slider
    bench top and cabinet maker
    wall panelling
    door does not close, swollen wood
    merbau, kwila, pine deck`,
};
