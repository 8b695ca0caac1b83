/** A search as people type it in a market (null: both), with its expected first reading. */
export type SearchRow = {
  market: 'NZ' | 'AU' | null;
  q: string;
  category: string;
  subCategory: string;
  place: string;
  words: string;
  nearMe: boolean;
};

const rows = (market: SearchRow['market'], text: string): SearchRow[] =>
  text
    .trim()
    .split('\n')
    .map((line) => {
      const [q = '', category = '', place = '', words = ''] = line.split('|').map((part) => part.trim());
      const [group = '', sub = ''] = category.split('>').map((part) => part.trim());
      return {
        market,
        q,
        category: group,
        subCategory: sub,
        place,
        words: words.replace('near me', '').trim(),
        nearMe: words.includes('near me'),
      };
    });

/**
 * Typed text | group > sub-category | place | remaining words or "near me".
 */
export const searches: readonly SearchRow[] = [
  ...rows(
    'NZ',
    `
    plumber hamilton | Plumbing | Hamilton, Waikato |
    plumbers in hamilton | Plumbing | Hamilton, Waikato |
    hamilton plumber | Plumbing | Hamilton, Waikato |
    Hamilton Plumbing | Plumbing | Hamilton, Waikato |
    plumber near hamilton | Plumbing | Hamilton, Waikato |
    best plumber in hamilton | Plumbing | Hamilton, Waikato |
    cheap plumbers hamilton nz | Plumbing | Hamilton, Waikato |
    plumer hamilton | Plumbing | Hamilton, Waikato |
    plumber hamiltn | Plumbing | Hamilton, Waikato |
    plumber 3204 | Plumbing | Dinsdale, Waikato |
    emergency plumber near me | Plumbing | | near me
    plumber near me | Plumbing | | near me
    electrician nearby | Electrical & Gas > Electricians | | near me
    sparky | Electrical & Gas > Electricians | |
    sparkies auckland | Electrical & Gas > Electricians | Auckland |
    electrican christchurch | Electrical & Gas > Electricians | Christchurch, Canterbury |
    electrician chch | Electrical & Gas > Electricians | Christchurch, Canterbury |
    registered electrician dunedin | Electrical & Gas > Electricians | Dunedin, Otago |
    kaimahi hiko rotorua | Electrical & Gas > Electricians | Rotorua, Bay of Plenty |
    heat pump | Electrical & Gas | | heat pump
    heatpump installation wellington | Electrical & Gas | Wellington | heatpump
    heat pump service tauranga | Electrical & Gas | Tauranga, Bay of Plenty | heat pump
    ev charger auckland | Electrical & Gas | Auckland | ev charger
    solar panels nelson | Electrical & Gas | Nelson | solar panels
    gas fitter new plymouth | Electrical & Gas > Gas fitting | New Plymouth, Taranaki |
    gasfitter | Electrical & Gas > Gas fitting | |
    califont | Plumbing > Water heater services | |
    hot water cylinder | Plumbing > Water heater services | |
    hot water cylinder replacement upper hutt | Plumbing > Water heater services | Upper Hutt, Wellington |
    no hot water | Plumbing > Water heater services | |
    blocked drain napier | Plumbing > Drain cleaning | Napier, Hawke's Bay |
    drainlayer kaipara | Plumbing > Drain cleaning | Kaipara, Northland |
    blocked toilet | Plumbing > Drain cleaning | |
    dunny | Plumbing | |
    leaking tap porirua | Plumbing | Porirua, Wellington |
    burst pipe | Plumbing > Emergency plumbing | |
    commercial plumber auckland | Plumbing > Commercial plumbing | Auckland |
    chippy | Concrete & Driveways > Carpentry | |
    chippies timaru | Concrete & Driveways > Carpentry | Timaru, Canterbury |
    deck builder taupo | Concrete & Driveways > Carpentry | Taupō, Waikato |
    decking wanaka | Concrete & Driveways > Carpentry | Wānaka, Otago |
    builder whangarei | Building & Construction | Whangārei, Northland |
    builder wangarei | Building & Construction | Whangārei, Northland |
    bulder masterton | Building & Construction | Masterton, Wellington |
    brickie | Building & Construction | | brickie
    bricklayers invercargill | Building & Construction | Invercargill, Southland | bricklayers
    gib stopper | Building & Construction | | gib stopper
    gib fixing hamilton | Building & Construction | Hamilton, Waikato | gib fixing
    tiler palmerston north | Building & Construction | Palmerston North, Manawatū-Whanganui | tiler
    painter palmerston nth | Painting | Palmerston North, Manawatū-Whanganui |
    floor sanding gisborne | Building & Construction | Gisborne | floor sanding
    insulation | Building & Construction | | insulation
    bathroom renovation lower hutt | Building & Construction > Renovation & remodeling | Lower Hutt, Wellington |
    bathroom reno | Building & Construction > Renovation & remodeling | |
    kitchen renovations | Building & Construction > Renovation & remodeling | |
    house extension | Building & Construction > Residential | |
    demolition | Building & Construction > Demolition | |
    painter | Painting | |
    house painter kapiti coast | Painting | Kāpiti Coast, Wellington |
    kaipeita | Painting | |
    painter and decorator wellington | Painting | Wellington |
    plasterer ashburton | Painting | Ashburton, Canterbury |
    wallpapering | Painting | | wallpapering
    Hastings painters | Painting | Hastings, Hawke's Bay |
    roofer | Roofing | |
    roof leak | Roofing | |
    re-roofing selwyn | Roofing | Selwyn, Canterbury |
    gutter cleaning tauranga | Roofing | Tauranga, Bay of Plenty | gutter cleaning
    spouting | Roofing | | spouting
    chimney sweep queenstown-lakes | Roofing | Queenstown-Lakes, Otago | chimney sweep
    grey roofing | Roofing | Grey, West Coast |
    window cleaner | > Window cleaning | |
    window cleaning north shore | > Window cleaning | North Shore, Auckland |
    double glazing | Window & Glazing > Window installation | |
    glazier whakatane | Window & Glazing | Whakatāne, Bay of Plenty |
    broken window | Window & Glazing > Glass repairs | |
    cat door | Window & Glazing > Glass repairs | |
    concrete driveway | Concrete & Driveways > Concrete work | |
    exposed aggregate rolleston | Concrete & Driveways > Concrete work | Rolleston, Canterbury |
    fencing | Concrete & Driveways > Fencing & gates | |
    fence builder waipa | Concrete & Driveways > Fencing & gates | Waipā, Waikato |
    automatic gates | Concrete & Driveways > Fencing & gates | |
    asphalt | Concrete & Driveways | | asphalt
    landscaper | > Landscaping | |
    landscaping matamata-piako | > Landscaping | Matamata-Piako, Waikato |
    retaining wall | > Landscaping | | retaining wall
    lawnmowing | Landscape & Lawn Maintenance > Lawn maintenance | |
    lawn mowing papamoa | Landscape & Lawn Maintenance > Lawn maintenance | Pāpāmoa, Bay of Plenty |
    gardener | Landscape & Lawn Maintenance | |
    kaitiaki kari | Landscape & Lawn Maintenance | |
    arborist nelson | Landscape & Lawn Maintenance > Tree services | Nelson |
    aborist | Landscape & Lawn Maintenance > Tree services | |
    hedge trimming marlborough | Landscape & Lawn Maintenance > Tree services | Marlborough |
    stump grinding | Landscape & Lawn Maintenance > Tree services | |
    irrigation | Landscape & Lawn Maintenance > Irrigation & sprinkler systems | |
    cleaner | Cleaning | |
    house cleaner | Cleaning > Residential | |
    office cleaning auckland | Cleaning > Commercial | Auckland |
    end of tenancy clean | Cleaning > Deep cleaning | |
    tauranga house washing | Cleaning | Tauranga, Bay of Plenty | house washing
    carpet cleaning rotorua | Cleaning | Rotorua, Bay of Plenty | carpet cleaning
    water blasting | Cleaning | | water blasting
    locksmith | > Home security | |
    burglar alarm | Alarm & Security | |
    cctv | Alarm & Security > Security cameras | |
    smart home | Alarm & Security > Smart home systems | |
    pest control | Home Improvement > Pest control | |
    wasp nest | Home Improvement > Pest control | |
    appliance repairs | > Appliance repairs | |
    washing machine | > Appliance repairs | |
    oven repair christchurch | > Appliance repairs | Christchurch, Canterbury |
    handyman | Handyman | |
    handy man tasman | Handyman | Tasman |
    flat pack assembly | Handyman > Furniture assembly | |
    rubbish removal | Handyman | | rubbish removal
    garage door repair | Handyman | | garage door repair
    Bell Block | | Bell Block, Taranaki |
    gore | | Gore, Southland |
    hamilton | | Hamilton, Waikato |
    waikato | | Waikato |
    Ōtāhuhu electrician | Electrical & Gas > Electricians | Ōtāhuhu, Auckland |
    otahuhu electrician | Electrical & Gas > Electricians | Ōtāhuhu, Auckland |
    mt maunganui builder | Building & Construction | Mount Maunganui, Bay of Plenty |
    Hawkes Bay builder | Building & Construction | Hawke's Bay |
    western bay of plenty roofer | Roofing | Western Bay of Plenty, Bay of Plenty |
    services in taupo | | Taupō, Waikato |
    tradie hamilton | | Hamilton, Waikato |
    tradies in nelson | | Nelson |
    kowhai plumbing | Plumbing | | kowhai
    a1 electrical | Electrical & Gas > Electricians | | a1
    Wellington Window Co | | | Wellington Window Co
    kiwi plumbing ltd | | | kiwi plumbing ltd
    smith and sons builders | | | smith and sons builders
    anderson | | | anderson
    tradie | | | tradie
    i need a plumber in hamilton | Plumbing | Hamilton, Waikato |
    looking for an electrician in wellington | Electrical & Gas > Electricians | Wellington |
    can someone recommend a builder in nelson | Building & Construction | Nelson |
    emergency electrician | Electrical & Gas > Electricians | |
    kitchen plumber | Plumbing | | kitchen
    `,
  ),
  ...rows(
    'AU',
    `
    electrician brisbane | Electrical & Gas > Electricians | Brisbane, Queensland |
    electrician brisbane qld | Electrical & Gas > Electricians | Brisbane, Queensland |
    brisbane sparky | Electrical & Gas > Electricians | Brisbane, Queensland |
    electrician 4000 | Electrical & Gas > Electricians | Brisbane City, Queensland |
    electrician gold coast qld | Electrical & Gas > Electricians | Gold Coast, Queensland |
    plumber in st kilda vic | Plumbing | St Kilda, Victoria |
    plumber st kilda | Plumbing | St Kilda, Victoria |
    plumber st. kilda victoria | Plumbing | St Kilda, Victoria |
    plumber parramatta | Plumbing | Parramatta, New South Wales |
    plumber paramatta | Plumbing | Parramatta, New South Wales |
    plumber sydney | Plumbing | Sydney, New South Wales |
    plumber nsw | Plumbing | New South Wales |
    blocked drain melbourne | Plumbing > Drain cleaning | Melbourne, Victoria |
    hot water system perth | Plumbing > Water heater services | Perth, Western Australia |
    hot water geelong | Plumbing > Water heater services | Geelong, Victoria |
    dunny blocked | Plumbing | |
    gas plumber ballarat | Electrical & Gas > Gas fitting | Ballarat, Victoria |
    aircon perth | Electrical & Gas | Perth, Western Australia | aircon
    air conditioning darwin | Electrical & Gas | Darwin, Northern Territory | air conditioning
    split system townsville | Electrical & Gas | Townsville, Queensland | split system
    solar adelaide | Electrical & Gas | Adelaide, South Australia | solar
    fridgie | Electrical & Gas | | fridgie
    ceiling fan cairns | Electrical & Gas > Electricians | Cairns, Queensland |
    switchboard upgrade hobart | Electrical & Gas > Electricians | Hobart, Tasmania | upgrade
    builder canberra | Building & Construction | Canberra, Australian Capital Territory |
    builder act | Building & Construction | Australian Capital Territory |
    brickie newcastle | Building & Construction | Newcastle, New South Wales | brickie
    gyprocker | Building & Construction | | gyprocker
    restumping bendigo | Building & Construction | Bendigo, Victoria | restumping
    bathroom renovations sydney | Building & Construction > Renovation & remodeling | Sydney, New South Wales |
    granny flat central coast | Building & Construction | Central Coast, New South Wales | granny flat
    colorbond roofing wollongong | Roofing | Wollongong, New South Wales |
    gutters toowoomba | Roofing | Toowoomba, Queensland | gutters
    painter bondi | Painting | Bondi, New South Wales |
    rendering mandurah | Painting | Mandurah, Western Australia |
    fencing contractor mackay | Concrete & Driveways > Fencing & gates | Mackay, Queensland |
    pool fence | Concrete & Driveways > Fencing & gates | |
    concreter bunbury | Concrete & Driveways > Concrete work | Bunbury, Western Australia |
    pergola launceston | Concrete & Driveways > Carpentry | Launceston, Tasmania |
    orange plumber | Plumbing | Orange, New South Wales |
    lawn mowing hervey bay | Landscape & Lawn Maintenance > Lawn maintenance | Hervey Bay, Queensland |
    whipper snipping | Landscape & Lawn Maintenance > Lawn maintenance | |
    tree lopper rockhampton | Landscape & Lawn Maintenance > Tree services | Rockhampton, Queensland |
    retic perth | Landscape & Lawn Maintenance > Irrigation & sprinkler systems | Perth, Western Australia |
    bond cleaning brisbane | Cleaning > Deep cleaning | Brisbane, Queensland |
    end of lease cleaning melbourne | Cleaning > Deep cleaning | Melbourne, Victoria |
    pressure cleaning gold coast | Cleaning | Gold Coast, Queensland | pressure cleaning
    pool cleaner | Cleaning | | pool cleaner
    termite inspection | Home Improvement > Pest control | |
    white ants darwin | Home Improvement > Pest control | Darwin, Northern Territory |
    security screens | Window & Glazing | | security screens
    window tinting | Window & Glazing | | window tinting
    locksmith alice springs | > Home security | Alice Springs, Northern Territory |
    handyman port lincoln | Handyman | Port Lincoln, South Australia |
    mount gambier | | Mount Gambier, South Australia |
    murray plumbing | Plumbing | Murray, Queensland |
    tradie sunshine coast | | Sunshine Coast, Queensland |
    `,
  ),
  ...rows(
    null,
    `
    sparky | Electrical & Gas > Electricians | |
    plumber in new zealand | Plumbing | New Zealand |
    plumber australia | Plumbing | Australia |
    plumber in st kilda vic | Plumbing | St Kilda, Victoria |
    `,
  ),
];
